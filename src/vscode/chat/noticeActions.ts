import * as vscode from 'vscode';
import { assertNever } from '../../shared/assertNever';
import type { ActionCommand } from '../../shared/transcript/model';
import type { RuleScope } from '../../shared/protocol';
import type { AgentPool } from '../../core/agents/agentPool';
import { alwaysAllow } from '../../core/session/alwaysAllow';
import type { PermissionPolicy } from '../../core/permissions/policy';
import type { Session } from '../../core/session/session';
import type { Sessions } from '../../core/session/sessions';
import type { Logs } from '../log';
import type { Workspace } from '../workspace';

export interface ActionContext {
  /** Starts the session that could not be started once more. */
  retryStart(): Promise<unknown>;
  show(session: Session): void;
  /** The agent that is meant while there is no session. */
  readonly agentId: string;
  readonly argument: string | undefined;
}

/** What the buttons in notices do. */
export class NoticeActions {
  constructor(
    private readonly sessions: Sessions,
    private readonly pool: AgentPool,
    private readonly workspace: Workspace,
    private readonly policy: PermissionPolicy,
    private readonly logs: Logs,
  ) {}

  async run(command: ActionCommand, session: Session | undefined, context: ActionContext): Promise<void> {
    switch (command) {
      case 'retry':
        if (session === undefined) {
          await context.retryStart();
        } else {
          await this.sessions.retry(session);
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
      case 'installAgent':
        await vscode.commands.executeCommand('parley.installAgent');
        return;
      case 'openSettings':
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
      case 'undoReview':
        await vscode.commands.executeCommand('parley.undoReview', context.argument);
        return;
      case 'signIn':
        await this.signIn(session, context);
        return;
      case 'continueInNewSession':
        if (session !== undefined) {
          context.show(await this.sessions.continueInNew(session.id));
        }
        return;
      default:
        assertNever(command);
    }
  }

  /** Signs in the way the user chose, then does again what had failed for want of it. */
  private async signIn(session: Session | undefined, context: ActionContext): Promise<void> {
    const { connection } =
      session === undefined
        ? await this.pool.acquire(context.agentId, await this.workspace.chooseFolder())
        : await this.sessions.agentOf(session);
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Signing in…'),
        cancellable: true,
      },
      (_progress, token) => {
        const abort = new AbortController();
        token.onCancellationRequested(() => abort.abort());
        return connection.authenticate(context.argument ?? '', abort.signal);
      },
    );
    if (session === undefined) {
      await context.retryStart();
    } else {
      await this.sessions.retry(session);
    }
  }

  async alwaysAllow(session: Session, requestId: string, scope: RuleScope): Promise<void> {
    await alwaysAllow(this.policy, session, requestId, scope);
  }
}
