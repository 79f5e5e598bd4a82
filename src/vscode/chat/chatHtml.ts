import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The page around the chat. Nothing inline: styles are files, the one script has a nonce. */
export function chatHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const file = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    'media-src data:',
    // These two are not covered by default-src.
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${file('codicon.css')}">
    <link rel="stylesheet" href="${file('style.css')}">
    <title>Parley</title>
  </head>
  <body>
    <div id="root"></div>
    <script nonce="${nonce}" src="${file('main.js')}"></script>
  </body>
</html>`;
}

export function chatOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    // Command links would let an agent's text run commands.
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
  };
}
