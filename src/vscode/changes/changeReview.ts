import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Changes, ChangeSelection, ReviewResult } from '../../core/changes/model';
import type { Sessions } from '../../core/session/sessions';
import type { ChangesSummary } from '../../shared/protocol';
import { withoutLinks } from '../withoutLinks';

const NAMED_FILES = 10;

/** The last keep or undo, as long as it can be offered to take it back. */
interface Reviewed {
  /** As it was done, file by file where it was forced. */
  readonly ids: readonly string[];
  readonly kind: 'kept' | 'undone';
  readonly sessionIds: readonly string[];
  readonly files: number;
  /** What was pending after it. */
  readonly left: string;
}

/** Keeps and undoes for the user: asks what has to be asked, and tells what could not be done. */
export class ChangeReview extends DisposableStore {
  private readonly changed = this.add(new vscode.EventEmitter<void>());
  /** What `summary` says is different. */
  readonly onDidChange = this.changed.event;
  private reviewed: Reviewed | undefined;

  constructor(
    private readonly changes: Changes,
    sessions: Pick<Sessions, 'onDidDispatch'>,
  ) {
    super();
    this.add(
      changes.onDidChange(() => {
        if (this.reviewed !== undefined && this.reviewed.left !== this.pendingKey()) {
          this.reviewed = undefined;
        }
        this.changed.fire();
      }),
    );
    this.add(
      sessions.onDidDispatch(({ event }) => {
        if (event.type === 'turnStarted' && this.reviewed !== undefined) {
          this.reviewed = undefined;
          this.changed.fire();
        }
      }),
    );
  }

  /** What the bar above the composer says of a session. */
  summary(sessionId: string): ChangesSummary {
    const files = this.changes.pending(sessionId);
    const { reviewed } = this;
    const isOffered =
      files.length === 0 &&
      reviewed?.ids.at(-1) === this.changes.lastReview &&
      reviewed?.sessionIds.includes(sessionId) === true;
    return {
      files: files.length,
      added: files.reduce((sum, { added }) => sum + added, 0),
      removed: files.reduce((sum, { removed }) => sum + removed, 0),
      reviewed: isOffered ? { kind: reviewed.kind, files: reviewed.files } : undefined,
    };
  }

  async keep(selection: ChangeSelection): Promise<ReviewResult> {
    const sessionIds = this.sessionsOf(selection);
    const result = await this.changes.keep(selection);
    this.remember('kept', sessionIds, [result]);
    return result;
  }

  /** Without confirmation nothing is shown but what could not be undone. */
  async undo(selection: ChangeSelection, { confirm }: { readonly confirm: boolean }): Promise<ReviewResult> {
    const files = this.filesOf(selection);
    if (confirm && files.length > 0 && !(await confirmUndo(files.length))) {
      return { id: undefined, files: [], conflicts: [] };
    }
    const sessionIds = this.sessionsOf(selection);
    const result = await this.changes.undo(selection);
    this.remember('undone', sessionIds, [result]);
    if (result.conflicts.length > 0) {
      // Not waited for: a caller that wants no questions gets the answer at once.
      void this.offerForce(selection, result.conflicts);
    }
    return result;
  }

  /** Takes back what `summary` offers to. */
  undoReviewed(): Promise<boolean> {
    return this.takeBack(this.reviewed?.ids.toReversed() ?? []);
  }

  /** Without an id the last keep, undo or restore. */
  undoReview(id?: string): Promise<boolean> {
    return this.takeBack([id]);
  }

  private async takeBack(ids: readonly (string | undefined)[]): Promise<boolean> {
    this.reviewed = undefined;
    let isDone = ids.length > 0;
    for (const id of ids) {
      isDone = (await this.changes.undoReview(id)) && isDone;
    }
    if (!isDone) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('There is nothing to take back, or the files have changed since.'),
      );
    }
    this.changed.fire();
    return isDone;
  }

  private async offerForce(selection: ChangeSelection, conflicts: readonly string[]): Promise<void> {
    const anyway = vscode.l10n.t('Undo anyway');
    const message = vscode.l10n.t(
      'Left as they are, because your own edits are in the same lines: {0}',
      namesOf(conflicts),
    );
    if ((await vscode.window.showWarningMessage(message, anyway)) !== anyway) {
      return;
    }
    const sessionIds = this.sessionsOf(selection);
    const results: ReviewResult[] = [];
    for (const file of conflicts) {
      results.push(await this.changes.undo({ ...selection, path: file }, { force: true }));
    }
    this.remember('undone', sessionIds, results);
  }

  private remember(
    kind: Reviewed['kind'],
    sessionIds: readonly string[],
    results: readonly ReviewResult[],
  ): void {
    const ids = results.flatMap(({ id }) => id ?? []);
    if (ids.length > 0) {
      const files = results.reduce((sum, result) => sum + result.files.length, 0);
      this.reviewed = { ids, kind, sessionIds, files, left: this.pendingKey() };
      this.changed.fire();
    }
  }

  private filesOf({ sessionId, path: file }: ChangeSelection): ReturnType<Changes['pending']> {
    return this.changes.pending(sessionId).filter((pending) => file === undefined || pending.path === file);
  }

  private sessionsOf(selection: ChangeSelection): readonly string[] {
    return [...new Set(this.filesOf(selection).flatMap(({ sessionIds }) => sessionIds))];
  }

  private pendingKey(): string {
    return JSON.stringify(
      this.changes.pending().map(({ path: file, added, removed }) => [file, added, removed]),
    );
  }
}

/** Names that fit into a message. */
export function namesOf(files: readonly string[]): string {
  const names = files.slice(0, NAMED_FILES).map((file) => path.basename(file));
  const more = files.length - names.length;
  return withoutLinks(
    more > 0 ? vscode.l10n.t('{0} and {1} more', names.join(', '), more) : names.join(', '),
  );
}

async function confirmUndo(count: number): Promise<boolean> {
  const undo = vscode.l10n.t('Undo');
  const answer = await vscode.window.showWarningMessage(
    count === 1
      ? vscode.l10n.t('Undo the agents’ changes in 1 file?')
      : vscode.l10n.t('Undo the agents’ changes in {0} files?', count),
    {
      modal: true,
      detail: vscode.l10n.t('Your own edits stay. “Undo Last Keep or Undo” brings the changes back.'),
    },
    undo,
  );
  return answer === undo;
}
