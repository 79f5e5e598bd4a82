import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/lifecycle';
import type { Sessions } from '../core/session/sessions';

/** One item that says what the agents are doing, and leads to the one that waits. */
export class StatusBar extends DisposableStore {
  private readonly item = this.add(
    vscode.window.createStatusBarItem('parley', vscode.StatusBarAlignment.Right, 90),
  );

  constructor(private readonly sessions: Sessions) {
    super();
    this.item.name = 'Parley';
    this.add(sessions.onDidChange(() => this.update()));
    this.update();
    this.item.show();
  }

  private update(): void {
    const all = this.sessions.all();
    const waiting = all.filter((session) => session.isWaiting);
    const running = all.filter((session) => session.isRunning);
    const [first] = waiting;
    this.item.backgroundColor =
      first === undefined ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    this.item.command =
      first === undefined
        ? 'parley.focusChat'
        : { command: 'parley.openSession', title: '', arguments: [{ sessionId: first.id }] };
    if (first !== undefined) {
      this.item.text = `$(bell-dot) ${vscode.l10n.t('Parley: {0} waiting', waiting.length)}`;
      this.item.tooltip = vscode.l10n.t('{0} waits for your answer', first.title);
    } else if (running.length > 0) {
      this.item.text = `$(loading~spin) ${vscode.l10n.t('Parley: {0} running', running.length)}`;
      this.item.tooltip = running.map((session) => session.title).join('\n');
    } else {
      this.item.text = '$(comment-discussion) Parley';
      this.item.tooltip = vscode.l10n.t('Open the chat');
    }
  }
}
