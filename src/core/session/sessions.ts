import type { Attachment } from '../../shared/attachments';
import type { TranscriptEvent } from '../../shared/transcript/events';
import type { ContentBlock } from '../../shared/transcript/model';
import type { ConnectedAgent } from '../agent/agentRuntime';
import type { ListedSession } from '../agent/agentSession';
import { AgentPool, type AgentDefinition, type AgentExit } from '../agents/agentPool';
import { Emitter } from '../base/emitter';
import { asError, ParleyError } from '../base/errors';
import { DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/log';
import { AgentUse } from './agentUse';
import { continuationBlock } from './continuation';
import type { History } from './history';
import { ForeignSessions } from './foreignSessions';
import type { PromptQueues } from './promptQueue';
import { PromptSender, type PromptSenderOptions } from './promptSender';
import { Restorer } from './restorer';
import { PROMPT_ACTIVE, Session, type SessionContext, type TurnResult } from './session';
import { readSessionRecord, type SessionRecord } from './sessionRecord';
import { asFoundAfterReload, folderOf, newRecord } from './newRecord';

/** Where transcripts are kept; `TranscriptStore` in the product. */
export interface TranscriptLog {
  open(head: SessionRecord): Promise<void> | void;
  updateHead(sessionId: string, head: SessionRecord): Promise<void> | void;
  append(sessionId: string, event: TranscriptEvent): void;
  read(sessionId: string): Promise<{ readonly events: readonly TranscriptEvent[] } | undefined>;
  delete(sessionId: string): Promise<void>;
  /** Makes a log that has grown small again. */
  compact(sessionId: string): Promise<unknown>;
  flush(): Promise<void> | void;
}

export interface SessionsOptions extends SessionContext {
  readonly pool: AgentPool;
  readonly history: History;
  readonly transcripts: TranscriptLog;
  readonly queues: PromptQueues;
  findAgent(id: string): AgentDefinition | undefined;
  readonly resolveAttachments: PromptSenderOptions['resolve'];
  readonly log: Logger;
}

export interface StartRequest {
  readonly agentId: string;
  readonly folder: string;
  readonly title?: string;
}

/** All sessions of this window: the one place where they are made, restored and ended. */
export class Sessions extends DisposableStore {
  private readonly sessions = new Map<string, Session>();
  private readonly restorer: Restorer;
  private readonly use: AgentUse;
  private readonly sender: PromptSender;
  private readonly listed = new ForeignSessions();
  private readonly changed = this.add(new Emitter<Session | undefined>());
  private readonly dispatched = this.add(new Emitter<{ session: Session; event: TranscriptEvent }>());
  /** A session is different; undefined when one came or went. */
  readonly onDidChange = this.changed.event;
  readonly onDidDispatch = this.dispatched.event;

  constructor(private readonly options: SessionsOptions) {
    super();
    this.sender = new PromptSender({
      queues: options.queues,
      newId: options.newId,
      prompt: (session, blocks, onStarted) => this.prompt(session.id, blocks, 'user', onStarted),
      makeLive: (session) => this.makeLive(session),
      resolve: options.resolveAttachments,
      changed: this.changed,
    });
    this.use = new AgentUse(
      options.pool,
      (key) => this.all().some((session) => session.isLive && session.record.agentKey === key),
      options.now,
    );
    this.restorer = new Restorer({
      transcripts: options.transcripts,
      log: options.log,
      restoring: (session, work) =>
        this.use.during(session.record.agentKey, async () => work((await this.agentOf(session)).connection)),
      onDidChange: (session) => this.changed.fire(session),
    });
    for (const record of options.history.all()) {
      this.track(new Session(asFoundAfterReload(record), options));
    }
    this.add(options.pool.onDidExit((exit) => this.handleAgentExit(exit)));
    this.add(
      options.pool.onDidChange((key) => {
        if (options.pool.state(key).kind === 'ready') {
          void this.refreshForeign(key);
        }
      }),
    );
  }

  /** Latest first. */
  all(): readonly Session[] {
    return [...this.sessions.values()].sort((a, b) => b.record.lastActiveAt - a.record.lastActiveAt);
  }

  get(sessionId: string): Session | undefined {
    return this.sessions.get(sessionId);
  }

  require(sessionId: string): Session {
    const session = this.sessions.get(sessionId);
    if (session === undefined) {
      throw new ParleyError('sessionNotFound', `There is no session ${sessionId}.`);
    }
    return session;
  }

  /** No record is made unless the agent really opened a session. */
  start(request: StartRequest): Promise<Session> {
    const { agentId, folder } = request;
    const definition = this.requireAgent(agentId);
    return this.use.during(AgentPool.key(agentId, folder), async () => {
      const { connection } = await this.options.pool.acquire(agentId, folder);
      const session = new Session(newRecord(request, definition, this.options.now()), this.options);
      const opened = await connection.newSession(session);
      this.adopt(session, opened.agentSessionId, request.title);
      this.restorer.isKnown(session.id);
      session.attach(connection, opened);
      return session;
    });
  }

  /**
   * Sends a prompt, restoring the session first when its agent is gone. Only the user brings a closed one back:
   * to other code, closed is final.
   */
  async prompt(
    sessionId: string,
    blocks: readonly ContentBlock[],
    by: 'user' | 'api' = 'user',
    onStarted?: () => void,
  ): Promise<TurnResult> {
    const session = this.require(sessionId);
    const { status } = session.record;
    if (by === 'api' && !session.isLive && status === 'closed') {
      throw new ParleyError('sessionClosed', 'The session is closed. Start a new one.', { status });
    }
    if (by === 'api' && this.sender.isSending(session)) {
      throw new ParleyError('promptActive', PROMPT_ACTIVE);
    }
    await this.makeLive(session);
    await this.giveContext(session);
    const result = await session.prompt(blocks, onStarted);
    if (by === 'api') {
      this.sender.turnEnded(session, result.stopReason);
    }
    return result;
  }

  /** Does again what failed last: the restore, what waits, or the prompt of the failed turn. */
  async retry(session: Session): Promise<void> {
    await this.makeLive(session);
    if (this.options.queues.of(session.id).length > 0) {
      this.sender.sendNext(session);
    } else if (session.failedPrompt !== undefined && !session.isRunning) {
      const result = await session.prompt(session.failedPrompt).catch(() => undefined);
      this.sender.turnEnded(session, result?.stopReason ?? 'cancelled');
    }
  }

  /** From the chat: while a turn runs, or others wait already, the prompt waits too. */
  submit(sessionId: string, text: string, attachments: readonly Attachment[] = []): void {
    this.sender.submit(this.require(sessionId), text, attachments);
  }

  async sendNow(sessionId: string, queuedId: string): Promise<void> {
    await this.sender.sendNow(this.require(sessionId), queuedId);
  }

  async steer(sessionId: string, queuedId: string): Promise<void> {
    await this.sender.steer(this.require(sessionId), queuedId);
  }

  /** Makes sure an agent serves the session; several callers share one attempt. */
  makeLive(session: Session): Promise<void> {
    return this.restorer.makeLive(session);
  }

  isRestoring(sessionId: string): boolean {
    return this.restorer.isRestoring(sessionId);
  }

  /** Reads the stored transcript of a session that has not been shown since the start. */
  loadTranscript(session: Session): Promise<void> {
    return this.restorer.loadTranscript(session);
  }

  async close(sessionId: string, closeReason = 'user'): Promise<void> {
    const session = this.require(sessionId);
    const { connection, record } = session;
    this.restorer.cancel(sessionId);
    if (session.isRunning) {
      await session.cancel();
    }
    session.detach('closed', undefined, closeReason);
    try {
      await connection?.closeSession(record.agentSessionId);
    } catch (error) {
      this.options.log.warn(`session/close failed: ${asError(error).message}`);
    }
    await this.use.stopIfUnused(record.agentKey);
    await this.options.transcripts.compact(sessionId);
  }

  /** Removes it for good, at the agent too where that is offered. */
  async delete(sessionId: string): Promise<void> {
    const session = this.require(sessionId);
    const { record } = session;
    await this.use.during(record.agentKey, async () => {
      await this.close(sessionId, 'deleted');
      const connection = this.options.pool.peek(record.agentKey)?.connection;
      if (connection?.info.capabilities.delete === true) {
        await connection.deleteSession(record.agentSessionId).catch((error: unknown) => {
          this.options.log.warn(`session/delete failed: ${asError(error).message}`);
        });
      }
    });
    this.sessions.delete(sessionId);
    session.dispose();
    this.options.queues.remove(sessionId);
    // At once: what is said to it from now on is lost.
    this.changed.fire(undefined);
    await this.options.history.remove(sessionId);
    await this.options.transcripts.delete(sessionId);
    this.options.hooks?.deleted(sessionId);
  }

  /** Starts a new session of the same agent that knows what was said in this one. */
  async continueInNew(sessionId: string): Promise<Session> {
    const old = this.require(sessionId);
    await this.loadTranscript(old);
    const session = await this.start({ agentId: old.record.agentId, folder: folderOf(old.record) });
    session.update({ title: old.title, continues: sessionId });
    await this.giveContext(session);
    // What could not be sent there is sent here.
    for (const queued of this.options.queues.of(sessionId)) {
      this.options.queues.add(session.id, queued);
    }
    this.options.queues.remove(sessionId);
    this.sender.sendNext(session);
    return session;
  }

  /** A new session with the same past, where the agent offers it. */
  async fork(sessionId: string): Promise<Session> {
    const old = this.require(sessionId);
    await this.makeLive(old);
    const { connection, record } = old;
    if (connection?.info.capabilities.fork !== true) {
      throw new ParleyError('requestFailed', `${record.agentName} cannot fork sessions.`);
    }
    const title = `${old.title} (fork)`;
    const request = { agentId: record.agentId, folder: record.workdir, title };
    const session = new Session(
      newRecord(request, this.requireAgent(record.agentId), this.options.now()),
      this.options,
    );
    session.update({ agentKey: record.agentKey, turnCount: record.turnCount });
    const opened = await connection.forkSession(record.agentSessionId, session);
    this.adopt(session, opened.agentSessionId, title);
    this.restorer.isKnown(session.id);
    if (session.transcript.entries.length === 0) {
      const stored = await this.options.transcripts.read(sessionId);
      session.onEvents(stored?.events ?? []);
    }
    session.attach(connection, opened);
    return session;
  }

  /** Sessions of that agent which are not ours; empty when the agent cannot list them or does not run. */
  foreign(agentKey: string): readonly ListedSession[] {
    const ours = this.all().map(({ record }) =>
      record.agentKey === agentKey ? record.agentSessionId : undefined,
    );
    return this.listed.of(agentKey, (id) => ours.includes(id));
  }

  /** Asks a running agent for its sessions. */
  async refreshForeign(agentKey: string): Promise<void> {
    const connection = this.options.pool.peek(agentKey)?.connection;
    const place = this.options.pool.describe(agentKey);
    if (connection?.info.capabilities.list !== true || place === undefined) {
      return;
    }
    try {
      await this.listed.refresh(agentKey, place.folder, connection);
    } catch (error) {
      this.options.log.warn(`session/list failed: ${asError(error).message}`);
    }
    this.changed.fire(undefined);
  }

  /** Makes a session of the agent one of ours and brings it back. */
  async openForeign(agentKey: string, agentSessionId: string): Promise<Session> {
    const found = this.foreign(agentKey).find((session) => session.agentSessionId === agentSessionId);
    if (found === undefined) {
      throw new ParleyError('sessionNotFound', `The agent has no session ${agentSessionId}.`);
    }
    const place = this.options.pool.describe(agentKey);
    if (place === undefined) {
      throw new ParleyError('agentExited', 'The agent that knows this session is not running any more.');
    }
    const { agentId } = place;
    const request = { agentId, folder: found.workdir ?? place.folder };
    const record = newRecord(request, this.requireAgent(agentId), found.updatedAt ?? this.options.now());
    const session = new Session(
      { ...record, agentKey, status: 'disconnected', title: found.title },
      this.options,
    );
    this.adopt(session, agentSessionId);
    await this.makeLive(session);
    return session;
  }

  /** Lists again what only the logs still know: a crash can cost the workspace its list of sessions. */
  adoptStored(heads: readonly unknown[]): void {
    for (const head of heads) {
      const record = readSessionRecord(head);
      if (record !== undefined && !this.sessions.has(record.sessionId)) {
        this.track(new Session(asFoundAfterReload(record), this.options));
        void this.options.history.put(record);
      }
    }
  }

  /** Drops the rows of sessions whose stored transcripts are gone. */
  forget(sessionIds: readonly string[]): void {
    for (const id of sessionIds) {
      const session = this.sessions.get(id);
      if (session?.isLive === false) {
        this.sessions.delete(id);
        session.dispose();
        void this.options.history.remove(id);
        this.options.hooks?.deleted(id);
      }
    }
    this.changed.fire(undefined);
  }

  /** Ends the agent's process and brings the session back with a new one. */
  async restartAgent(sessionId: string): Promise<void> {
    const session = this.require(sessionId);
    await this.options.pool.stop(session.record.agentKey);
    await this.makeLive(session);
  }

  /** True while a session of that agent is at work or waits for the user. */
  isAgentBusy(agentKey: string): boolean {
    return this.all().some(
      (session) =>
        session.record.agentKey === agentKey && session.isLive && (session.isRunning || session.isWaiting),
    );
  }

  /** Ends agents that have waited that long for a sign-in that did not come. */
  stopAbandoned(timeoutMs: number): Promise<void> {
    return this.use.stopAbandoned(this.options.now() - timeoutMs);
  }

  /** The agent of a session, started if need be. */
  async agentOf({ record }: Session): Promise<ConnectedAgent> {
    this.requireAgent(record.agentId);
    // An agent may list sessions of any folder as its own.
    this.options.pool.checkFolder(record.workdir);
    return this.options.pool.acquire(record.agentId, folderOf(record));
  }

  /** Also after a reload: what the session continues is in its record. */
  private async giveContext(session: Session): Promise<void> {
    const old = this.sessions.get(session.record.continues ?? '');
    if (old === undefined || session.hasContext) {
      return;
    }
    await this.loadTranscript(old);
    const embedded = session.connection?.info.capabilities.embeddedContext ?? false;
    session.giveContext(continuationBlock(old.transcript, old.title, embedded));
  }

  private adopt(session: Session, agentSessionId: string, title?: string): void {
    const sessionId = this.freeId(agentSessionId);
    session.update({
      sessionId,
      agentSessionId,
      ...(title === undefined ? {} : { title, hasCustomTitle: true }),
    });
    this.track(session);
    void this.options.history.put(session.record);
  }

  private track(session: Session): void {
    const { id } = session;
    this.sessions.set(id, session);
    this.add(session);
    let { record } = session;
    session.onDidChange(() => {
      if (session.record !== record) {
        record = session.record;
        void this.options.history.put(record);
        void this.options.transcripts.updateHead(id, record);
      }
      this.changed.fire(session);
    });
    let isLogOpen = false;
    session.recordTo((event) => {
      if (!isLogOpen) {
        isLogOpen = true;
        void this.options.transcripts.open(session.record);
      }
      this.options.transcripts.append(id, event);
    });
    session.onDidDispatch((event) => this.dispatched.fire({ session, event }));
    this.changed.fire(undefined);
  }

  private handleAgentExit({ key, error, wasAsked }: AgentExit): void {
    for (const session of this.sessions.values()) {
      if (session.record.agentKey === key && session.isLive) {
        session.detach('disconnected', wasAsked ? undefined : error.message);
      }
    }
  }

  private requireAgent(agentId: string): AgentDefinition {
    const definition = this.options.findAgent(agentId);
    if (definition === undefined) {
      throw new ParleyError('agentNotFound', `There is no agent "${agentId}" in the setting parley.agents.`);
    }
    return definition;
  }

  /** The agent's own id, unless another agent gave the same one. */
  private freeId(agentSessionId: string): string {
    let id = agentSessionId;
    for (let count = 2; this.sessions.has(id); count++) {
      id = `${agentSessionId}~${count}`;
    }
    return id;
  }
}
