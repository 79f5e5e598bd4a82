import * as vscode from 'vscode';
import { assertNever } from '../../shared/assertNever';
import type { Attachment } from '../../shared/attachments';
import type { ChatState, WebviewMessage } from '../../shared/protocol';
import type { TranscriptEvent } from '../../shared/transcript/events';
import { emptyTranscript, type Transcript } from '../../shared/transcript/model';
import { reduce } from '../../shared/transcript/reduce';
import { asError } from '../../core/base/errors';
import { DisposableStore, type IDisposable } from '../../core/base/lifecycle';
import type { Logger } from '../../core/base/log';
import { emptyDraft, type Draft, type Drafts } from '../../core/session/drafts';
import { errorNotice } from '../../core/session/errorNotice';
import type { PromptQueues } from '../../core/session/promptQueue';
import type { Session } from '../../core/session/session';
import type { Sessions } from '../../core/session/sessions';
import type { Config } from '../config';
import type { EditorContext } from '../context/editorContext';
import { exportTranscript } from '../exportTranscript';
import { insertCode, newFile, openDiff, openLink, openLocation, openTerminal } from '../open';
import type { Workspace } from '../workspace';
import type { NoticeActions } from './noticeActions';
import { WebviewBridge } from './webviewBridge';

export interface ChatServices {
  readonly sessions: Sessions;
  readonly queues: PromptQueues;
  readonly drafts: Drafts;
  readonly config: Config;
  readonly workspace: Workspace;
  readonly actions: NoticeActions;
  readonly context: EditorContext;
  readonly log: Logger;
  readonly newId: () => string;
}

const RECENT = 5;

/** One chat on the screen: which session it shows, and what its user does. */
export class Chat extends DisposableStore {
  private readonly bridge: WebviewBridge;
  private session: Session | undefined;
  private sessionListeners: IDisposable | undefined;
  /** What is shown before there is a session: the prompt on its way, or why it failed. */
  private opening: Transcript = emptyTranscript;
  private progress: string | undefined;
  private agentId: string | undefined;
  private readonly shown = new vscode.EventEmitter<Session | undefined>();
  readonly onDidShow = this.shown.event;

  constructor(
    webview: vscode.Webview,
    private readonly place: ChatState['place'],
    private readonly services: ChatServices,
  ) {
    super();
    this.bridge = this.add(
      new WebviewBridge(
        webview,
        {
          transcript: () => this.shownTranscript(),
          state: () => this.state(),
          draft: () => ({ sessionId: this.sessionId, ...services.drafts.get(this.sessionId) }),
          onMessage: (message) => void this.receive(message),
        },
        services.log,
      ),
    );
    this.add(services.sessions.onDidChange(() => this.bridge.stateChanged()));
    this.add(services.workspace.onDidChange(() => this.bridge.stateChanged()));
    this.add({ dispose: () => this.sessionListeners?.dispose() });
    this.add(this.shown);
  }

  get currentSession(): Session | undefined {
    return this.session;
  }

  private get sessionId(): string {
    return this.session?.id ?? '';
  }

  /** Shows a session, or with none the start of a new one. */
  show(session: Session | undefined): void {
    this.session = session;
    this.opening = emptyTranscript;
    this.progress = undefined;
    this.sessionListeners?.dispose();
    this.sessionListeners = session === undefined ? undefined : this.follow(session);
    this.bridge.resync();
    this.bridge.sendDraft();
    this.shown.fire(session);
    if (session !== undefined && !session.isLive) {
      void this.reopen(session);
    }
  }

  /** A hidden webview may have lost messages. */
  becameVisible(): void {
    this.bridge.resync();
  }

  /** Adds chips to the composer. */
  attach(attachments: readonly Attachment[]): void {
    if (attachments.length > 0) {
      this.bridge.post({ type: 'attach', attachments });
    }
  }

  focus(): void {
    this.bridge.post({ type: 'focusComposer' });
  }

  /** Starts a session with the chosen agent and sends its first prompt, if there is one. */
  async start(agentId: string, prompt: Draft = emptyDraft, folder?: string): Promise<Session | undefined> {
    const { sessions, drafts, config, workspace, newId } = this.services;
    const agentName = config.findAgent(agentId)?.name ?? agentId;
    this.agentId = agentId;
    // Until the agent has it, the prompt is a draft: a reload must not lose it.
    drafts.set('', prompt);
    this.opening = emptyTranscript;
    if (prompt.text !== '') {
      this.dispatchOpening({
        type: 'turnStarted',
        at: Date.now(),
        turnId: 0,
        entryId: newId(),
        blocks: [{ kind: 'text', text: prompt.text }],
      });
    }
    this.progress = vscode.l10n.t('Starting {0}…', agentName);
    this.bridge.resync();
    try {
      const session = await sessions.start({ agentId, folder: folder ?? (await workspace.chooseFolder()) });
      drafts.set('', emptyDraft);
      this.show(session);
      if (prompt.text !== '') {
        sessions.submit(session.id, prompt.text, prompt.attachments);
      }
      return session;
    } catch (error) {
      this.services.log.error(asError(error));
      this.progress = undefined;
      this.opening = emptyTranscript;
      this.dispatchOpening({ type: 'noticeAdded', at: Date.now(), ...errorNotice(error, newId()) });
      this.bridge.resync();
      this.bridge.sendDraft();
      return undefined;
    }
  }

