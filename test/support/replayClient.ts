import { Readable, Writable } from 'node:stream';
import { AgentConnection } from '../../src/core/agent/agentConnection';
import { ParleyError } from '../../src/core/base/errors';
import { FileProblem, type FilePort } from '../../src/core/ports';
import { restoreSession } from '../../src/core/session/restore';
import { Session } from '../../src/core/session/session';
import { asObject, asObjects, asString, type JsonObject } from '../../src/shared/json';
import type { TranscriptEvent } from '../../src/shared/transcript/events';
import type { ContentBlock, FormAnswer } from '../../src/shared/transcript/model';
import { readBlock } from '../../src/core/agent/contentBlocks';
import { FakeTerminals, MemoryLog } from './fakes';
import { recordedAnswer, type ClientAction, type Message, type RecordedEntry } from './recording';
import { ReplayPlayer } from './replayPlayer';
import { until } from './until';

/** Calls that no product client makes; they are cut out of a recording together with their answers. */
const foreignMethods: ReadonlySet<string> = new Set(['session/no_such_method']);

export interface ReplayReport {
  readonly log: MemoryLog;
  /** By the agent's own session id. */
  readonly sessions: ReadonlyMap<string, Session>;
  /** What the client did, and whether it succeeded now as it did then. */
  readonly differentOutcomes: readonly string[];
  readonly promptCount: number;
}

export interface ReplayChecks {
  /** Called right at the end of each prompt turn. */
  afterTurn(session: Session, where: string): void;
}

/** Does with the product's own connection and sessions what the recorded client did in one process. */
export async function replayToProduct(
  recorded: readonly RecordedEntry[],
  checks: ReplayChecks,
): Promise<ReplayReport> {
  return new ReplayClient(withoutForeignCalls(recorded), checks).run();
}

export function withoutForeignCalls(entries: readonly RecordedEntry[]): RecordedEntry[] {
  const isForeign = ({ message }: RecordedEntry): boolean =>
    message?.method !== undefined && foreignMethods.has(message.method);
  const ids = new Set(entries.filter(isForeign).map(({ message }) => message?.id));
  return entries.filter((entry) => {
    const { kind, message } = entry;
    const isAnswer = kind === 'fromAgent' && message?.method === undefined && ids.has(message?.id);
    return !isForeign(entry) && !isAnswer;
  });
}

class ReplayClient {
  private readonly log = new MemoryLog();
  private readonly player: ReplayPlayer;
  private readonly connection: AgentConnection;
  private readonly sessions = new Map<string, Session>();
  /** Requests of the agent that our side has not yet been asked for by the connection. */
  private readonly asked: Message[] = [];
  private readonly working: Promise<void>[] = [];
  private readonly differentOutcomes: string[] = [];
  private receivedCount = 0;
  private promptCount = 0;
  private idCount = 0;

  constructor(
    private readonly entries: readonly RecordedEntry[],
    private readonly checks: ReplayChecks,
  ) {
    this.player = new ReplayPlayer(entries);
    const writer = this.player.writable.getWriter();
    const stdin = new Writable({
      write: (chunk: Uint8Array, _encoding, done) => {
        writer.write(chunk).then(() => done(), done);
      },
    });
    const stdout = Readable.from(this.player.readable, { objectMode: false });
    this.connection = new AgentConnection(
      { stdin, stdout },
      {
        name: 'Recorded',
        clientVersion: '0.0.0',
        askOutsideSession: () => Promise.resolve({ action: 'cancel' }),
        files: this.files(),
        terminals: new FakeTerminals(),
        log: this.log,
        newId: () => this.newId(),
        now: Date.now,
        onTraffic: (direction, message) => this.see(direction, message),
        describeEnd: async () => new ParleyError('agentExited', 'The recording is over.'),
      },
    );
  }

  async run(): Promise<ReplayReport> {
    for (;;) {
      const action = await this.player.nextAction();
      if (action === undefined) {
        break;
      }
      await this.catchUp(action.line);
      const performed = this.perform(action);
      this.working.push(performed);
      if (action.method === 'session/load') {
        // The session is there only when its history is, which some agents send after their answer.
        await performed;
      }
    }
    await this.player.done;
    await this.catchUp(Number.POSITIVE_INFINITY);
    await Promise.all(this.working);
    this.connection.dispose();
    const { log, sessions, differentOutcomes, promptCount } = this;
    return { log, sessions, differentOutcomes, promptCount };
  }

  /** The recorded client had seen all that came before it acted; so must ours, or the order is left to chance. */
  private async catchUp(line: number): Promise<void> {
    const sent = this.entries.filter((entry) => entry.kind === 'fromAgent' && entry.line < line).length;
    await until(`what was sent before line ${line}`, () => this.receivedCount >= sent);
    await new Promise((resolve) => setImmediate(resolve));
  }

  private see(direction: 'sent' | 'received', message: JsonObject): void {
    if (direction === 'sent') {
      return;
    }
    this.receivedCount += 1;
    if (message.method !== undefined && message.id !== undefined) {
      this.asked.push(message);
    }
  }

  private async perform(action: ClientAction): Promise<void> {
    const shouldFail = action.kind === 'request' && this.wasRefused(action);
    try {
      await this.act(action);
    } catch (error) {
      if (!shouldFail) {
        this.differentOutcomes.push(`line ${action.line}: ${action.method} failed: ${String(error)}`);
      }
      return;
    }
    if (shouldFail) {
      this.differentOutcomes.push(`line ${action.line}: ${action.method} succeeded`);
    }
  }

