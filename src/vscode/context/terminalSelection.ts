import * as vscode from 'vscode';

/**
 * What is selected in the active terminal. Extensions can only have it by way of the clipboard, of which they can put
 * back text and nothing else. Without a selection VS Code itself says so.
 */
export async function terminalSelection(): Promise<string | undefined> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  try {
    // What has no text may be an image, which is to be lost for a selection only.
    if (before !== '') {
      await clipboard.writeText('');
    }
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const text = await clipboard.readText();
    return text.trim() === '' ? undefined : text;
  } finally {
    if ((await clipboard.readText()) !== before) {
      await clipboard.writeText(before);
    }
  }
}
