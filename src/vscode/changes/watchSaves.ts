import * as vscode from 'vscode';
import { asError } from '../../core/base/errors';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Logger } from '../../core/base/log';
import type { Changes } from '../../core/changes/model';
import { runGit } from '../../core/context/git';

/** A commit may write several files in the git folder. */
const COMMIT_MS = 300;
const MAX_PATH_BYTES = 10_000;

export interface WatchSavesOptions {
  readonly changes: Changes;
  /** The save is an agent's, or ours for a review, and no deed of the user. */
  readonly isAgentWriting: (path: string) => boolean;
  readonly log: Logger;
}

/** Tells the changes what the user does to files: saves in the editor, commits, and anything while away. */
export class WatchSaves extends DisposableStore {
  private readonly saving = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: WatchSavesOptions) {
    super();
    const { changes, isAgentWriting } = options;
    this.add(
      vscode.workspace.onWillSaveTextDocument((event) => {
        const { uri } = event.document;
        if (uri.scheme === 'file' && !isAgentWriting(uri.fsPath)) {
          this.saving.add(uri.fsPath);
          event.waitUntil(this.tell(changes.userWillSave(uri.fsPath)));
        }
      }),
    );
    this.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.saving.delete(uri.fsPath)) {
          void this.tell(changes.userDidSave(uri.fsPath));
        }
      }),
    );
    this.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) {
          this.refresh();
        }
      }),
    );
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      void this.watchCommits(folder.uri.fsPath);
    }
    this.add({ dispose: () => clearTimeout(this.timer) });
  }

  /** Every commit, reset and checkout adds a line to this file. */
  private async watchCommits(folder: string): Promise<void> {
    // In a worktree it is not where one would think.
    const found = await runGit(folder, ['rev-parse', '--absolute-git-dir'], MAX_PATH_BYTES);
    if (found.kind === 'failed') {
      return;
    }
    const pattern = new vscode.RelativePattern(vscode.Uri.file(found.text.trim()), 'logs/HEAD');
    const watcher = this.add(vscode.workspace.createFileSystemWatcher(pattern));
    const soon = (): void => {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.refresh();
      }, COMMIT_MS);
    };
    watcher.onDidChange(soon);
    watcher.onDidCreate(soon);
  }

  private refresh(): void {
    const { changes } = this.options;
    if (changes.pending().length > 0) {
      void this.tell(changes.refresh());
    }
  }

  private async tell(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.options.log.warn(`A change of the user was not seen: ${asError(error).message}`);
    }
  }
}
