import * as vscode from 'vscode';
import type { ListedSession } from '../core/agent/agentSession';
import { DisposableStore } from '../core/base/lifecycle';
import type { Session } from '../core/session/session';
import type { Sessions } from '../core/session/sessions';

/** Our sessions; below them, per agent, those that only the agent knows. */
export type SessionNode =
  | { readonly kind: 'session'; readonly sessionId: string; readonly session: Session }
  | { readonly kind: 'agent'; readonly agentKey: string; readonly agentName: string }
  | { readonly kind: 'foreign'; readonly agentKey: string; readonly listed: ListedSession };

export interface SessionTreeOptions {
  readonly sessions: Sessions;
  /** Keys and names of the agents that run. */
  readonly runningAgents: () => readonly { readonly key: string; readonly name: string }[];
}

export class SessionTree extends DisposableStore implements vscode.TreeDataProvider<SessionNode> {
  private readonly changed = this.add(new vscode.EventEmitter<SessionNode | undefined>());
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly options: SessionTreeOptions) {
    super();
    this.add(options.sessions.onDidChange(() => this.changed.fire(undefined)));
  }

  getChildren(parent?: SessionNode): SessionNode[] {
    const { sessions } = this.options;
    if (parent?.kind === 'agent') {
      return sessions
        .foreign(parent.agentKey)
        .map((listed) => ({ kind: 'foreign', agentKey: parent.agentKey, listed }));
    }
    if (parent !== undefined) {
      return [];
    }
    const ours = sessions
      .all()
      .map((session): SessionNode => ({ kind: 'session', sessionId: session.id, session }));
    const agents = this.options
      .runningAgents()
      .filter(({ key }) => sessions.foreign(key).length > 0)
      .map(({ key, name }): SessionNode => ({ kind: 'agent', agentKey: key, agentName: name }));
    return [...ours, ...agents];
  }

  getTreeItem(node: SessionNode): vscode.TreeItem {
    switch (node.kind) {
      case 'session':
        return sessionItem(node.session);
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

function sessionItem(session: Session): vscode.TreeItem {
  const { record } = session;
  const item = new vscode.TreeItem(session.title);
  item.id = record.sessionId;
  item.description = record.agentName;
  item.iconPath = statusIcon(session);
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

function statusIcon(session: Session): vscode.ThemeIcon {
  if (session.isWaiting) {
    return new vscode.ThemeIcon('bell-dot', new vscode.ThemeColor('list.warningForeground'));
  }
  if (session.isRunning) {
    return new vscode.ThemeIcon('loading~spin');
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
