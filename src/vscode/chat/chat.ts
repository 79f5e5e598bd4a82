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
import { emptyDraft, joinDrafts, type Draft, type Drafts } from '../../core/session/drafts';
import { errorNotice } from '../../core/session/errorNotice';
import { queuedWithoutData, type PromptQueues } from '../../core/session/promptQueue';
import { imageAddress } from '../../core/files/imageFile';
import type { Changes } from '../../core/changes/model';
import type { Session } from '../../core/session/session';
import type { Sessions } from '../../core/session/sessions';
import type { ChangeReview } from '../changes/changeReview';
import type { AgentOffer } from '../agentOffer';
import { checkpointsOf } from '../changes/checkpoints';
import { DEMO_AGENT, type Config } from '../config';
import type { EditorContext } from '../context/editorContext';
import { openTerminal } from '../agentTerminal';
import { insertCode, newFile, openDiff, openLink, openLocation } from '../open';
import { withoutLinks } from '../withoutLinks';
import type { Workspace } from '../workspace';
import type { ChatFocus } from './chatFocus';
import type { NoticeActions } from './noticeActions';
import { openingBlocks } from './openingBlocks';
import { WebviewBridge } from './webviewBridge';

export interface ChatServices {
  readonly sessions: Sessions;
  readonly queues: PromptQueues;
  readonly drafts: Drafts;
  readonly config: Config;
  readonly offer: AgentOffer;
  readonly workspace: Workspace;
  readonly actions: NoticeActions;
  readonly context: EditorContext;
  readonly focus: ChatFocus;
  readonly changes: Changes;
  readonly review: ChangeReview;
  readonly log: Logger;
  readonly newId: () => string;
}

const RECENT = 5;

/** A session that is being started. */
interface Starting {
  readonly agentId: string;
  isGivenUp: boolean;
}

