import type { TranscriptEvent } from '../../shared/transcript/events';
import type { ContentBlock } from '../../shared/transcript/model';
import { AgentPool, type AgentDefinition, type AgentExit } from '../agents/agentPool';
import { Emitter } from '../base/emitter';
import { asError, ParleyError } from '../base/errors';
import { DisposableStore } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { History } from './history';
import type { PromptQueues } from './promptQueue';
import { Session, type SessionContext, type TurnResult } from './session';
import type { SessionRecord } from './sessionRecord';
import { restoreSession } from './restore';

/** Where transcripts are kept; `TranscriptStore` in the product. */
export interface TranscriptLog {
  open(head: SessionRecord): Promise<void> | void;
  updateHead(sessionId: string, head: SessionRecord): Promise<void> | void;
  append(sessionId: string, event: TranscriptEvent): void;
  read(sessionId: string): Promise<{ readonly events: readonly TranscriptEvent[] } | undefined>;
  delete(sessionId: string): Promise<void>;
  flush(): Promise<void> | void;
}

export interface SessionsOptions extends SessionContext {
  readonly pool: AgentPool;
  readonly history: History;
  readonly transcripts: TranscriptLog;
  readonly queues: PromptQueues;
  findAgent(id: string): AgentDefinition | undefined;
  /** Throws `folderNotAllowed` or `notTrusted` when no agent may work there. */
  checkFolder(folder: string): void;
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
  private readonly restoring = new Map<string, Promise<void>>();
  /** Sessions whose next prompt is on its way: between the queue and the turn it may have to wait for a restore. */
  private readonly sending = new Set<string>();
  /** Sessions in which a cancel makes room for a queued prompt instead of ending the work. */
  private readonly sendAfterCancel = new Set<string>();
  private readonly changed = this.add(new Emitter<Session | undefined>());
  private readonly dispatched = this.add(new Emitter<{ session: Session; event: TranscriptEvent }>());
  /** A session is different; undefined when one came or went. */
  readonly onDidChange = this.changed.event;
  readonly onDidDispatch = this.dispatched.event;

