import * as vscode from 'vscode';
import { assertNever } from '../../shared/assertNever';
import type { WebviewMessage } from '../../shared/protocol';
import { imageAddress } from '../../core/files/imageFile';
import { openTerminal } from '../agentTerminal';
import { insertCode, newFile, openDiff, openLink, openLocation } from '../open';
import type { Chat, ChatServices } from './chat';

/** Does what the user asks for in a chat. What fails is thrown. */
export async function answerMessage(
  message: WebviewMessage,
  chat: Chat,
  services: ChatServices,
): Promise<void> {
  const { sessions, queues, drafts, offer, actions, context, focus, review, workspace } = services;
  switch (message.type) {
    case 'ready':
    case 'resync':
      return;
    case 'focusChanged':
      focus.set(chat, message.hasFocus);
      return;
    case 'submitPrompt':
      await chat.submit(message.sessionId, {
        text: message.text,
        attachments: drafts.filled(message.attachments),
      });
      return;
    case 'cancelTurn':
      if (message.sessionId === '') {
        chat.stopStart();
      } else {
        await sessions.require(message.sessionId).cancel();
      }
      return;
    case 'saveDraft':
      drafts.set(message.sessionId, { text: message.text, attachments: message.attachments });
      return;
    case 'answerPermission':
      sessions.require(message.sessionId).answerPermission(message.requestId, message.optionId);
      return;
    case 'answerElicitation':
      sessions.require(message.sessionId).answerElicitation(message.id, message.answer);
      return;
    case 'setConfig':
      await sessions.require(message.sessionId).setConfig(message.configId, message.value);
      return;
    case 'selectAgent':
      chat.selectAgent(message.agentId);
      return;
    case 'addAgent':
      await offer.accept(message.agentId);
      // The reason of a failure is shown in the chat.
      await chat.start(message.agentId).catch(() => undefined);
      return;
    case 'openSession':
      await chat.open(sessions.require(message.sessionId));
      return;
    case 'renameSession':
      sessions.require(message.sessionId).rename(message.title);
      return;
    case 'removeQueued':
      queues.take(message.sessionId, message.id);
      chat.stateChanged();
      return;
    case 'editQueued':
      queues.edit(message.sessionId, message.id, message.text);
      chat.stateChanged();
      return;
    case 'moveQueued':
      queues.move(message.sessionId, message.id, message.index);
      chat.stateChanged();
      return;
    case 'sendQueuedNow':
      await sessions.sendNow(message.sessionId, message.id);
      return;
    case 'steerQueued':
      await sessions.steer(message.sessionId, message.id);
      return;
    case 'searchContext':
      chat.post({
        type: 'contextFound',
        requestId: message.requestId,
        suggestions: await context.search(message.query),
      });
      return;
    case 'pickFiles':
      chat.attach(await context.pickFiles());
      return;
    case 'addTerminalSelection':
      chat.attach(await context.terminal());
      return;
    case 'alwaysAllow':
      await actions.alwaysAllow(sessions.require(message.sessionId), message.requestId, message.scope);
      return;
    case 'insertCode':
      await insertCode(message.text);
      return;
    case 'newFile':
      await newFile(message.text, message.language);
      return;
    case 'killTerminal':
      sessions.require(message.sessionId).killTerminal(message.terminalId);
      return;
    case 'openTerminal':
      openTerminal(sessions.require(message.sessionId), message.terminalId);
      return;
    case 'openLink':
      await openLink(message.href, chat.currentSession?.workdir);
      return;
    case 'openLocation':
      await openLocation(message.path, message.line, chat.currentSession?.workdir);
      return;
    case 'loadImage': {
      const { sessionId, path } = message;
      const workdir = sessions.get(sessionId)?.workdir;
      const address =
        workdir === undefined ? undefined : await imageAddress(path, workdir, workspace.folders());
      chat.post({ type: 'image', sessionId, path, address });
      return;
    }
    case 'openDiff':
      await openDiff(sessions.require(message.sessionId), message.toolId, message.index);
      return;
    case 'keepChanges':
      await review.keep({ sessionId: message.sessionId });
      return;
    case 'undoChanges':
      await review.undo({ sessionId: message.sessionId }, { confirm: true });
      return;
    case 'reviewChanges':
      await vscode.commands.executeCommand('parley.reviewChanges', { sessionId: message.sessionId });
      return;
    case 'undoReview':
      await review.undoReviewed();
      return;
    case 'restoreCheckpoint': {
      const { sessionId, turnId } = message;
      await vscode.commands.executeCommand('parley.restoreCheckpoint', { sessionId, turnId });
      return;
    }
    case 'runAction':
      await actions.run(message.command, chat.currentSession, {
        retryStart: () => chat.retryStart(),
        show: (session) => chat.show(session),
        agentId: chat.nextAgentId,
        argument: message.argument,
      });
      return;
    default:
      assertNever(message);
  }
}