  private wasRefused({ line }: ClientAction): boolean {
    const id = this.entries.find((entry) => entry.line === line)?.message?.id;
    const answer = this.entries.find(
      ({ kind, message }) => kind === 'fromAgent' && message?.method === undefined && message?.id === id,
    );
    return answer?.message?.error !== undefined;
  }

  private async act({ method, params, line }: ClientAction): Promise<void> {
    const { connection } = this;
    const given = asObject(params);
    const id = asString(given.sessionId) ?? '';
    switch (method) {
      case 'initialize':
        await connection.initialize();
        return;
      case 'session/new': {
        const session = this.newSession('');
        this.adopt(session, await connection.newSession(session));
        return;
      }
      case 'session/fork': {
        const session = this.newSession('');
        this.adopt(session, await connection.forkSession(id, session));
        return;
      }
      case 'session/load': {
        const session = this.newSession(id);
        await restoreSession(session, connection);
        this.sessions.set(id, session);
        return;
      }
      case 'session/resume': {
        const session = this.newSession(id);
        this.adopt(session, await connection.resumeSession(id, session));
        return;
      }
      case 'session/list':
        await connection.listSessions('/workspace').next();
        return;
      case 'session/prompt':
        return this.prompt(id, asObjects(given.prompt), line);
      case 'session/cancel':
        return this.require(id).cancel();
      case 'session/set_mode':
        await connection.setConfig(id, 'mode', String(given.modeId), method);
        return;
      case 'session/set_model':
        return this.require(id).setConfig('model', String(given.modelId));
      case 'session/set_config_option':
        return this.require(id).setConfig(String(given.configId), given.value as string | boolean);
      case 'session/close':
        return connection.closeSession(id);
      case 'session/delete':
        return connection.deleteSession(id);
      default:
        throw new Error(`The recording's client called ${method}, which this one does not know.`);
    }
  }

  private async prompt(id: string, wireBlocks: readonly JsonObject[], line: number): Promise<void> {
    const blocks: ContentBlock[] = wireBlocks.map(readBlock).filter((block) => block !== undefined);
    const session = this.sessions.get(id);
    if (session === undefined) {
      await this.connection.prompt(id, blocks);
      return;
    }
    this.promptCount += 1;
    try {
      await session.prompt(blocks);
    } finally {
      this.checks.afterTurn(session, `line ${line}`);
    }
  }

  private newSession(agentSessionId: string): Session {
    const session = new Session(
      {
        sessionId: agentSessionId,
        agentSessionId,
        agentId: 'recorded',
        agentName: 'Recorded',
        agentKey: 'recorded@/workspace',
        workdir: '/workspace',
        status: 'active',
        turnCount: agentSessionId === '' ? 0 : 1,
        createdAt: 0,
        lastActiveAt: 0,
      },
      { log: this.log, newId: () => this.newId(), now: Date.now, openExternal: async () => true },
    );
    session.onDidDispatch((event) => this.answer(session, event));
    return session;
  }

  private adopt(session: Session, opened: Awaited<ReturnType<AgentConnection['newSession']>>): void {
    const { agentSessionId } = opened;
    session.update({ sessionId: agentSessionId, agentSessionId });
    session.attach(this.connection, opened);
    this.sessions.set(agentSessionId, session);
  }

  private require(id: string): Session {
    const session = this.sessions.get(id);
    if (session === undefined) {
      throw new Error(`There is no session ${id}.`);
    }
    return session;
  }

  /** Answers questions as the recorded user did; a cancelled one waits for the cancel that comes in the recording. */
  private answer(session: Session, event: TranscriptEvent): void {
    if (event.type === 'permissionAsked') {
      const result = this.takeAnswer('session/request_permission');
      const optionId = asString(asObject(result.outcome).optionId);
      if (optionId !== undefined) {
        // The question is open only after this event has been told to everybody.
        queueMicrotask(() => session.answerPermission(event.requestId, optionId));
      }
    }
    if (event.type === 'elicitationAsked') {
      const { action, content } = this.takeAnswer('elicitation/create');
      queueMicrotask(() =>
        session.answerElicitation(
          event.id,
          action === 'accept'
            ? { action, content: asObject(content) as FormAnswer }
            : { action: action === 'decline' ? action : 'cancel' },
        ),
      );
    }
  }

  private files(): FilePort {
    return {
      readTextFile: async ({ path }) => {
        const content = asString(this.takeAnswer('fs/read_text_file').content);
        if (content === undefined) {
          throw new FileProblem('notFound', `There is no file ${path}.`);
        }
        return content;
      },
      writeTextFile: async () => undefined,
    };
  }

  /** What was answered to the oldest request of that method that has not been looked at yet. */
  private takeAnswer(method: string): JsonObject {
    const index = this.asked.findIndex((message) => message.method === method);
    const [message] = this.asked.splice(index, 1);
    if (index < 0 || message?.id === undefined) {
      throw new Error(`Nobody asked ${method}.`);
    }
    return asObject(recordedAnswer(this.entries, message.id)?.result);
  }

  private newId(): string {
    return `id${++this.idCount}`;
  }
}