  constructor(private readonly options: SessionsOptions) {
    super();
    for (const record of options.history.all()) {
      this.track(new Session(asFoundAfterReload(record), options));
    }
    this.add(options.pool.onDidExit((exit) => this.handleAgentExit(exit)));
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
  async start(request: StartRequest): Promise<Session> {
    const { agentId, folder } = request;
    this.options.checkFolder(folder);
    const definition = this.requireAgent(agentId);
    const { connection } = await this.options.pool.acquire(agentId, folder);
    const session = new Session(newRecord(request, definition, this.options.now()), this.options);
    const opened = await connection.newSession(session);
    session.update({
      sessionId: this.freeId(opened.agentSessionId),
      agentSessionId: opened.agentSessionId,
      ...(request.title === undefined ? {} : { title: request.title, hasCustomTitle: true }),
    });
    this.track(session);
    session.attach(connection, opened);
    return session;
  }

  /**
   * Sends a prompt, restoring the session first when its agent is gone. Only the user brings a closed one back:
   * to other code, closed is final.
   */
  async prompt(
    sessionId: string,
    blocks: readonly ContentBlock[],
    by: 'user' | 'api' = 'user',
  ): Promise<TurnResult> {
    const session = this.require(sessionId);
    const { status } = session.record;
    if (by === 'api' && !session.isLive && status === 'closed') {
      throw new ParleyError('sessionClosed', 'The session is closed. Start a new one.', { status });
    }
    if (by === 'api' && this.sending.has(sessionId)) {
      throw new ParleyError('promptActive', 'The agent is still busy with the last prompt. Wait for it or stop it.');
    }
    await this.makeLive(session);
    return session.prompt(blocks);
  }

  /** From the chat: while a turn runs, or others wait already, the prompt waits too. */
  submit(sessionId: string, text: string): void {
    const session = this.require(sessionId);
    this.options.queues.add(sessionId, { id: this.options.newId(), text });
    this.changed.fire(session);
    this.sendNext(session);
  }

  /** Cancels what runs and sends this queued prompt as soon as it has ended. */
  async sendNow(sessionId: string, queuedId: string): Promise<void> {
    const session = this.require(sessionId);
    this.options.queues.move(sessionId, queuedId, 0);
    this.changed.fire(session);
    if (session.isRunning) {
      this.sendAfterCancel.add(sessionId);
      await session.cancel();
    } else {
      this.sendNext(session);
    }
  }

  /** Injects a queued prompt into the running turn; back in the queue if the agent would rather not. */
  async steer(sessionId: string, queuedId: string): Promise<void> {
    const session = this.require(sessionId);
    const queued = this.options.queues.take(sessionId, queuedId);
    if (queued === undefined) {
      return;
    }
    this.changed.fire(session);
    const wasTaken = await session.steer([{ kind: 'text', text: queued.text }]).catch((error: unknown) => {
      session.showError(error);
      return false;
    });
    if (!wasTaken) {
      this.options.queues.putBack(sessionId, queued);
      this.changed.fire(session);
      this.sendNext(session);
    }
  }

  /** Makes sure an agent serves the session; several callers share one attempt. */
  async makeLive(session: Session): Promise<void> {
    if (session.isLive) {
      return;
    }
    const underWay = this.restoring.get(session.id);
    if (underWay !== undefined) {
      return underWay;
    }
    const attempt = this.restore(session).finally(() => {
      this.restoring.delete(session.id);
      this.changed.fire(session);
    });
    this.restoring.set(session.id, attempt);
    this.changed.fire(session);
    return attempt;
  }

  isRestoring(sessionId: string): boolean {
    return this.restoring.has(sessionId);
  }

  /** Reads the stored transcript of a session that has not been shown since the start. */
  async loadTranscript(session: Session): Promise<void> {
    if (session.isLive || session.transcript.entries.length > 0) {
      return;
    }
    const stored = await this.options.transcripts.read(session.id);
    if (stored !== undefined) {
      session.restoreTranscript(stored.events);
    }
  }

  async close(sessionId: string, closeReason = 'user'): Promise<void> {
    const session = this.require(sessionId);
    const { connection, record } = session;
    if (session.isRunning) {
      await session.cancel();
    }
    session.detach('closed', undefined, closeReason);
    try {
      await connection?.closeSession(record.agentSessionId);
    } catch (error) {
      this.options.log.warn(`session/close failed: ${asError(error).message}`);
    }
    await this.stopIfUnused(record.agentKey);
  }

  /** Removes it for good, at the agent too where that is offered. */
  async delete(sessionId: string): Promise<void> {
    const session = this.require(sessionId);
    const { connection, record } = session;
    if (connection?.info.capabilities.delete === true) {
      await connection.deleteSession(record.agentSessionId).catch((error: unknown) => {
        this.options.log.warn(`session/delete failed: ${asError(error).message}`);
      });
    }
    await this.close(sessionId, 'deleted');
    this.sessions.delete(sessionId);
    session.dispose();
    this.options.queues.remove(sessionId);
    await this.options.history.remove(sessionId);
    await this.options.transcripts.delete(sessionId);
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

  private async restore(session: Session): Promise<void> {
    const { record } = session;
    this.options.checkFolder(record.workdir);
    this.requireAgent(record.agentId);
    await this.loadTranscript(session);
    try {
      const { connection } = await this.options.pool.acquire(record.agentId, folderOf(record));
      await restoreSession(session, connection, this.options.log);
    } catch (error) {
      session.detach('error', asError(error).message);
      throw error;
    }
  }

  private sendNext(session: Session): void {
    if (session.isRunning || this.sending.has(session.id)) {
      return;
    }
    const next = this.options.queues.take(session.id);
    if (next === undefined) {
      return;
    }
    this.changed.fire(session);
    void this.sendQueued(session, next.text);
  }

  private async sendQueued(session: Session, text: string): Promise<void> {
    const turnsBefore = session.record.turnCount;
    let mayGoOn = false;
    this.sending.add(session.id);
    try {
      const { stopReason } = await this.prompt(session.id, [{ kind: 'text', text }]);
      mayGoOn = stopReason !== 'cancelled' || this.sendAfterCancel.has(session.id);
    } catch (error) {
      if (session.record.turnCount === turnsBefore) {
        // It never reached the agent: it goes back to where the user can send it again.
        this.options.queues.putBack(session.id, { id: this.options.newId(), text });
        session.showError(error);
        this.changed.fire(session);
      }
    }
    this.sending.delete(session.id);
    this.sendAfterCancel.delete(session.id);
    if (mayGoOn) {
      this.sendNext(session);
    }
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

  private async stopIfUnused(agentKey: string): Promise<void> {
    const isUsed = this.all().some((session) => session.isLive && session.record.agentKey === agentKey);
    if (!isUsed) {
      await this.options.pool.stop(agentKey);
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

function newRecord(request: StartRequest, definition: AgentDefinition, now: number): SessionRecord {
  return {
    sessionId: '',
    agentSessionId: '',
    agentId: definition.id,
    agentName: definition.name,
    agentKey: AgentPool.key(definition.id, request.folder),
    workdir: request.folder,
    status: 'active',
    turnCount: 0,
    createdAt: now,
    lastActiveAt: now,
  };
}

/** No agent survives a reload. */
function asFoundAfterReload(record: SessionRecord): SessionRecord {
  return record.status === 'active' || record.status === 'idle'
    ? { ...record, status: 'disconnected' }
    : record;
}

function folderOf(record: SessionRecord): string {
  return record.agentKey.slice(record.agentKey.indexOf('@') + 1);
}
