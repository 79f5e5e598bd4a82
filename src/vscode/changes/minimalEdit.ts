import * as vscode from 'vscode';

/** The one edit that makes `text` of the document: cursors and folds outside of it stay. */
export function minimalEdit(document: vscode.TextDocument, text: string): vscode.TextEdit | undefined {
  const old = document.getText();
  if (old === text) {
    return undefined;
  }
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old[start] === text[start]) {
    start++;
  }
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === text[text.length - 1 - end]) {
    end++;
  }
  // A position cannot be between the two halves of a line end or of a character.
  while (start > 0 && isSplit(old, start)) {
    start--;
  }
  while (end > 0 && isSplit(old, old.length - end)) {
    end--;
  }
  const range = new vscode.Range(document.positionAt(start), document.positionAt(old.length - end));
  return vscode.TextEdit.replace(range, text.slice(start, text.length - end));
}

function isSplit(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  const isHighSurrogate = before >= 0xd800 && before <= 0xdbff;
  return isHighSurrogate || (before === 13 && after === 10);
}