  /** Shows a session because the user asked for it, and brings it back to its agent. */
  private async open(session: Session): Promise<void> {
    this.show(session);
    try {
      await this.services.sessions.makeLive(session);
    } catch (error) {
      session.showError(error);
    }
  }

  private async reopen(session: Session): Promise<void> {
    const { sessions, log } = this.services;
    try {
      await sessions.loadTranscript(session);
    } catch (error) {
      log.error(asError(error));
    }
    this.bridge.resync();
  }

  private follow(session: Session): IDisposable {
    const listeners = new DisposableStore();
    listeners.add(session.onDidDispatch((event) => this.bridge.push(event)));
    listeners.add(session.onDidReset(() => this.bridge.resync()));
    return listeners;
  }

  private dispatchOpening(event: TranscriptEvent): void {
    this.opening = reduce(this.opening, event);
  }

  private shownTranscript(): { sessionId: string; transcript: Transcript } {
    return { sessionId: this.sessionId, transcript: this.session?.transcript ?? this.opening };
  }

  private state(): ChatState {
    const { sessions, config, queues, workspace } = this.services;
    const { session } = this;
    const isRestoring = session !== undefined && sessions.isRestoring(session.id);
    return {
      place: this.place,
      obstacle: workspace.obstacle,
      agents: config.agents().map(({ id, name, description }) => ({ id, name, description })),
      agentId: session?.record.agentId ?? this.agentId ?? config.defaultAgentId(),
      session: session?.summary(),
      progress: isRestoring ? vscode.l10n.t('Reconnecting to {0}…', session.record.agentName) : this.progress,
      queue: session === undefined ? [] : queues.of(session.id),
      recent: sessions
        .all()
        .filter((other) => other !== session)
        .slice(0, RECENT)
        .map((other) => other.summary()),
    };
  }

  private async receive(message: WebviewMessage): Promise<void> {
    try {
      await this.handle(message);
    } catch (error) {
      this.services.log.error(asError(error));
      if (this.session === undefined) {
        void vscode.window.showErrorMessage(asError(error).message);
      } else {
        this.session.showError(error);
      }
    }
  }

  private async handle(message: WebviewMessage): Promise<void> {
    const { sessions, queues, drafts, config, actions, context } = this.services;
    switch (message.type) {
      case 'ready':
      case 'resync':
        return;
      case 'submitPrompt':
        drafts.set(message.sessionId, emptyDraft);
        if (message.sessionId === '') {
          await this.start(this.agentId ?? config.defaultAgentId(), message);
        } else {
          sessions.submit(message.sessionId, message.text, message.attachments);
        }
        return;
      case 'cancelTurn':
        await sessions.require(message.sessionId).cancel();
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
        this.agentId = message.agentId;
        this.bridge.stateChanged();
        return;
      case 'newSession':
        this.show(undefined);
        return;
      case 'openSession':
        await this.open(sessions.require(message.sessionId));
        return;
      case 'renameSession':
        sessions.require(message.sessionId).rename(message.title);
        return;
      case 'removeQueued':
        queues.take(message.sessionId, message.id);
        this.bridge.stateChanged();
        return;
      case 'editQueued':
        queues.edit(message.sessionId, message.id, message.text);
        this.bridge.stateChanged();
        return;
      case 'moveQueued':
        queues.move(message.sessionId, message.id, message.index);
        this.bridge.stateChanged();
        return;
      case 'sendQueuedNow':
        await sessions.sendNow(message.sessionId, message.id);
        return;
      case 'steerQueued':
        await sessions.steer(message.sessionId, message.id);
        return;
      case 'searchContext':
        this.bridge.post({
          type: 'contextFound',
          requestId: message.requestId,
          suggestions: await context.search(message.query),
        });
        return;
      case 'pickFiles':
        this.attach(await context.pickFiles());
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
      case 'exportTranscript':
        await exportTranscript(sessions.require(message.sessionId));
        return;
      case 'openLink':
        await openLink(message.href, this.session?.workdir);
        return;
      case 'openLocation':
        await openLocation(message.path, message.line, this.session?.workdir);
        return;
      case 'openDiff':
        await openDiff(sessions.require(message.sessionId), message.toolId, message.index);
        return;
      case 'runAction':
        await actions.run(message.command, this.session, {
          retryStart: () => this.start(this.agentId ?? config.defaultAgentId(), drafts.get('')),
          show: (session) => this.show(session),
          agentId: this.agentId ?? config.defaultAgentId(),
          argument: message.argument,
        });
        return;
      default:
        assertNever(message);
    }
  }
}
