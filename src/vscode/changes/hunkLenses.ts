import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { HunkPlaces } from './hunkPlaces';

/** Keep and Undo above each hunk; above the file when it can only be kept or undone as a whole. */
export class HunkLenses extends DisposableStore implements vscode.CodeLensProvider {
  private readonly changed = this.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly places: HunkPlaces,
    private readonly isEnabled: () => boolean,
  ) {
    super();
    this.add(places.onDidChange(() => this.changed.fire()));
    this.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('parley.changes.codeLens')) {
          this.changed.fire();
        }
      }),
    );
    this.add(vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const file = this.places.fileOf(document);
    if (file === undefined || !this.isEnabled()) {
      return [];
    }
    const { path } = file;
    if (file.isWhole) {
      return [
        lens(0, vscode.l10n.t('Keep file'), 'parley.keepFileChanges', { path }),
        lens(0, vscode.l10n.t('Undo file'), 'parley.undoFileChanges', { path }),
      ];
    }
    return this.places.of(document).flatMap(({ hunk, start }) => {
      const line = Math.min(start, document.lineCount - 1);
      const argument = { path, hunkId: hunk.id };
      return [
        lens(line, vscode.l10n.t('Keep'), 'parley.keepHunk', argument),
        lens(line, vscode.l10n.t('Undo'), 'parley.undoHunk', argument),
      ];
    });
  }
}

function lens(line: number, title: string, command: string, argument: object): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), { title, command, arguments: [argument] });
}
