import type { ElicitationAnswer, SessionSummary } from '../../shared/protocol';
import type { TranscriptEvent, TurnOutcome } from '../../shared/transcript/events';
import {
  emptyTranscript,
  type ContentBlock,
  type NoticeAction,
  type PermissionOutcome,
  type Transcript,
} from '../../shared/transcript/model';
import { reduce } from '../../shared/transcript/reduce';
import { isWaitingForUser, lastAnswer } from '../../shared/transcript/select';
import type { AgentConnection } from '../agent/agentConnection';
import type {
  ElicitationOutcome,
  ElicitationQuestion,
  OpenedSession,
  PermissionQuestion,
  SessionSink,
} from '../agent/agentSession';
import { withLegacyOptions } from '../agent/configOptions';
import { Emitter } from '../base/emitter';
import { ParleyError } from '../base/errors';
import type { IDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import { answerByRule } from './answerByRule';
import { chosenOptions } from './choices';
import { commandFirst } from './commandFirst';
import { errorNotice } from './errorNotice';
import type { PermissionSubject, PolicyAnswer } from '../permissions/policy';
import { Questions } from './questions';
import { Replay } from './replay';
import { knownBefore } from './replayedHistory';
import { GuardedHooks, type SessionHooks } from './sessionHooks';
import type { SessionRecord } from './sessionRecord';
import { outcomeOf } from './stopReasons';
import { storedTranscript } from '../transcripts/storedTranscript';
import { summarize } from './summary';
import { titleFromPrompt, titleOf } from './titles';
import { Turn, type TurnFacts } from './turn';
import type { TurnLimits } from './turnWatch';

export const PROMPT_ACTIVE = 'The agent is still busy with the last prompt. Wait for it or stop it.';

export interface SessionContext {
  readonly log: Logger;
  readonly newId: () => string;
  readonly now: () => number;
  readonly limits?: TurnLimits;
  /** Answers questions by the user's standing rules; undefined: ask. */
  readonly decide?: (subject: PermissionSubject) => PolicyAnswer | undefined;
  readonly hooks?: SessionHooks;
  /** How long a hook may keep a prompt or an answer waiting. */
  readonly hookLimitMs?: number;
  /** The workspace's other folders, which a session in this one may work in too. */
  otherFolders?(folder: string): readonly string[];
  /** Asked before consent is told to the agent: opens an address outside the editor. */
  openExternal(url: string): Promise<boolean>;
}

export interface TurnResult {
  readonly stopReason: string;
  readonly turnNumber: number;
  /** What the agent said in this turn. */
  readonly text: string;
}

/** A session while an agent serves it. */
interface Live {
  readonly connection: AgentConnection;
  readonly opened: OpenedSession;
}

/** One conversation: its transcript, its single running turn, and its open questions. */
export class Session implements SessionSink, IDisposable {
  private transcriptState = emptyTranscript;
  private live: Live | undefined;
  private turn: Turn | undefined;
  private failed: readonly ContentBlock[] | undefined;
  private usedAt = 0;
  private isReadOnly = false;
  private firstContext: ContentBlock | undefined;
  private replay: Replay | undefined;
  private recorder: ((event: TranscriptEvent) => void) | undefined;
  /** What came before `recordTo`, such as commands that precede the answer to `session/new`. */
  private unrecorded: TranscriptEvent[] = [];
  private readonly questions: Questions;
  private readonly hooks: GuardedHooks;

  private readonly dispatched = new Emitter<TranscriptEvent>();
  private readonly changed = new Emitter<void>();
  private readonly reset = new Emitter<void>();
  /** Each event, after the transcript has taken it. */
  readonly onDidDispatch = this.dispatched.event;
  /** Something in `record` or `summary` is different. */
  readonly onDidChange = this.changed.event;
  /** The transcript was replaced as a whole. */
  readonly onDidReset = this.reset.event;

  constructor(
    private currentRecord: SessionRecord,
    private readonly context: SessionContext,
  ) {
    this.questions = new Questions({
      now: context.now,
      newId: context.newId,
      dispatch: (event) => this.dispatch(event),
      openExternal: (url) => context.openExternal(url),
    });
    this.hooks = new GuardedHooks(context.hooks, context.log, context.hookLimitMs);
  }

  get id(): string {
    return this.currentRecord.sessionId;
  }

  get workdir(): string {
    return this.currentRecord.workdir;
  }

  get roots(): readonly string[] {
    return [this.workdir, ...(this.context.otherFolders?.(this.workdir) ?? [])];
  }

  get record(): SessionRecord {
    return this.currentRecord;
  }

  get transcript(): Transcript {
    return this.transcriptState;
  }

  get connection(): AgentConnection | undefined {
    return this.live?.connection;
  }

  get isLive(): boolean {
    return this.live !== undefined;
  }

  get isRunning(): boolean {
    return this.turn !== undefined;
  }

  get isWaiting(): boolean {
    return this.questions.isAnyOpen || isWaitingForUser(this.transcriptState);
  }

  get title(): string {
    return titleOf(this.currentRecord);
  }

  /** When the user or the agent last did anything with it in this window. */
  get lastUsedAt(): number {
    return Math.max(this.usedAt, this.record.lastActiveAt);
  }

  /** What the last turn was asked, when it failed: worth another try. */
  get failedPrompt(): readonly ContentBlock[] | undefined {
    return this.failed;
  }

  summary(): SessionSummary {
    return summarize(this.record, this.isReadOnly, this.live?.connection.info.capabilities);
  }

  /** The agent serves this session from now on. */
  attach(connection: AgentConnection, opened: OpenedSession): void {
    this.live = { connection, opened };
    this.isReadOnly = false;
    this.usedAt = this.context.now();
    this.dispatch({ type: 'configChanged', config: opened.config });
    this.update({ status: 'active', statusReason: undefined, closeReason: undefined });
  }

  /** No agent serves it any more. What was open is answered; a turn that its agent will not end is over. */
  detach(status: SessionRecord['status'], reason?: string, closeReason?: string): void {
    this.live = undefined;
    this.questions.cancelAll();
    if (status === 'closed') {
      this.endTurn(this.turn, { kind: 'cancelled' });
    }
    this.update({ status, statusReason: reason, closeReason });
  }

  /** The agent cannot bring it back: what is stored is all there is. */
  markReadOnly(status: 'disconnected' | 'error', reason: string): void {
    this.isReadOnly = true;
    this.update({ status, statusReason: reason });
  }

  /** Goes along with the first prompt, for example the conversation that this one continues. */
  giveContext(block: ContentBlock): void {
    this.firstContext = block;
  }

  get hasContext(): boolean {
    return this.firstContext !== undefined;
  }

  /** Takes over a stored transcript without telling it to anyone. */
  restoreTranscript(events: readonly TranscriptEvent[]): void {
    if (this.isLive) {
      return;
    }
    this.transcriptState = storedTranscript(events, this.context.now());
    this.reset.fire();
  }

  /** Where every event goes to be kept, those so far included. */
  recordTo(recorder: (event: TranscriptEvent) => void): void {
    this.recorder = recorder;
    this.unrecorded.forEach(recorder);
    this.unrecorded = [];
  }

  /** Until it ends, events rebuild the transcript out of sight: a history is shown at once or not at all. */
  beginReplay(): void {
    this.replay = new Replay(this.transcriptState);
  }

  /** `take`: it is the transcript from now on; `keepOurs`: only what it says of now counts; `forget`: it is void. */
  endReplay(outcome: 'take' | 'keepOurs' | 'forget'): void {
    const { replay } = this;
    this.replay = undefined;
    if (replay === undefined) {
      return;
    }
    if (outcome === 'keepOurs') {
      this.onEvents(replay.current);
    } else if (outcome === 'take') {
      const known = knownBefore(this.transcriptState, replay.transcript);
      replay.take({ type: 'replayEnded', known });
      this.transcriptState = replay.transcript;
      replay.events.forEach((event) => this.keep(event));
      this.reset.fire();
    }
  }

  get replayedEvents(): number {
    return this.replay?.events.length ?? 0;
  }

  /** The history as far as it has been replayed. */
  get replayed(): Transcript {
    return this.replay?.transcript ?? emptyTranscript;
  }

  /**
   * One at a time; resolves at the end of the turn. The transcript shows whatever happens. `onStarted` is called
   * when the prompt is in the transcript, where it cannot be lost any more.
   */
  async prompt(
    blocks: readonly ContentBlock[],
    onStarted: () => void = () => undefined,
  ): Promise<TurnResult> {
    if (this.turn !== undefined) {
      throw new ParleyError('promptActive', PROMPT_ACTIVE);
    }
    const { connection, opened } = this.requireLive();
    const context = this.firstContext;
    const sent = context === undefined ? blocks : commandFirst([context], blocks);
    const turn = this.beginTurn(sent);
    onStarted();
    await this.hooks.beforeTurn(this, turn.id);
    try {
      if (turn.wasCancelled || !this.isRunning) {
        return await this.finish(turn, 'cancelled');
      }
      turn.isSent = true;
      const { stopReason, tokens } = await connection.prompt(opened.agentSessionId, sent);
      this.firstContext = undefined;
      if (this.record.continues !== undefined) {
        this.update({ continues: undefined });
      }
      return await this.finish(turn, stopReason, tokens);
    } catch (error) {
      if (turn.wasCancelled) {
        return this.finish(turn, 'cancelled');
      }
      this.failed = blocks;
      const notice = errorNotice(error, this.context.newId());
      const filesChanged = await this.hooks.afterTurn(this, turn);
      this.endTurn(turn, { kind: 'failed', notice }, { filesChanged });
      throw error;
    }
  }

  /** Asks the agent to stop. Open questions are answered with `cancelled` at once. */
  async cancel(): Promise<void> {
    if (this.turn === undefined || this.live === undefined) {
      return;
    }
    this.turn.cancelling();
    // A prompt that is still to be sent is not sent any more.
    if (this.turn.isSent) {
      await this.live.connection.cancel(this.live.opened.agentSessionId);
    }
    this.questions.cancelAll();
  }

  /** Injects a message into the running turn. False when the agent did not take it. */
  async steer(blocks: readonly ContentBlock[]): Promise<boolean> {
    if (this.live === undefined || this.turn === undefined) {
      return false;
    }
    const outcome = await this.live.connection.steer(this.live.opened.agentSessionId, blocks);
    const wasTaken = outcome === 'injected' || outcome === 'startedNewTurn';
    if (wasTaken) {
      const { now, newId } = this.context;
      this.dispatch({ type: 'messageSteered', at: now(), entryId: newId(), blocks });
    }
    return wasTaken;
  }

  async setConfig(configId: string, value: string | boolean): Promise<void> {
    const { connection, opened } = this.requireLive();
    this.usedAt = this.context.now();
    const method = opened.configMethods[configId];
    const config = await connection.setConfig(opened.agentSessionId, configId, value, method);
    this.dispatch(
      config === undefined
        ? { type: 'configValueChanged', id: configId, value }
        : { type: 'configChanged', config },
    );
  }

  answerPermission(requestId: string, optionId: string): void {
    this.usedAt = this.context.now();
    if (!this.questions.answerPermission(requestId, optionId)) {
      this.context.log.warn(`No open question ${requestId} to answer`);
    }
  }

  answerElicitation(id: string, answer: ElicitationAnswer): void {
    if (!this.questions.answerElicitation(id, answer)) {
      this.context.log.warn(`No open question ${id} to answer`);
    }
  }

  /** Ends a command that the agent runs in a terminal of ours. */
  killTerminal(terminalId: string): void {
    this.live?.connection.killTerminal(this.live.opened.agentSessionId, terminalId);
  }

  /** What the user typed for a command; undefined: there will be no more. False when nobody reads it. */
  writeTerminal(terminalId: string, data: string | undefined): boolean {
    return this.live?.connection.writeTerminal(this.live.opened.agentSessionId, terminalId, data) ?? false;
  }

  rename(title: string): void {
    this.update({ title, hasCustomTitle: true });
  }

  onEvents(events: readonly TranscriptEvent[]): void {
    for (const event of events) {
      this.dispatch(event);
    }
  }

  onActivity(): void {
    this.turn?.touch();
  }

  async askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome> {
    const outcome =
      answerByRule(this, question, this.context, (event) => this.dispatch(event)) ??
      (await this.askUser(this.questions.askPermission(question, signal)));
    await this.hooks.beforeAnswer(this);
    return outcome;
  }

  async askElicitation(question: ElicitationQuestion, signal: AbortSignal): Promise<ElicitationOutcome> {
    const answer = await this.askUser(this.questions.askElicitation(question, signal));
    await this.hooks.beforeAnswer(this);
    return answer;
  }

  completeElicitation(elicitationId: string): boolean {
    return this.questions.completeElicitation(elicitationId);
  }

  /** Shows something in the conversation that is not part of a turn. */
  addNotice(notice: {
    text: string;
    severity: 'info' | 'warning' | 'error';
    entryId?: string;
    actions?: readonly NoticeAction[];
  }): void {
    this.dispatch({ type: 'noticeAdded', at: this.context.now(), entryId: this.context.newId(), ...notice });
  }

  showError(error: unknown): void {
    this.dispatch({
      type: 'noticeAdded',
      at: this.context.now(),
      ...errorNotice(error, this.context.newId()),
    });
  }

  update(change: Partial<SessionRecord>): void {
    this.currentRecord = { ...this.currentRecord, ...change };
    this.changed.fire();
  }

  dispose(): void {
    this.turn?.dispose();
    this.questions.cancelAll();
    this.dispatched.dispose();
    this.changed.dispose();
    this.reset.dispose();
  }

  private requireLive(): Live {
    if (this.live === undefined) {
      const { status } = this.record;
      throw new ParleyError('sessionClosed', `The session is ${status}.`, { status });
    }
    return this.live;
  }

  private async askUser<T>(answer: Promise<T>): Promise<T> {
    this.changed.fire();
    try {
      return await answer;
    } finally {
      this.changed.fire();
    }
  }

  private beginTurn(blocks: readonly ContentBlock[]): Turn {
    const id = this.record.turnCount + 1;
    this.failed = undefined;
    this.turn = new Turn(id, blocks, {
      now: this.context.now,
      newId: this.context.newId,
      limits: this.context.limits,
      agentName: () => this.record.agentName,
      isWaiting: () => this.questions.isAnyOpen,
      dispatch: (event) => this.dispatch(event),
    });
    this.update({
      turnCount: id,
      lastActiveAt: this.context.now(),
      status: 'active',
      title: this.record.title ?? titleFromPrompt(blocks),
    });
    return this.turn;
  }

  /** Said to have ended only when what it did to the files is known. */
  private async finish(turn: Turn, stopReason: string, tokens?: number): Promise<TurnResult> {
    const outcome = outcomeOf(stopReason, turn.wasCancelled, this.context.newId);
    const result = {
      stopReason: turn.wasCancelled ? 'cancelled' : stopReason,
      turnNumber: turn.id,
      text: lastAnswer(this.transcript),
    };
    const filesChanged = await this.hooks.afterTurn(this, turn);
    this.endTurn(turn, outcome, { filesChanged, tokens });
    return result;
  }

  private endTurn(turn: Turn | undefined, outcome: TurnOutcome, facts: TurnFacts = {}): void {
    if (turn === undefined || this.turn !== turn) {
      return;
    }
    this.turn = undefined;
    this.questions.cancelAll();
    turn.end(outcome, facts);
    // A session that was closed in a turn may never hear the end of it from the agent.
    void this.hooks.afterTurn(this, turn);
    this.update({ lastActiveAt: this.context.now() });
  }

  private withLegacy(
    config: Transcript['config'],
    methods: OpenedSession['configMethods'],
  ): Transcript['config'] {
    const legacy = this.transcriptState.config.filter(({ id }) => methods[id] !== undefined);
    return withLegacyOptions(config, legacy);
  }

  private dispatch(told: TranscriptEvent): void {
    const event =
      told.type === 'configChanged' && this.live !== undefined
        ? { ...told, config: this.withLegacy(told.config, this.live.opened.configMethods) }
        : told;
    if (event.type === 'titleChanged' && event.title !== undefined && this.record.hasCustomTitle !== true) {
      this.update({ title: event.title });
    }
    if (event.type === 'configChanged' || event.type === 'configValueChanged') {
      const chosen = chosenOptions(reduce(this.transcriptState, event).config);
      if (chosen.modeId !== this.record.modeId || chosen.modelId !== this.record.modelId) {
        this.update(chosen);
      }
    }
    if (this.replay !== undefined) {
      this.replay.take(event);
      return;
    }
    this.transcriptState = reduce(this.transcriptState, event);
    this.keep(event);
    this.dispatched.fire(event);
  }

  private keep(event: TranscriptEvent): void {
    if (this.recorder === undefined) {
      this.unrecorded.push(event);
    } else {
      this.recorder(event);
    }
  }
}
