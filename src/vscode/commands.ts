import * as vscode from 'vscode';
import type { AgentPool } from '../core/agents/agentPool';
import { ParleyError } from '../core/base/errors';
import type { PermissionPolicy } from '../core/permissions/policy';
import type { Session } from '../core/session/session';
import type { Sessions } from '../core/session/sessions';
import { asObject, asString } from '../shared/json';
import { openPermissions } from '../shared/transcript/select';
import { installAgent, stopAgent } from './agentCommands';
import type { ChatPanels } from './chat/chatPanels';
import type { Chats } from './chat/chats';
import type { ChatView } from './chat/chatView';
import { createChangeCommands, type ChangeCommandServices } from './changes/changeCommands';
import type { Config } from './config';
import type { EditorContext } from './context/editorContext';
import type { CommandId } from './contributions';
import { copyTranscript, exportTranscript } from './exportTranscript';
import { groupSessionsBy } from './groupSessions';
import type { Logs } from './log';
import { managePermissionRules } from './permissionRules';
import { searchSessions } from './searchSessions';

export interface CommandServices {
  readonly sessions: Sessions;
  readonly pool: AgentPool;
  readonly chat: ChatView;
  readonly panels: ChatPanels;
  readonly chats: Chats;
  readonly editorContext: EditorContext;
  readonly policy: PermissionPolicy;
  readonly changes: ChangeCommandServices;
  readonly config: Config;
  /** The session that is chosen in the tree. */
  readonly treeSelection: () => Session | undefined;
  /** All of ours, in the tree's order. */
  readonly listedSessions: () => readonly Session[];
  readonly logs: Logs;
}

type Command = (argument?: unknown, selection?: unknown) => unknown;

