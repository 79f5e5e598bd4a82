import * as vscode from 'vscode';
import type { Changes, Hunk, PendingFile } from '../../core/changes/model';
import type { HunkPlaces } from './hunkPlaces';

/** From change to change, through all files in the order of the view, and round again. */
export async function goToChange(changes: Changes, places: HunkPlaces, direction: 1 | -1): Promise<void> {
  const files = changes
    .pending()
    .filter(({ kind, isBinary }) => kind !== 'deleted' && !isBinary)
    .toSorted((a, b) => a.path.localeCompare(b.path));
  const editor = vscode.window.activeTextEditor;
  const current = files.findIndex(({ path }) => path === editor?.document.uri.fsPath);
  if (editor !== undefined && current >= 0) {
    const at = editor.selection.active.line;
    const starts = places.of(editor.document).map(({ start }) => start);
    const next = direction > 0 ? starts.find((start) => start > at) : starts.findLast((start) => start < at);
    if (next !== undefined) {
      reveal(editor, next);
      return;
    }
  }
  const file = files.at(nextIndex(current, files.length, direction));
  if (file !== undefined) {
    const shown = await vscode.window.showTextDocument(vscode.Uri.file(file.path), { preview: true });
    reveal(shown, lineOf(file, places.of(shown.document), direction));
  }
}

/** The hunk that the cursor is in, or on the line of. */
export function hunkAtCursor(places: HunkPlaces): { readonly path: string; readonly hunk: Hunk } | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return undefined;
  }
  const { line } = editor.selection.active;
  const last = editor.document.lineCount - 1;
  const found = places
    .of(editor.document)
    .find(
      ({ start, end }) => line >= Math.min(start, last) && line < Math.max(end, Math.min(start, last) + 1),
    );
  return found === undefined ? undefined : { path: editor.document.uri.fsPath, hunk: found.hunk };
}

function nextIndex(current: number, count: number, direction: 1 | -1): number {
  if (current < 0) {
    return direction > 0 ? 0 : -1;
  }
  return (current + direction) % count;
}

function lineOf(
  { hunks }: PendingFile,
  places: readonly { readonly start: number }[],
  direction: 1 | -1,
): number {
  const place = direction > 0 ? places[0] : places.at(-1);
  const hunk = direction > 0 ? hunks[0] : hunks.at(-1);
  return place?.start ?? hunk?.nowStart ?? 0;
}

function reveal(editor: vscode.TextEditor, line: number): void {
  const position = new vscode.Position(Math.min(line, editor.document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(
    new vscode.Range(position, position),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}
