import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { HunkPlace, HunkPlaces } from './hunkPlaces';

const HOVER_LINES = 30;

/** Colours the lines that agents wrote, and draws a line where they took some away. */
export class HunkMarks extends DisposableStore {
  private readonly written = this.add(
    vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
      overviewRulerLane: vscode.OverviewRulerLane.Left,
      borderWidth: '0 0 0 3px',
      borderStyle: 'solid',
      borderColor: new vscode.ThemeColor('editorGutter.addedBackground'),
    }),
  );
  private readonly removed = this.add(removedMark('1px 0 0 0'));
  private readonly removedAtEnd = this.add(removedMark('0 0 1px 0'));

  constructor(private readonly places: HunkPlaces) {
    super();
    this.add(places.onDidChange(() => this.markAll()));
    this.add(vscode.window.onDidChangeVisibleTextEditors(() => this.markAll()));
    this.markAll();
  }

  private markAll(): void {
    vscode.window.visibleTextEditors.forEach((editor) => this.mark(editor));
  }

  private mark(editor: vscode.TextEditor): void {
    const { document } = editor;
    if (document.uri.scheme !== 'file') {
      return;
    }
    const places = this.places.of(document);
    const removals = places.filter(({ start, end }) => start === end);
    const isAtEnd = ({ start }: HunkPlace): boolean => start >= document.lineCount;
    editor.setDecorations(
      this.written,
      places
        .filter(({ start, end }) => end > start)
        .map((place) => ({
          range: new vscode.Range(place.start, 0, place.end - 1, Number.MAX_SAFE_INTEGER),
          ...hoverOf(place, document),
        })),
    );
    editor.setDecorations(
      this.removed,
      removals.filter((place) => !isAtEnd(place)).map((place) => lineMark(place, place.start, document)),
    );
    editor.setDecorations(
      this.removedAtEnd,
      removals.filter(isAtEnd).map((place) => lineMark(place, document.lineCount - 1, document)),
    );
  }
}

function removedMark(borderWidth: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth,
    borderStyle: 'solid',
    borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

function lineMark(place: HunkPlace, line: number, document: vscode.TextDocument): vscode.DecorationOptions {
  return { range: new vscode.Range(line, 0, line, 0), ...hoverOf(place, document) };
}

/** The lines that are gone. */
function hoverOf(
  { hunk }: HunkPlace,
  { languageId }: vscode.TextDocument,
): { hoverMessage?: vscode.MarkdownString } {
  if (hunk.before.length === 0) {
    return {};
  }
  const hoverMessage = new vscode.MarkdownString(vscode.l10n.t('Before the agent’s change:'));
  hoverMessage.appendCodeblock(hunk.before.slice(0, HOVER_LINES).join(''), languageId);
  const more = hunk.before.length - HOVER_LINES;
  if (more > 0) {
    hoverMessage.appendText(vscode.l10n.t('and {0} more lines', more));
  }
  return { hoverMessage };
}
