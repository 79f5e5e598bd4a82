import * as vscode from 'vscode';
import type { ListedSession } from '../core/agent/agentSession';
import { DisposableStore, type IDisposable } from '../core/base/lifecycle';
import { groupSessions, type Grouping, type SessionGroup } from '../core/session/sessionGroups';
import type { Session } from '../core/session/session';
import type { Sessions } from '../core/session/sessions';
import type { UnseenOutcome, UnseenTurns } from '../core/session/unseenTurns';

/** Our sessions; below them, per agent, those that only the agent knows. */
export type SessionNode =
  | { readonly kind: 'session'; readonly sessionId: string; readonly session: Session }
  | { readonly kind: 'group'; readonly group: SessionGroup<Session> }
  | { readonly kind: 'agent'; readonly agentKey: string; readonly agentName: string }
  | { readonly kind: 'foreign'; readonly agentKey: string; readonly listed: ListedSession };

export interface SessionTreeOptions {
  readonly sessions: Pick<Sessions, 'all' | 'foreign' | 'onDidChange'>;
  readonly unseen: Pick<UnseenTurns, 'of' | 'onDidChange'>;
  readonly grouping: () => Grouping;
  /** Keys and names of the agents that run. */
  readonly runningAgents: () => readonly { readonly key: string; readonly name: string }[];
}

export class SessionTree extends DisposableStore implements vscode.TreeDataProvider<SessionNode> {
  private readonly changed = this.add(new vscode.EventEmitter<SessionNode | undefined>());
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly options: SessionTreeOptions) {
    super();
    this.add(options.sessions.onDidChange(() => this.changed.fire(undefined)));
    this.add(options.unseen.onDidChange(() => this.changed.fire(undefined)));
    this.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('parley.sessions')) {
          this.changed.fire(undefined);
        }
      }),
    );
  }

  getChildren(parent?: SessionNode): SessionNode[] {
    const { sessions } = this.options;
    if (parent?.kind === 'agent') {
      return sessions
        .foreign(parent.agentKey)
        .map((listed) => ({ kind: 'foreign', agentKey: parent.agentKey, listed }));
    }
    if (parent?.kind === 'group') {
      return parent.group.members.map(sessionNode);
    }
    if (parent !== undefined) {
      return [];
    }
    const ours =
      this.groups()?.map((group): SessionNode => ({ kind: 'group', group })) ??
      sessions.all().map(sessionNode);
    const agents = this.options
      .runningAgents()
      .filter(({ key }) => sessions.foreign(key).length > 0)
      .map(({ key, name }): SessionNode => ({ kind: 'agent', agentKey: key, agentName: name }));
    return [...ours, ...agents];
  }

  /** All of ours, in the order in which they are shown. */
  listed(): readonly Session[] {
    return this.groups()?.flatMap(({ members }) => members) ?? this.options.sessions.all();
  }

  private groups(): readonly SessionGroup<Session>[] | undefined {
    return groupSessions(this.options.sessions.all(), this.options.grouping());
  }

  getTreeItem(node: SessionNode): vscode.TreeItem {
    switch (node.kind) {
      case 'session':
        return sessionItem(node.session, this.options.unseen.of(node.sessionId));
      case 'group': {
        const item = new vscode.TreeItem(node.group.label, vscode.TreeItemCollapsibleState.Expanded);
        item.id = `group ${node.group.key}`;
        item.tooltip = node.group.key;
        item.contextValue = 'group';
        return item;
      }
      case 'agent': {
        const label = vscode.l10n.t('Other sessions of {0}', node.agentName);
        const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
        item.id = `agent ${node.agentKey}`;
        item.iconPath = new vscode.ThemeIcon('folder-library');
        item.contextValue = 'agent';
        item.tooltip = vscode.l10n.t('Known to the agent, not opened in Parley yet');
        return item;
      }
      case 'foreign':
        return foreignItem(node.agentKey, node.listed);
    }
  }
}

/** The chat may be hidden or never opened: the activity bar is always in sight. */
export function showWaiting(sessions: Sessions, view: vscode.TreeView<SessionNode>): IDisposable {
  return sessions.onDidChange(() => {
    const value = sessions.all().filter((session) => session.isWaiting).length;
    if (value !== (view.badge?.value ?? 0)) {
      view.badge = value === 0 ? undefined : { value, tooltip: vscode.l10n.t('{0} waiting for you', value) };
    }
  });
}

function sessionNode(session: Session): SessionNode {
  return { kind: 'session', sessionId: session.id, session };
}

function sessionItem(session: Session, unseen: UnseenOutcome | undefined): vscode.TreeItem {
  const { record } = session;
  const item = new vscode.TreeItem(session.title);
  item.id = record.sessionId;
  const mark = markWords(session, unseen);
  item.description = mark === undefined ? record.agentName : `${record.agentName} · ${mark}`;
  item.accessibilityInformation = {
    label: `${session.title}, ${record.agentName}, ${mark ?? record.status}`,
  };
  item.iconPath = statusIcon(session, unseen);
  item.contextValue = ['session', record.status, session.isRunning ? 'running' : '']
    .filter((part) => part !== '')
    .join('.');
  item.tooltip = [session.title, record.agentName, record.workdir, record.statusReason ?? record.status].join(
    '\n',
  );
  item.command = {
    command: 'parley.openSession',
    title: vscode.l10n.t('Open Session'),
    arguments: [{ sessionId: record.sessionId }],
  };
  return item;
}

function foreignItem(agentKey: string, listed: ListedSession): vscode.TreeItem {
  const item = new vscode.TreeItem(listed.title ?? listed.agentSessionId);
  item.id = `foreign ${agentKey} ${listed.agentSessionId}`;
  item.description =
    listed.updatedAt === undefined ? undefined : new Date(listed.updatedAt).toLocaleDateString();
  item.iconPath = new vscode.ThemeIcon('cloud-download');
  item.contextValue = 'foreign';
  item.command = {
    command: 'parley.openSession',
    title: vscode.l10n.t('Open Session'),
    arguments: [{ agentKey, agentSessionId: listed.agentSessionId }],
  };
  return item;
}

function markWords(session: Session, unseen: UnseenOutcome | undefined): string | undefined {
  if (session.isWaiting) {
    return vscode.l10n.t('waits for you');
  }
  if (session.isRunning) {
    return vscode.l10n.t('running');
  }
  if (unseen === undefined) {
    return undefined;
  }
  return unseen === 'done' ? vscode.l10n.t('done') : vscode.l10n.t('failed');
}

function statusIcon(session: Session, unseen: UnseenOutcome | undefined): vscode.ThemeIcon {
  if (session.isWaiting) {
    return new vscode.ThemeIcon('bell-dot', new vscode.ThemeColor('list.warningForeground'));
  }
  if (session.isRunning) {
    return new vscode.ThemeIcon('loading~spin');
  }
  if (unseen !== undefined) {
    return unseen === 'done'
      ? new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('textLink.foreground'))
      : new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  }
  switch (session.record.status) {
    case 'active':
    case 'idle':
      return new vscode.ThemeIcon('comment-discussion');
    case 'disconnected':
      return new vscode.ThemeIcon('debug-disconnect');
    case 'error':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'closed':
      return new vscode.ThemeIcon('archive');
  }
}
