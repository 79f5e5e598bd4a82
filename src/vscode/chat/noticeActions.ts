import * as vscode from 'vscode';
import { assertNever } from '../../shared/assertNever';
import type { ActionCommand } from '../../shared/transcript/model';
import { textOf } from '../../shared/transcript/select';
import type { Session } from '../../core/session/session';
import type { Sessions } from '../../core/session/sessions';
import type { Logs } from '../log';

export interface ActionContext {
  /** Starts the session that could not be started once more. */
  retryStart(): Promise<unknown>;
}

/** What the buttons in notices do. */
export class NoticeActions {
  constructor(
    private readonly sessions: Sessions,
    private readonly logs: Logs,
  ) {}

  async run(command: ActionCommand, session: Session | undefined, context: ActionContext): Promise<void> {
    switch (command) {
      case 'retry':
        if (session === undefined) {
          await context.retryStart();
        } else {
          this.retryLastPrompt(session);
        }
        return;
      case 'reconnect':
        await (session === undefined ? context.retryStart() : this.sessions.makeLive(session));
        return;
      case 'restartAgent':
      case 'forceStop':
        await (session === undefined ? context.retryStart() : this.sessions.restartAgent(session.id));
        return;
      case 'showLog':
        if (session === undefined) {
          this.logs.showMain();
        } else {
          this.logs.showAgent(session.record.agentName);
        }
        return;
      case 'openSettings':
      case 'installAgent':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'parley.agents');
        return;
      case 'trustWorkspace':
        await vscode.commands.executeCommand('workbench.trust.manage');
        return;
      case 'openFolder':
        await vscode.commands.executeCommand('workbench.action.files.openFolder');
        return;
      case 'stopAgent':
        await vscode.commands.executeCommand('parley.stopAgent');
        return;
      case 'signIn':
        await vscode.commands.executeCommand('parley.signIn', { sessionId: session?.id });
        return;
      case 'continueInNewSession':
        await vscode.commands.executeCommand('parley.newSession');
        return;
      default:
        assertNever(command);
    }
  }

  private retryLastPrompt(session: Session): void {
    const last = session.transcript.entries.findLast((entry) => entry.kind === 'user');
    if (last?.kind === 'user') {
      this.sessions.submit(session.id, textOf(last.blocks));
    }
  }
}
