import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Changes, Hunk, PendingFile } from '../../core/changes/model';

const SETTLED_MS = 50;

/** Where a hunk is in a document: lines `start` to before `end`; none when it only removed something. */
export interface HunkPlace {
  readonly hunk: Hunk;
  readonly start: number;
  readonly end: number;
}

/**
 * Hunks are about what is saved. While a document has edits that are not, the places move along with them; hunks
 * that come meanwhile are shown once it is saved, because until then nobody can say where they are.
 */
export class HunkPlaces extends DisposableStore {
  private readonly places = new Map<string, readonly HunkPlace[]>();
  private readonly changed = this.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly changes: Changes) {
    super();
    this.add(changes.onDidChange(() => this.takeAll()));
    this.add(vscode.workspace.onDidOpenTextDocument((document) => this.take(document)));
    this.add(vscode.workspace.onDidSaveTextDocument((document) => this.take(document)));
    this.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.places.delete(uri.toString());
      }),
    );
    this.add(vscode.workspace.onDidChangeTextDocument((event) => this.move(event)));
    this.takeAll();
  }

  of(document: vscode.TextDocument): readonly HunkPlace[] {
    return this.places.get(document.uri.toString()) ?? [];
  }

  fileOf({ uri }: vscode.TextDocument): PendingFile | undefined {
    return uri.scheme === 'file' ? this.changes.pending().find(({ path }) => path === uri.fsPath) : undefined;
  }

  private takeAll(): void {
    for (const document of vscode.workspace.textDocuments) {
      this.take(document, false);
    }
    this.changed.fire();
  }

  private take(document: vscode.TextDocument, isTold = true): void {
    if (document.uri.scheme !== 'file') {
      return;
    }
    const key = document.uri.toString();
    const hunks = this.fileOf(document)?.hunks ?? [];
    const known = this.of(document);
    const fresh = hunks.map((hunk) => ({
      hunk,
      start: hunk.nowStart,
      end: hunk.nowStart + hunk.now.length,
    }));
    const places = document.isDirty
      ? fresh.flatMap(({ hunk }) => {
          const place = known.find((other) => other.hunk.id === hunk.id);
          return place === undefined ? [] : [{ ...place, hunk }];
        })
      : fresh;
    if (places.length === 0 && known.length === 0) {
      return;
    }
    this.places.set(key, places);
    if (isTold) {
      this.changed.fire();
    }
  }

  private move({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const places = this.of(document);
    if (contentChanges.length === 0 || places.length === 0) {
      return;
    }
    this.places.set(document.uri.toString(), contentChanges.reduce(movedBy, places));
    this.changed.fire();
    // Whether somebody typed or the editor took up what is on the disk is told only after the change.
    const timer = setTimeout(() => {
      if (!document.isDirty && !this.isDisposed) {
        this.take(document);
      }
    }, SETTLED_MS);
    timer.unref();
  }
}

/** Changes of one event come from the end of the document to its start, so that none moves another. */
function movedBy(
  places: readonly HunkPlace[],
  { range, text }: Pick<vscode.TextDocumentContentChangeEvent, 'range' | 'text'>,
): readonly HunkPlace[] {
  const grown = text.split('\n').length - 1 - (range.end.line - range.start.line);
  if (grown === 0) {
    return places;
  }
  return places.map((place) => {
    const isAbove =
      range.end.line < place.start ||
      (range.end.line === place.start && range.end.character === 0 && place.start > range.start.line);
    if (isAbove) {
      return { ...place, start: place.start + grown, end: place.end + grown };
    }
    const isBelow = range.start.line >= Math.max(place.end, place.start + 1);
    return isBelow ? place : { ...place, end: Math.max(place.start, place.end + grown) };
  });
}
