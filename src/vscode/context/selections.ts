import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Attachment } from '../../shared/attachments';
import { selectedLines } from './openEditors';

/** As much as is embedded of a file. */
const MAX_TEXT_CHARS = 500_000;
/** It is kept with every draft; of more than this only the place is known. */
const MAX_SELECTION_CHARS = 100_000;

/** The selected lines, as they are now: the file may change before they are sent. */
export function selectionOf(
  editor: vscode.TextEditor,
  id: string,
): Extract<Attachment, { kind: 'selection' | 'text' }> {
  const { document } = editor;
  const [startLine, endLine] = selectedLines(editor);
  const lines = startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
  const name = `${nameOf(document.uri)}:${lines}`;
  const text = document.getText(new vscode.Range(startLine - 1, 0, endLine, 0)).replace(/\r?\n$/, '');
  if (document.uri.scheme !== 'file') {
    return { kind: 'text', id, name, text: withinLimit(text) };
  }
  const kept = text.length <= MAX_SELECTION_CHARS ? { text } : {};
  return { kind: 'selection', id, name, path: document.uri.fsPath, startLine, endLine, ...kept };
}

/** What no agent can read by a path, such as an untitled document. */
export async function textOf(
  uri: vscode.Uri,
  id: string,
): Promise<Extract<Attachment, { kind: 'text' }> | undefined> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return { kind: 'text', id, name: nameOf(uri), text: withinLimit(document.getText()) };
  } catch {
    return undefined;
  }
}

function withinLimit(text: string): string {
  return text.length <= MAX_TEXT_CHARS
    ? text
    : `${text.slice(0, MAX_TEXT_CHARS)}\n${vscode.l10n.t('(The rest was left out.)')}`;
}

function nameOf(uri: vscode.Uri): string {
  return path.posix.basename(uri.path);
}
