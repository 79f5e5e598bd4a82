import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { withinLimit } from '../../core/base/withinLimit';
import type { AllowedPath } from '../../core/files/pathGuard';
import { textEdits } from '../../core/files/textEdits';
import { FileProblem } from '../../core/ports';

const RELOAD_MS = 2000;
const SAVE_LIMIT_MS = 30_000;
/** The copy begins about 10 ms after a save, and takes less than one. */
const HISTORY_MS = 100;

/** The editor's document of a file, by any name that leads to it. */
export function openDocument(allowed: AllowedPath, asked: string): vscode.TextDocument | undefined {
  const names = [allowed.path, allowed.real, asked].map((name) => vscode.Uri.file(name).toString());
  const open = vscode.workspace.textDocuments.filter(
    ({ uri, isClosed }) => !isClosed && names.includes(uri.toString()),
  );
  return open.find((document) => document.isDirty) ?? open[0];
}

/** A document without unsaved edits can be older than the file, until the editor hears of the change. */
export async function isBehindDisk(document: vscode.TextDocument): Promise<boolean> {
  if (document.isDirty || document.isClosed) {
    return false;
  }
  try {
    const content = await readFile(document.uri.fsPath);
    if (isBinaryFor(document, content)) {
      return false;
    }
    const text = await vscode.workspace.decode(content, { encoding: document.encoding });
    return normalBreaks(text) !== normalBreaks(document.getText());
  } catch {
    return false;
  }
}

/** No text for the editor, which decodes it late or never. */
export function isBinaryFor({ encoding }: vscode.TextDocument, content: Uint8Array): boolean {
  return !encoding.startsWith('utf16') && content.includes(0);
}

/** Texts are compared and merged without regard to their line breaks; a document keeps its own. */
export function normalBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Makes the document hold that text, which has normal breaks. False when the user changed it at the same moment. */
export async function applyText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edits = textEdits(normalBreaks(document.getText()), text);
  if (edits.length === 0) {
    return true;
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text: added } of edits) {
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    edit.replace(document.uri, range, added);
  }
  return vscode.workspace.applyEdit(edit);
}

/** False when it could not be saved, or has not been in that time: a save of the editor may hang for ever. */
export async function trySave(document: vscode.TextDocument, limitMs = SAVE_LIMIT_MS): Promise<boolean> {
  const saving = Promise.resolve(document.save());
  return withinLimit(saving, limitMs, () => new Error('The save hangs.')).catch(() => false);
}

/**
 * After a save the editor copies the file for its local history. A file that is cut short at that very moment has it
 * copy for ever (`copyFile` of Node waits for as many bytes as there were), and the file can never be saved again.
 * Whoever wants to write past the editor waits for this first.
 */
export function untilInHistory(): Promise<void> {
  return delay(HISTORY_MS);
}

/** Agents, and what they run, read files from the disk: what they wrote has to be there. */
export async function saveDocument(document: vscode.TextDocument): Promise<void> {
  if (document.isDirty && !(await trySave(document))) {
    throw new FileProblem(
      'failed',
      `${document.uri.fsPath} was changed in the editor but could not be saved.`,
    );
  }
}

/** With its missing folders, in the encoding that the settings give to new files. */
export async function createFile(uri: vscode.Uri, content: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: await vscode.workspace.encode(content, { uri }) });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new FileProblem('failed', `${uri.fsPath} could not be created.`);
  }
}

/** The editor takes up what was written behind its back a little later; until then its text is the old one. */
export async function reloaded(document: vscode.TextDocument | undefined): Promise<void> {
  if (document === undefined || !(await isBehindDisk(document))) {
    return;
  }
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, RELOAD_MS);
    const look = async (): Promise<void> => {
      if (!(await isBehindDisk(document))) {
        done();
      }
    };
    const listener = vscode.workspace.onDidChangeTextDocument(() => void look());
    // It may have been taken up while nobody listened.
    void look();
  });
}