/** One chat on the screen: which session it shows, and what its user does. */
export class Chat extends DisposableStore {
  private readonly bridge: WebviewBridge;
  private session: Session | undefined;
  private sessionListeners: IDisposable | undefined;
  /** What is shown before there is a session: the prompt on its way, or why it failed. */
  private opening: Transcript = emptyTranscript;
  private starting: Starting | undefined;
  /** A session that was started without a prompt: if the user leaves it like that, it goes. */
  private blank: Session | undefined;
  private agentId: string | undefined;
  private readonly shown = new vscode.EventEmitter<Session | undefined>();
  readonly onDidShow = this.shown.event;
  private readonly used = new vscode.EventEmitter<void>();
  /** The user did something here. */
  readonly onDidUse = this.used.event;

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
    this.add(services.sessions.onDidChange(() => this.sessionsChanged()));
    this.add(services.workspace.onDidChange(() => this.bridge.stateChanged()));
    this.add(services.offer.onDidChange(() => this.bridge.stateChanged()));
    this.add(services.review.onDidChange(() => this.bridge.stateChanged()));
    this.add({ dispose: () => this.sessionListeners?.dispose() });
    this.add({ dispose: () => services.focus.set(this, false) });
    this.add(this.shown);
    this.add(this.used);
    // Left behind by a window that was reloaded while a session was being started.
    if (place === 'view') {
      this.giveUpStart();
    }
  }

  get currentSession(): Session | undefined {
    return this.session;
  }

  private get sessionId(): string {
    return this.session?.id ?? '';
  }

  /** Shows a session, or with none the start of a new one. */
  show(session: Session | undefined): void {
    const { blank } = this;
    this.blank = undefined;
    if (blank !== undefined && blank !== session) {
      this.discardIfUnused(blank);
    }
    this.session = session;
    this.opening = emptyTranscript;
    this.sessionListeners?.dispose();
    this.sessionListeners = session === undefined ? undefined : this.follow(session);
    this.bridge.resync();
    this.bridge.sendDraft();
    this.shown.fire(session);
    if (session !== undefined && !session.isLive) {
      void this.services.sessions.loadTranscript(session);
    }
  }

  private sessionsChanged(): void {
    const { session } = this;
    if (this.place === 'view' && session !== undefined && !this.isThere(session)) {
      this.show(undefined);
    }
    this.bridge.stateChanged();
  }

  /** Sessions are deleted from elsewhere, too. */
  private isThere(session: Session): boolean {
    return this.services.sessions.get(session.id) === session;
  }

  private discardIfUnused(session: Session): void {
    const { sessions, drafts } = this.services;
    const isUsed = session.record.turnCount > 0 || session.isRunning || drafts.get(session.id).text !== '';
    if (!isUsed && this.isThere(session)) {
      void sessions.delete(session.id);
    }
  }

  /** A hidden webview may have lost messages. */
  becameVisible(): void {
    this.bridge.resync();
  }

  /** Adds chips to the composer. */
  attach(attachments: readonly Attachment[]): void {
    if (attachments.length === 0) {
      return;
    }
    if (this.session?.summary().isReadOnly === true) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('This session can only be read. Continue it in a new session to attach something.'),
      );
      return;
    }
    this.bridge.post({ type: 'attach', attachments });
  }

  focus(): void {
    this.bridge.post({ type: 'focusComposer' });
  }

  goToQuestion(): void {
    this.bridge.post({ type: 'goToQuestion' });
  }

  toggleToolCalls(): void {
    this.bridge.post({ type: 'toggleToolCalls' });
  }

  /**
   * Starts a session with the chosen agent and sends what waits for it. Until then the prompts are kept in the queue
   * of the session that is not there yet: a reload must not lose them. Why it failed is shown here, and thrown.
   */
  async start(agentId: string, prompt: Draft = emptyDraft, folder?: string): Promise<Session> {
    const { queues, newId } = this.services;
    if (prompt.text !== '' || prompt.attachments.length > 0) {
      queues.add('', { id: newId(), ...prompt });
    }
    if (agentId === DEMO_AGENT) {
      void this.services.offer.decline();
    }
    const attempt = { agentId, isGivenUp: false };
    this.starting = attempt;
    this.agentId = agentId;
    this.showOpening();
    try {
      const session = await this.services.sessions.start({
        agentId,
        folder: folder ?? (await this.services.workspace.chooseFolder()),
      });
      this.started(session, attempt);
      return session;
    } catch (error) {
      this.services.log.error(asError(error));
      if (this.starting === attempt) {
        this.giveUpStart();
        this.dispatchOpening({ type: 'noticeAdded', at: Date.now(), ...errorNotice(error, newId()) });
        this.bridge.resync();
        this.bridge.sendDraft();
      }
      throw error;
    }
  }

  private started(session: Session, attempt: Starting): void {
    const { sessions, queues } = this.services;
    if (attempt.isGivenUp) {
      // Stopped meanwhile: the prompts are back in the composer, and nobody wants this session.
      void sessions.delete(session.id);
      return;
    }
    const waiting = queues.of('');
    queues.remove('');
    if (this.starting === attempt) {
      this.starting = undefined;
      this.show(session);
      this.blank = waiting.length === 0 ? session : undefined;
    }
    for (const prompt of waiting) {
      sessions.submit(session.id, prompt.text, prompt.attachments);
    }
  }

  /** Puts what waited for a session back into the composer, in front of what was typed since. */
  private giveUpStart(): void {
    const { queues, drafts } = this.services;
    drafts.set('', joinDrafts([...queues.of(''), drafts.get('')]));
    queues.remove('');
    this.starting = undefined;
    this.opening = emptyTranscript;
  }

  /** The first prompt as it will look, so that the user sees at once that it was taken. */
  private showOpening(): void {
    const [first] = this.services.queues.of('');
    this.opening = emptyTranscript;
    if (first !== undefined) {
      const blocks = openingBlocks(first);
      this.dispatchOpening({ type: 'turnStarted', at: Date.now(), turnId: 0, entryId: first.id, blocks });
    }
    this.bridge.resync();
  }

  /** For the next session; in the place of this one if nothing was said in it. What was written goes along. */
  private selectAgent(agentId: string): void {
    const { drafts, offer } = this.services;
    const { session } = this;
    this.agentId = agentId;
    if (agentId === DEMO_AGENT) {
      void offer.decline();
    }
    const isEmpty = session?.transcript.entries.length === 0 && session.record.agentId !== agentId;
    if (this.place === 'view' && session !== undefined && isEmpty) {
      drafts.set('', drafts.get(session.id));
      drafts.set(session.id, emptyDraft);
      this.show(undefined);
    }
    this.bridge.stateChanged();
  }

  /** What could not be taken is put back into the composer. */
  private async submit(sessionId: string, prompt: Draft): Promise<void> {
    const { sessions, drafts } = this.services;
    try {
      if (sessionId === '') {
        await this.submitFirst(prompt);
      } else {
        sessions.submit(sessionId, prompt.text, prompt.attachments);
        drafts.set(sessionId, emptyDraft);
      }
    } catch (error) {
      const isShown = sessionId === this.sessionId;
      drafts.set(this.sessionId, isShown ? prompt : joinDrafts([prompt, drafts.get(this.sessionId)]));
      this.bridge.sendDraft();
      throw error;
    }
  }

  /** While a session is being started, further prompts wait for it too. */
  private async submitFirst(prompt: Draft): Promise<void> {
    const { config, queues, drafts, newId } = this.services;
    const agentId = this.agentId ?? config.defaultAgentId();
    drafts.set('', emptyDraft);
    if (this.starting !== undefined) {
      queues.add('', { id: newId(), ...prompt });
      this.bridge.stateChanged();
      return;
    }
    // The reason is shown where the prompt was.
    await this.start(agentId, prompt).catch(() => undefined);
  }

  /** With what was put back into the composer when it failed. */
  private async retryStart(): Promise<void> {
    const { drafts } = this.services;
    const submitted = this.submitFirst(drafts.get(''));
    this.bridge.sendDraft();
    await submitted;
  }

  private stopStart(): void {
    if (this.starting !== undefined) {
      this.starting.isGivenUp = true;
      this.giveUpStart();
      this.bridge.resync();
      this.bridge.sendDraft();
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
    const { sessions, config, offer, queues, workspace } = this.services;
    const { session } = this;
    return {
      place: this.place,
      obstacle: workspace.obstacle,
      agents: config.agents().map(({ id, name, description }) => ({ id, name, description })),
      agentId: session?.record.agentId ?? this.agentId ?? config.defaultAgentId(),
      offer: session === undefined && workspace.obstacle === undefined ? offer.agents() : undefined,
      session: session?.summary(),
      progress: this.progress(),
      // The first prompt of a session that is being started is in the transcript already.
      queue: (session === undefined ? queues.of('').slice(1) : queues.of(session.id)).map(queuedWithoutData),
      recent: sessions
        .all()
        .filter((other) => other !== session)
        .slice(0, RECENT)
        .map((other) => other.summary()),
      changes: this.services.review.summary(this.sessionId),
      checkpoints: session === undefined ? [] : checkpointsOf(session, this.services.changes),
    };
  }

  private progress(): string | undefined {
    const { sessions, config } = this.services;
    const { session, starting } = this;
    if (session !== undefined) {
      return sessions.isRestoring(session.id)
        ? vscode.l10n.t('Reconnecting to {0}…', session.record.agentName)
        : undefined;
    }
    const name = starting === undefined ? undefined : config.findAgent(starting.agentId)?.name;
    return starting === undefined ? undefined : vscode.l10n.t('Starting {0}…', name ?? starting.agentId);
  }

  private async receive(message: WebviewMessage): Promise<void> {
    this.used.fire();
    try {
      await this.handle(message);
    } catch (error) {
      this.services.log.error(asError(error));
      if (this.session === undefined || !this.isThere(this.session)) {
        void vscode.window.showErrorMessage(withoutLinks(asError(error).message));
      } else {
        this.session.showError(error);
      }
    }
  }

  private async handle(message: WebviewMessage): Promise<void> {
    const { sessions, queues, drafts, config, offer, actions, context, review, workspace } = this.services;
    switch (message.type) {
      case 'ready':
      case 'resync':
        return;
      case 'focusChanged':
        this.services.focus.set(this, message.hasFocus);
        return;
      case 'submitPrompt':
        await this.submit(message.sessionId, {
          text: message.text,
          attachments: drafts.filled(message.attachments),
        });
        return;
      case 'cancelTurn':
        if (message.sessionId === '') {
          this.stopStart();
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
        this.selectAgent(message.agentId);
        return;
      case 'addAgent':
        await offer.accept(message.agentId);
        // The reason of a failure is shown in the chat.
        await this.start(message.agentId).catch(() => undefined);
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
      case 'addTerminalSelection':
        this.attach(await context.terminal());
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
        await openLink(message.href, this.session?.workdir);
        return;
      case 'openLocation':
        await openLocation(message.path, message.line, this.session?.workdir);
        return;
      case 'loadImage': {
        const { sessionId, path } = message;
        const workdir = sessions.get(sessionId)?.workdir;
        const address =
          workdir === undefined ? undefined : await imageAddress(path, workdir, workspace.folders());
        this.bridge.post({ type: 'image', sessionId, path, address });
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
        await actions.run(message.command, this.session, {
          retryStart: () => this.retryStart(),
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
