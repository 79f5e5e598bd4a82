import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { ChangeKind, Changes, PendingFile, Tracking } from '../../core/changes/model';
import type { Sessions } from '../../core/session/sessions';
import { assertNever } from '../../shared/assertNever';
import { namesOf } from './changeReview';

/** Of its own, so that the letters are shown here and not in the Explorer too. */
const SCHEME = 'parley-change';

/** Also the argument of the commands in the menus. */
export type ChangeNode =
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'file'; readonly sessionId: string | undefined; readonly path: string };

/** What agents changed, per session; with one session only, its files. */
export class ChangesView extends DisposableStore implements vscode.TreeDataProvider<ChangeNode> {
  private readonly changed = this.add(new vscode.EventEmitter<ChangeNode | undefined>());
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly changes: Changes,
    private readonly sessions: Pick<Sessions, 'get' | 'onDidChange'>,
    private readonly view: Pick<vscode.TreeView<ChangeNode>, 'message' | 'badge'>,
  ) {
    super();
    const letters = this.add(new ChangeLetters(changes));
    this.add(vscode.window.registerFileDecorationProvider(letters));
    this.add(changes.onDidChange(() => this.update()));
    this.add(
      sessions.onDidChange(() => {
        // Only titles are shown of them.
        if (this.sessionIds().length > 1) {
          this.changed.fire(undefined);
        }
      }),
    );
    this.update();
  }

  getChildren(parent?: ChangeNode): ChangeNode[] {
    if (parent?.kind === 'file') {
      return [];
    }
    const ids = this.sessionIds();
    if (parent === undefined && ids.length > 1) {
      return ids.map((sessionId) => ({ kind: 'session', sessionId }));
    }
    const sessionId = parent?.sessionId ?? ids[0];
    return this.changes
      .pending(sessionId)
      .toSorted((a, b) => a.path.localeCompare(b.path))
      .map((file) => ({ kind: 'file', sessionId, path: file.path }));
  }

  getTreeItem(node: ChangeNode): vscode.TreeItem {
    if (node.kind === 'session') {
      return this.sessionItem(node.sessionId);
    }
    const file = this.changes.pending(node.sessionId).find((pending) => pending.path === node.path);
    return file === undefined ? new vscode.TreeItem(path.basename(node.path)) : fileItem(node, file);
  }

  private sessionItem(sessionId: string): vscode.TreeItem {
    const files = this.changes.pending(sessionId);
    const session = this.sessions.get(sessionId);
    const label = session?.title ?? vscode.l10n.t('A deleted session');
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
    item.id = sessionId;
    item.description =
      files.length === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files.length);
    item.iconPath = new vscode.ThemeIcon('comment-discussion');
    item.contextValue = 'session';
    item.tooltip = session === undefined ? label : `${label}\n${session.record.agentName}`;
    return item;
  }

  private sessionIds(): readonly string[] {
    return [...new Set(this.changes.pending().flatMap(({ sessionIds }) => sessionIds))];
  }

  private update(): void {
    this.view.message = messageOf(this.changes.tracking);
    this.changed.fire(undefined);
  }
}

/** What the list may lack. */
function messageOf(tracking: Tracking): string | undefined {
  switch (tracking.kind) {
    case 'full':
      return undefined;
    case 'partly':
      return vscode.l10n.t('Changed too, but cannot be shown or undone: {0}', namesOf(tracking.paths));
    case 'writesOnly': {
      const { folder, reason } = tracking;
      return (vscode.workspace.workspaceFolders ?? []).length > 1
        ? vscode.l10n.t('In {0}, only edits that agents report are seen: {1}', path.basename(folder), reason)
        : vscode.l10n.t('Only edits that agents report are seen: {0}', reason);
    }
    default:
      return assertNever(tracking);
  }
}

function fileItem(node: ChangeNode, file: PendingFile): vscode.TreeItem {
  const item = new vscode.TreeItem(path.basename(file.path));
  item.id = `${node.sessionId ?? ''} ${file.path}`;
  item.resourceUri = vscode.Uri.file(file.path).with({ scheme: SCHEME });
  item.iconPath = vscode.ThemeIcon.File;
  const folder = path.relative(file.folder, path.dirname(file.path));
  const counts = countsOf(file);
  item.description = [folder, counts].filter((part) => part !== '').join(' · ');
  item.tooltip = [
    file.path,
    `${kindWords(file)}${counts === '' ? '' : ` · ${counts}`}`,
    ...noteOf(file),
  ].join('\n');
  item.accessibilityInformation = {
    label: `${path.basename(file.path)}, ${kindWords(file)}, ${spokenCounts(file)}, ${folder}`,
  };
  item.contextValue = 'file';
  item.command = {
    command: 'parley.openChange',
    title: vscode.l10n.t('Open Changes'),
    arguments: [node],
  };
  return item;
}

function countsOf({ added, removed, isBinary }: PendingFile): string {
  const counts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])];
  return isBinary ? '' : counts.join(' ');
}

function spokenCounts({ added, removed }: PendingFile): string {
  return vscode.l10n.t('{0} lines added, {1} removed', added, removed);
}

function kindWords({ kind, previousPath, isBinary }: PendingFile): string {
  const words: Readonly<Record<ChangeKind, string>> = {
    created: vscode.l10n.t('Created'),
    edited: isBinary ? vscode.l10n.t('Edited, not a text') : vscode.l10n.t('Edited'),
    deleted: vscode.l10n.t('Deleted'),
    renamed: vscode.l10n.t('Renamed from {0}', path.basename(previousPath ?? '')),
  };
  return words[kind];
}

function noteOf({ isMixed }: PendingFile): readonly string[] {
  return isMixed ? [vscode.l10n.t('You have edited in the same places')] : [];
}

const letters: Readonly<Record<ChangeKind, readonly [string, string]>> = {
  created: ['A', 'gitDecoration.addedResourceForeground'],
  edited: ['M', 'gitDecoration.modifiedResourceForeground'],
  deleted: ['D', 'gitDecoration.deletedResourceForeground'],
  renamed: ['R', 'gitDecoration.renamedResourceForeground'],
};

class ChangeLetters extends DisposableStore implements vscode.FileDecorationProvider {
  private readonly changed = this.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(private readonly changes: Changes) {
    super();
    this.add(changes.onDidChange(() => this.changed.fire(undefined)));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== SCHEME) {
      return undefined;
    }
    const { fsPath } = uri.with({ scheme: 'file' });
    const file = this.changes.pending().find((pending) => pending.path === fsPath);
    if (file === undefined) {
      return undefined;
    }
    const [letter, color] = letters[file.kind];
    return new vscode.FileDecoration(letter, kindWords(file), new vscode.ThemeColor(color));
  }
}