/** What each command does. They take plain arguments, so that other extensions can drive them too. */
export function createCommands(services: CommandServices): Readonly<Record<CommandId, Command>> {
  const { sessions, pool, chat, panels, chats, editorContext, policy, config, logs, treeSelection } =
    services;

  const newSession = async (argument?: unknown): Promise<{ sessionId: string }> => {
    const { agentId, folder, prompt } = asObject(argument);
    const view = await chat.reveal();
    view.focus();
    view.show(undefined);
    const session = await view.start(
      asString(agentId) ?? config.defaultAgentId(),
      { text: asString(prompt) ?? '', attachments: [] },
      asString(folder),
    );
    return { sessionId: session.id };
  };

  /** The session an argument names, else the one in the chat. */
  const target = (argument: unknown): Session => {
    const { sessionId, inTree } = asObject(argument);
    const id = asString(sessionId);
    const shown = inTree === true ? treeSelection() : chats.currentSession;
    const session = id === undefined ? shown : sessions.get(id);
    if (session === undefined) {
      throw new ParleyError('sessionNotFound', vscode.l10n.t('There is no session to do this with.'));
    }
    return session;
  };

  /** Only what is named or what the user sees: a key must not allow a thing that is out of sight. */
  const answerShown = async (kind: 'allow_once' | 'reject_once', argument: unknown): Promise<void> => {
    const named = asString(asObject(argument).sessionId);
    const seen = named === undefined ? chats.sessionsInSight : [sessions.require(named)];
    const shown = seen.find((session) => session.isWaiting);
    const question = shown === undefined ? undefined : openPermissions(shown.transcript)[0];
    const option = question?.permission.options.find((candidate) => candidate.kind === kind);
    if (shown !== undefined && question !== undefined && option !== undefined) {
      shown.answerPermission(question.permission.requestId, option.id);
      return;
    }
    const waiting = shown ?? sessions.all().find((session) => session.isWaiting);
    if (waiting !== undefined) {
      await chats.goToQuestion(waiting);
    }
  };

  /** To one that is in sight, if there is any. */
  const goToQuestion = async (argument: unknown): Promise<void> => {
    const named = asString(asObject(argument).sessionId);
    const candidates =
      named === undefined ? [...chats.sessionsInSight, ...sessions.all()] : [sessions.require(named)];
    const session = candidates.find((candidate) => candidate.isWaiting);
    if (session !== undefined) {
      await chats.goToQuestion(session);
    }
  };

  /** Through the list as the tree shows it, and around its ends. */
  const step = async (by: 1 | -1): Promise<{ sessionId: string } | undefined> => {
    const listed = services.listedSessions();
    const current = listed.findIndex((session) => session === chat.session);
    const start = by === -1 && current === -1 ? 0 : current;
    const session = listed.at((start + by) % listed.length);
    if (session === undefined) {
      return undefined;
    }
    await chat.show(session);
    return { sessionId: session.id };
  };

  return {
    ...createChangeCommands(services.changes, target),
    'parley.newSession': newSession,
    'parley.newSessionWithAgent': async () => {
      const picked = await vscode.window.showQuickPick(
        config.agents().map((agent) => ({ label: agent.name, description: agent.description, id: agent.id })),
        { placeHolder: vscode.l10n.t('Agent for the new session') },
      );
      // Why it failed stands in the chat; a command that fails says it once more, in a dialog.
      return picked && newSession({ agentId: picked.id }).catch(() => undefined);
    },
    'parley.openSession': async (argument) => {
      const { sessionId, agentKey, agentSessionId } = asObject(argument);
      const named = asString(sessionId);
      const key = asString(agentKey);
      if (key !== undefined) {
        await chats.show(await sessions.openForeign(key, asString(agentSessionId) ?? ''));
        return;
      }
      const session = named === undefined ? await searchSessions(sessions, '') : sessions.require(named);
      if (session !== undefined) {
        await chats.show(session);
        await chat.restore(session);
      }
    },
    'parley.forkSession': async (argument) => {
      const session = await sessions.fork(target(argument).id);
      await chat.show(session);
      return { sessionId: session.id };
    },
    'parley.refreshSessions': async () => {
      await Promise.all(pool.running.map((key) => sessions.refreshForeign(key)));
    },
    'parley.stopAgent': () => stopAgent(pool, sessions),
    'parley.installAgent': () => installAgent(config),
    'parley.openInEditor': (argument) => {
      panels.open(target(argument));
    },
    'parley.managePermissions': () => managePermissionRules(policy),
    'parley.exportTranscript': async (argument) => {
      const session = target(argument);
      await sessions.loadTranscript(session);
      await exportTranscript(session);
    },
    'parley.copyTranscript': async (argument) => {
      const session = target(argument);
      await sessions.loadTranscript(session);
      await copyTranscript(session);
    },
    'parley.addSelection': async () => {
      await chats.attach(editorContext.selection());
    },
    'parley.addFile': async (argument, selection) => {
      await chats.attach(await editorContext.files(argument, selection));
    },
    'parley.addProblem': async (argument) => {
      await chats.attach(editorContext.problem(argument));
    },
    'parley.addTerminalSelection': async () => {
      const attachments = await editorContext.terminal();
      if (attachments.length > 0) {
        await chats.attach(attachments);
      }
    },
    'parley.groupSessions': (argument) => groupSessionsBy(config, argument),
    'parley.searchSessions': async (argument) => {
      const session = await searchSessions(sessions, asString(asObject(argument).query) ?? '');
      if (session !== undefined) {
        await chats.show(session);
        await chat.restore(session);
      }
    },
    'parley.nextSession': () => step(1),
    'parley.previousSession': () => step(-1),
    'parley.stopTurn': (argument) => target(argument).cancel(),
    'parley.closeSession': async (argument) => {
      await sessions.close(target(argument).id);
    },
    'parley.deleteSession': async (argument) => {
      const session = target(argument);
      if (asObject(argument).confirm !== false && !(await confirmDelete(session))) {
        return;
      }
      await sessions.delete(session.id);
    },
    'parley.renameSession': async (argument) => {
      const session = target(argument);
      const title =
        asString(asObject(argument).title) ??
        (await vscode.window.showInputBox({
          value: session.title,
          prompt: vscode.l10n.t('Name of the session'),
        }));
      if (title !== undefined && title.trim() !== '') {
        session.rename(title.trim());
      }
    },
    'parley.focusChat': () => chats.focus().then(() => undefined),
    'parley.allowPermission': (argument) => answerShown('allow_once', argument),
    'parley.rejectPermission': (argument) => answerShown('reject_once', argument),
    'parley.goToQuestion': goToQuestion,
    'parley.toggleToolCalls': () => chats.toggleToolCalls(),
    'parley.restartAgent': async (argument) => {
      await sessions.restartAgent(target(argument).id);
    },
    'parley.showLog': () => logs.showMain(),
    'parley.showTraffic': () => logs.showTraffic(),
    'parley.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', 'parley'),
  };
}

async function confirmDelete(session: Session): Promise<boolean> {
  const remove = vscode.l10n.t('Delete');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete the session "{0}"?', session.title),
    { modal: true, detail: vscode.l10n.t('Its transcript is removed. This cannot be undone.') },
    remove,
  );
  return answer === remove;
}
