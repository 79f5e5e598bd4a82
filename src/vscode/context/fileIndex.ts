import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../../core/base/lifecycle';
import { runGit } from '../../core/git/runGit';
import { excludedBy } from '../../core/files/globs';
import { PathSearch } from '../../core/context/pathSearch';

const MAX_FILES = 100_000;
const MAX_LIST_BYTES = 32_000_000;
const REBUILD_MS = 1000;

export interface WorkspaceIndex {
  /** By their paths as the workspace shows them. */
  readonly files: PathSearch;
  readonly folders: PathSearch;
  /** Whether any folder is under git. */
  readonly hasGit: boolean;
  uriOf(shown: string): vscode.Uri | undefined;
}

/**
 * The files of the workspace without what is excluded or ignored. Listed when first asked for; after that kept
 * fresh in the background, so that a keystroke never waits for a listing again.
 */
export class FileIndex extends DisposableStore {
  private index: Promise<WorkspaceIndex> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    super();
    this.add(toDisposable(() => clearTimeout(this.timer)));
  }

  get(): Promise<WorkspaceIndex> {
    if (this.index === undefined) {
      this.watch();
      this.index = build();
    }
    return this.index;
  }

  private watch(): void {
    const watcher = this.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    this.add(watcher.onDidCreate((uri) => this.fileChanged(uri)));
    this.add(watcher.onDidDelete((uri) => this.fileChanged(uri)));
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.rebuildSoon()));
    this.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('files.exclude') || event.affectsConfiguration('search.exclude')) {
          this.rebuildSoon();
        }
      }),
    );
  }

  private fileChanged(uri: vscode.Uri): void {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder !== undefined && !isExcludedIn(folder)(relativeTo(folder, uri))) {
      this.rebuildSoon();
    }
  }

  private rebuildSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const next = build();
      // The old one answers until the new one is there.
      void next.then(() => {
        this.index = next;
      });
    }, REBUILD_MS);
  }
}

async function build(): Promise<WorkspaceIndex> {
  const workspaceFolders = vscode.workspace.workspaceFolders ?? [];
  const lists = await Promise.all(workspaceFolders.map(listFiles));
  const uris = new Map<string, vscode.Uri>();
  const folders = new Set<string>();
  const files: string[] = [];
  workspaceFolders.forEach((folder, at) => {
    const prefix = workspaceFolders.length > 1 ? `${folder.name}/` : '';
    for (const relative of lists[at]?.paths ?? []) {
      const shown = prefix + relative;
      files.push(shown);
      uris.set(shown, vscode.Uri.joinPath(folder.uri, relative));
      for (let slash = relative.lastIndexOf('/'); slash > 0; slash = relative.lastIndexOf('/', slash - 1)) {
        const parent = prefix + relative.slice(0, slash);
        if (folders.has(parent)) {
          break;
        }
        folders.add(parent);
        uris.set(parent, vscode.Uri.joinPath(folder.uri, relative.slice(0, slash)));
      }
    }
  });
  return {
    files: new PathSearch(files),
    folders: new PathSearch([...folders]),
    hasGit: lists.some((list) => list.isGit),
    uriOf: (shown) => uris.get(shown),
  };
}

/** Git knows what is ignored, and is faster; without it, the editor's own search. */
async function listFiles(
  folder: vscode.WorkspaceFolder,
): Promise<{ readonly paths: readonly string[]; readonly isGit: boolean }> {
  const isExcluded = isExcludedIn(folder);
  const listed = folder.uri.scheme === 'file' ? await listWithGit(folder.uri.fsPath) : undefined;
  if (listed !== undefined) {
    return { paths: listed.filter((path) => !isExcluded(path)).slice(0, MAX_FILES), isGit: true };
  }
  const everything = new vscode.RelativePattern(folder, '**/*');
  const patterns = exclusions(folder);
  const exclude = patterns.length === 0 ? undefined : `{${patterns.join(',')}}`;
  const found = await vscode.workspace.findFiles(everything, exclude, MAX_FILES);
  const paths = found.map((uri) => relativeTo(folder, uri)).filter((path) => !isExcluded(path));
  return { paths, isGit: false };
}

async function listWithGit(folder: string): Promise<readonly string[] | undefined> {
  const [known, deleted] = await Promise.all([
    runGit(folder, ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], MAX_LIST_BYTES),
    runGit(folder, ['ls-files', '--deleted', '-z'], MAX_LIST_BYTES),
  ]);
  if (known.kind === 'failed') {
    return undefined;
  }
  const gone = new Set(deleted.kind === 'done' ? deleted.text.split('\0') : []);
  // A file in conflict is listed once for each side.
  return [...new Set(known.text.split('\0'))].filter((path) => path !== '' && !gone.has(path));
}

function isExcludedIn(folder: vscode.WorkspaceFolder): (path: string) => boolean {
  return excludedBy(['**/.git', ...exclusions(folder)]);
}

function exclusions(folder: vscode.WorkspaceFolder): readonly string[] {
  return ['files.exclude', 'search.exclude'].flatMap((section) => {
    const patterns = vscode.workspace
      .getConfiguration(undefined, folder)
      .get<Record<string, unknown>>(section);
    return Object.entries(patterns ?? {}).flatMap(([pattern, isOn]) => (isOn === true ? [pattern] : []));
  });
}

function relativeTo(folder: vscode.WorkspaceFolder, uri: vscode.Uri): string {
  return uri.path.slice(folder.uri.path.length).replace(/^\/+/, '');
}
