import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Changes } from '../../core/changes/model';
import { contextKeys } from '../contributions';

/** Read on activation: with it, the rest is loaded at once, so that editors have their marks. */
export const PENDING_KEY = 'parley.hasPendingChanges';

/** Tells menus and keys which files have changes, and the next start whether there are any. */
export class ChangeContext extends DisposableStore {
  private told = '';

  constructor(
    private readonly changes: Changes,
    private readonly memento: vscode.Memento,
  ) {
    super();
    this.add(changes.onDidChange(() => this.update()));
    this.update();
  }

  private update(): void {
    const paths = this.changes.pending().map(({ path }) => path);
    const canUndoReview = this.changes.lastReview !== undefined;
    const now = JSON.stringify([paths, canUndoReview]);
    if (now === this.told) {
      return;
    }
    this.told = now;
    const set = (key: string, value: unknown): void =>
      void vscode.commands.executeCommand('setContext', key, value);
    set(contextKeys.hasChanges, paths.length > 0);
    set(contextKeys.changedFiles, paths);
    set(contextKeys.canUndoReview, canUndoReview);
    if ((this.memento.get(PENDING_KEY) === true) !== paths.length > 0) {
      void this.memento.update(PENDING_KEY, paths.length > 0);
    }
  }
}
