import * as vscode from 'vscode';
import type { Attachment } from '../../shared/attachments';
import type { ChatState, HostMessage, WebviewMessage } from '../../shared/protocol';
import type { TranscriptEvent } from '../../shared/transcript/events';
import { emptyTranscript } from '../../shared/transcript/model';
import { asError } from '../../core/base/errors';
import { DisposableStore, type IDisposable } from '../../core/base/lifecycle';
import type { Logger } from '../../core/base/log';
import { emptyDraft, joinDrafts, type Draft, type Drafts } from '../../core/session/drafts';
import { queuedWithoutData, type PromptQueues } from '../../core/session/promptQueue';
import type { Changes } from '../../core/changes/model';
import type { Session } from '../../core/session/session';
import type { Sessions } from '../../core/session/sessions';
import type { ChangeReview } from '../changes/changeReview';
import type { AgentOffer } from '../agentOffer';
import { checkpointsOf } from '../changes/checkpoints';
import type { Config } from '../config';
import type { EditorContext } from '../context/editorContext';
import { withoutLinks } from '../withoutLinks';
import type { Workspace } from '../workspace';
import type { ChatFocus } from './chatFocus';
import { answerMessage } from './chatMessages';
import type { NoticeActions } from './noticeActions';
import { SessionStart } from './sessionStart';
import { WebviewBridge, type ShownTranscript } from './webviewBridge';

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

/** One chat on the screen: which session it shows, and what its user does. */
export class Chat extends DisposableStore {
  private readonly bridge: WebviewBridge;
  private session: Session | undefined;
  private sessionListeners: IDisposable | undefined;
  private readonly opening: SessionStart;
  /** A session that was started without a prompt: if the user leaves it like that, it goes. */
  private blank: Session | undefined;
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
    this.opening = new SessionStart(services, {
      changed: () => this.bridge.resync(),
      gaveBack: () => this.bridge.sendDraft(),
      started: ({ session, isBlank }) => {
        this.switchTo(session);
        this.blank = isBlank ? session : undefined;
      },
    });
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
      this.opening.giveUp();
    }
  }

  get currentSession(): Session | undefined {
    return this.session;
  }

  private get sessionId(): string {
    return this.session?.id ?? '';
  }

  /** The agent that is meant while there is no session. */
  get nextAgentId(): string {
    return this.opening.agentId;
  }

  /** Shows a session, or with none the start of a new one. */
  show(session: Session | undefined): void {
    if (session === undefined) {
      this.opening.clear();
    } else {
      this.opening.leave();
    }
    this.switchTo(session);
  }

  /** What has been shown of its start stays until there is something of the session itself. */
  private switchTo(session: Session | undefined): void {
    const { blank } = this;
    this.blank = undefined;
    if (blank !== undefined && blank !== session) {
      this.discardIfUnused(blank);
    }
    this.session = session;
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

  /** For the next session; in the place of this one if nothing was said in it. What was written goes along. */
  selectAgent(agentId: string): void {
    const { drafts } = this.services;
    const { session } = this;
    this.opening.chooseAgent(agentId);
    const isEmpty = session?.transcript.entries.length === 0 && session.record.agentId !== agentId;
    if (this.place === 'view' && session !== undefined && isEmpty) {
      drafts.set('', drafts.get(session.id));
      drafts.set(session.id, emptyDraft);
      this.show(undefined);
    }
    this.bridge.stateChanged();
  }

  /** What could not be taken is put back into the composer. */
  async submit(sessionId: string, prompt: Draft): Promise<void> {
    const { sessions, drafts } = this.services;
    try {
      if (sessionId === '') {
        const started = this.opening.submit(prompt);
        this.bridge.stateChanged();
        await started;
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

  post(message: HostMessage): void {
    this.bridge.post(message);
  }

  stateChanged(): void {
    this.bridge.stateChanged();
  }

  /**
   * Starts a session with the chosen agent and sends what waits for it. Why it failed is shown here, and thrown.
   */
  start(agentId: string, prompt?: Draft, folder?: string): Promise<Session> {
    return this.opening.start(agentId, prompt, folder);
  }

  async retryStart(): Promise<void> {
    const started = this.opening.retry();
    this.bridge.sendDraft();
    await started;
  }

  stopStart(): void {
    this.opening.stop();
  }

  /** Shows a session because the user asked for it, and brings it back to its agent. */
  async open(session: Session): Promise<void> {
    this.show(session);
    try {
      await this.services.sessions.makeLive(session);
    } catch (error) {
      session.showError(error);
    }
  }

  private follow(session: Session): IDisposable {
    const listeners = new DisposableStore();
    listeners.add(session.onDidDispatch((event) => this.follows(session, event)));
    listeners.add(session.onDidReset(() => this.bridge.resync()));
    return listeners;
  }

  /** What is said in the session takes the place of what was shown of its start. */
  private follows(session: Session, event: TranscriptEvent): void {
    if (this.opening.transcript.entries.length > 0 && session.transcript.entries.length > 0) {
      this.opening.clear();
      this.bridge.resync();
    } else {
      this.bridge.push(event);
    }
  }

  private get isOpening(): boolean {
    const own = this.session?.transcript.entries ?? [];
    return own.length === 0 && this.opening.transcript.entries.length > 0;
  }

  /** From its first prompt on, a session that has just been started looks as it will: there is no moment without it. */
  private shownTranscript(): ShownTranscript {
    const { sessionId, session } = this;
    const { entries, turn } = this.opening.transcript;
    const own = session?.transcript ?? emptyTranscript;
    return { sessionId, transcript: this.isOpening ? { ...own, entries, turn } : own };
  }

  private state(): ChatState {
    const { sessions, config, offer, queues, workspace } = this.services;
    const { session } = this;
    return {
      place: this.place,
      obstacle: workspace.obstacle,
      agents: config.agents().map(({ id, name, description }) => ({ id, name, description })),
      agentId: session?.record.agentId ?? this.opening.agentId,
      offer: session === undefined && workspace.obstacle === undefined ? offer.agents() : undefined,
      session: session?.summary(),
      progress: this.progress(),
      // The first prompt of a session that is being started is in the transcript already.
      queue: queues
        .of(this.sessionId)
        .slice(session === undefined || this.isOpening ? 1 : 0)
        .map(queuedWithoutData),
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
    const { session } = this;
    if (session === undefined) {
      return this.opening.progress;
    }
    return this.services.sessions.isRestoring(session.id)
      ? vscode.l10n.t('Reconnecting to {0}…', session.record.agentName)
      : undefined;
  }

  private async receive(message: WebviewMessage): Promise<void> {
    this.used.fire();
    try {
      await answerMessage(message, this, this.services);
    } catch (error) {
      this.services.log.error(asError(error));
      if (this.session === undefined || !this.isThere(this.session)) {
        void vscode.window.showErrorMessage(withoutLinks(asError(error).message));
      } else {
        this.session.showError(error);
      }
    }
  }
}
