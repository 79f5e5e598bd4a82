import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/lifecycle';
import type { Session } from '../core/session/session';
import type { Sessions } from '../core/session/sessions';

/** The sessions of this workspace, latest first. */
export class SessionTree extends DisposableStore implements vscode.TreeDataProvider<Session> {
  private readonly changed = this.add(new vscode.EventEmitter<Session | undefined>());
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly sessions: Sessions) {
    super();
    this.add(sessions.onDidChange(() => this.changed.fire(undefined)));
  }

  getChildren(parent?: Session): readonly Session[] & vscode.ProviderResult<Session[]> {
    return parent === undefined ? [...this.sessions.all()] : [];
  }

  getTreeItem(session: Session): vscode.TreeItem {
    const { record } = session;
    const item = new vscode.TreeItem(session.title);
    item.id = record.sessionId;
    item.description = record.agentName;
    item.iconPath = statusIcon(session);
    item.contextValue = `session.${record.status}${session.isRunning ? '.running' : ''}`;
    item.tooltip = [session.title, record.agentName, record.workdir, record.statusReason ?? record.status]
      .filter((line) => line !== '')
      .join('\n');
    item.command = {
      command: 'parley.openSession',
      title: vscode.l10n.t('Open Session'),
      arguments: [{ sessionId: record.sessionId }],
    };
    return item;
  }
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
