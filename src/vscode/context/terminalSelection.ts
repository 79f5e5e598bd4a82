import * as vscode from 'vscode';

/**
 * What is selected in the active terminal. Extensions can only have it by way of the clipboard, which is put back.
 * Without a selection VS Code itself says so.
 */
export async function terminalSelection(): Promise<string | undefined> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  try {
    await clipboard.writeText('');
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const text = await clipboard.readText();
    return text.trim() === '' ? undefined : text;
  } finally {
    await clipboard.writeText(before);
  }
}
