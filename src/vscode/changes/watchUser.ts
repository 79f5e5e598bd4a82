import * as vscode from 'vscode';
import { asError } from '../../core/base/errors';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Logger } from '../../core/base/log';
import type { Changes } from '../../core/changes/model';
import { runGit } from '../../core/git/runGit';

/** A commit may write several files in the git folder, and other programs many files at once. */
const SETTLED_MS = 300;
/** Agents may say only after a moment that they have begun to write. */
const NOTICED_MS = 1500;
const MAX_PATH_BYTES = 10_000;

export interface WatchUserOptions {
  readonly changes: Changes;
  /** What happens to the file is an agent's, or ours for a review, and no deed of the user. */
  readonly isAgentWriting: (path: string) => boolean;
  readonly log: Logger;
}

/** Tells the changes what the user does to files: saves, renames and the like in the editor, commits, and the rest. */
export class WatchUser extends DisposableStore {
  private timer: NodeJS.Timeout | undefined;
  private noticeTimer: NodeJS.Timeout | undefined;
  /** What was noticed since the timer began, and before. */
  private noticed = new Set<string>();
  private settled: readonly string[] = [];

  constructor(private readonly options: WatchUserOptions) {
    super();
    this.watchSaves();
    this.watchFiles();
    this.watchDisk();
    this.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) {
          this.refresh();
        }
      }),
    );
    const watched = (folders: readonly vscode.WorkspaceFolder[]): void =>
      folders.forEach(({ uri }) => void this.watchCommits(uri.fsPath));
    watched(vscode.workspace.workspaceFolders ?? []);
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(({ added }) => watched(added)));
    this.add({
      dispose: () => {
        clearTimeout(this.timer);
        clearTimeout(this.noticeTimer);
      },
    });
  }

  private watchSaves(): void {
    const { workspace } = vscode;
    this.add(workspace.onWillSaveTextDocument((event) => this.before(event, [event.document.uri])));
    this.add(workspace.onDidSaveTextDocument(({ uri }) => this.after([uri])));
    this.add(workspace.onWillSaveNotebookDocument((event) => this.before(event, [event.notebook.uri])));
    this.add(workspace.onDidSaveNotebookDocument(({ uri }) => this.after([uri])));
  }

  private watchFiles(): void {
    const { workspace } = vscode;
    const bothEnds = (files: readonly { oldUri: vscode.Uri; newUri: vscode.Uri }[]): readonly vscode.Uri[] =>
      files.flatMap(({ oldUri, newUri }) => [oldUri, newUri]);
    this.add(workspace.onWillCreateFiles((event) => this.before(event, event.files)));
    this.add(workspace.onDidCreateFiles(({ files }) => this.after(files)));
    this.add(workspace.onWillDeleteFiles((event) => this.before(event, event.files)));
    this.add(workspace.onDidDeleteFiles(({ files }) => this.after(files)));
    this.add(workspace.onWillRenameFiles((event) => this.before(event, bothEnds(event.files))));
    this.add(workspace.onDidRenameFiles(({ files }) => this.after(bothEnds(files))));
  }

  /** Files may also be written by other programs while the window has the focus. */
  private watchDisk(): void {
    // Only listens to what VS Code watches for itself.
    const watcher = this.add(vscode.workspace.createFileSystemWatcher('**/*'));
    const look = ({ fsPath }: vscode.Uri): void => {
      const { changes, isAgentWriting } = this.options;
      if (isAgentWriting(fsPath)) {
        return;
      }
      if (changes.pending().some(({ path }) => path === fsPath)) {
        this.refreshSoon();
      }
      this.noticed.add(fsPath);
      this.noticeTimer ??= setTimeout(() => this.tellNoticed(), NOTICED_MS);
    };
    this.add(watcher.onDidChange(look));
    this.add(watcher.onDidCreate(look));
    this.add(watcher.onDidDelete(look));
  }

  private before(event: { waitUntil(thenable: Thenable<void>): void }, uris: readonly vscode.Uri[]): void {
    const paths = this.pathsOfUser(uris);
    if (paths.length > 0) {
      event.waitUntil(this.tell(this.options.changes.userWillChange(paths)));
    }
  }

  private after(uris: readonly vscode.Uri[]): void {
    const paths = this.pathsOfUser(uris);
    if (paths.length > 0) {
      void this.tell(this.options.changes.userDidChange(paths));
    }
  }

  private pathsOfUser(uris: readonly vscode.Uri[]): readonly string[] {
    return uris
      .filter(({ scheme }) => scheme === 'file')
      .map(({ fsPath }) => fsPath)
      .filter((path) => !this.options.isAgentWriting(path));
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
    watcher.onDidChange(() => this.refreshSoon());
    watcher.onDidCreate(() => this.refreshSoon());
  }

  private tellNoticed(): void {
    const paths = this.settled;
    this.settled = [...this.noticed];
    this.noticed = new Set();
    this.noticeTimer = this.settled.length > 0 ? setTimeout(() => this.tellNoticed(), NOTICED_MS) : undefined;
    if (paths.length > 0) {
      void this.tell(this.options.changes.filesChanged(paths));
    }
  }

  private refreshSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.refresh();
    }, SETTLED_MS);
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
