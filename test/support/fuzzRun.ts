import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { AgentConnection } from '../../src/core/agent/agentConnection';
import { ParleyError } from '../../src/core/base/errors';
import type { Logger } from '../../src/core/base/log';
import { Session } from '../../src/core/session/session';
import type { SessionRecord } from '../../src/core/session/sessionRecord';
import { asObject, type JsonObject } from '../../src/shared/json';
import { FakeTerminals, MemoryFiles } from './fakes';
import { damagedLines, Random, readAgentLines } from './fuzzMessages';
import { until } from './until';

export interface FuzzOptions {
  readonly seed: number;
  readonly count: number;
  readonly onBatch?: (done: number) => void;
}

export interface FuzzReport {
  readonly sent: number;
  /** Messages that got as far as the connection: the damage must not keep everything out. */
  readonly received: number;
  readonly entries: number;
  /** What no message may cause, with the batch after which it was noticed. */
  readonly problems: readonly string[];
}

const BATCH = 250;
const ANSWER_MS = 3000;
const sessionId = 'fuzzed';

/**
 * Feeds damaged messages to the product's own connection and session, in turns and between them. After each batch
 * a new session must open and an ordinary prompt be answered.
 */
export async function fuzz({ seed, count, onBatch }: FuzzOptions): Promise<FuzzReport> {
  const problems: string[] = [];
  const report = (kind: string) => (error: unknown) => {
    problems.push(`seed ${seed}: ${kind}: ${error instanceof Error ? stackOf(error) : String(error)}`);
  };
  const onRejection = report('unhandled rejection');
  const onException = report('uncaught exception');
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  const restoreConsole = watchConsole(report('a listener threw'));
  const bench = new FuzzBench();
  const random = new Random(seed);
  const lines = readAgentLines(sessionId);
  let sent = 0;
  try {
    await bench.initialize();
    while (sent < count && problems.length === 0) {
      const size = Math.min(BATCH, count - sent);
      // A turn runs while every other batch comes in: its own answer may be damaged or forged.
      await bench.feed([...damagedLines(lines, random, size)], (sent / BATCH) % 2 === 0);
      sent += size;
      problems.push(...(await bench.check()).map((problem) => `seed ${seed}, after ${sent}: ${problem}`));
      onBatch?.(sent);
    }
  } catch (error) {
    report(`after ${sent} messages, connection closed by ${bench.closed ?? 'nothing'}`)(error);
  }
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onRejection);
  process.off('uncaughtException', onException);
  restoreConsole();
  bench.dispose();
  return { sent, received: bench.received, entries: bench.entries, problems };
}

/** An agent that answers properly, whatever else is written in its name, and the product on the other end. */
class FuzzBench {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  received = 0;
  entries = 0;
  closed: string | undefined;
  private readonly connection: AgentConnection;
  private session: Session | undefined;
  /** While set, prompts wait for `releasePrompt`. */
  private isHolding = false;
  private heldPrompt: unknown;
  private promptCount = 0;
  private idCount = 0;
  private onMarker: () => void = () => undefined;

  constructor() {
    createInterface({ input: this.stdin }).on('line', (line) => this.serve(asObject(JSON.parse(line))));
    this.connection = new AgentConnection(this, {
      name: 'Fuzzed',
      clientVersion: '0.0.0',
      askOutsideSession: () => Promise.resolve({ action: 'cancel' }),
      files: new MemoryFiles(),
      terminals: new FakeTerminals(),
      log: { ...quiet, debug: (message) => this.noteCause(message) },
      newId: () => this.newId(),
      now: Date.now,
      onTraffic: (direction, message) => this.see(direction, message),
      describeEnd: async () => new ParleyError('agentExited', 'the end of its stream'),
    });
    this.connection.onDidClose((error) => {
      this.closed ??= error.message;
    });
  }

  async initialize(): Promise<void> {
    await inTime('initialize', this.connection.initialize());
    this.session = await this.openSession();
  }

  async feed(lines: readonly Buffer[], isInTurn: boolean): Promise<void> {
    this.isHolding = isInTurn;
    const turn = isInTurn ? this.session?.prompt([{ kind: 'text', text: 'wait' }]) : undefined;
    // A damaged answer may fail the turn, and rightly so.
    const ended = turn?.catch(() => undefined);
    if (isInTurn) {
      await until('the prompt', () => this.heldPrompt !== undefined);
    }
    const read = new Promise<void>((resolve) => {
      this.onMarker = resolve;
    });
    lines.forEach((line) => this.stdout.write(line));
    this.send({ method: MARKER });
    await inTime('the end of the batch', read);
    if (isInTurn) {
      this.isHolding = false;
      this.send({ id: this.heldPrompt, result: { stopReason: 'end_turn' } });
      this.heldPrompt = undefined;
      await inTime('the end of the turn', Promise.resolve(ended));
    }
  }

  /** An ordinary prompt, then a new session: both must work, and nothing may stay open. */
  async check(): Promise<string[]> {
    const problems: string[] = [];
    if (this.closed !== undefined || this.session === undefined) {
      return [`the connection was closed: ${this.closed ?? 'no session'}`];
    }
    const { session } = this;
    const result = await inTime('an ordinary prompt', session.prompt([{ kind: 'text', text: 'hi' }]));
    if (result.stopReason !== 'end_turn' || !result.text.includes(`ok ${this.promptCount}`)) {
      problems.push(`an ordinary prompt was answered with ${JSON.stringify(result)}`);
    }
    const isOpen = session.transcript.entries.some(
      (entry) => entry.kind === 'tool' && (entry.status === 'pending' || entry.status === 'running'),
    );
    if (isOpen || session.isWaiting || session.isRunning) {
      problems.push('something is open after the turn');
    }
    this.entries += session.transcript.entries.length;
    session.dispose();
    this.session = await this.openSession();
    return problems;
  }

  dispose(): void {
    this.session?.dispose();
    this.connection.dispose();
  }

  private async openSession(): Promise<Session> {
    const session = new Session(record, {
      log: quiet,
      newId: () => this.newId(),
      now: Date.now,
      openExternal: async () => true,
    });
    const opened = await inTime('session/new', this.connection.newSession(session));
    session.attach(this.connection, opened);
    // Every event is stored as JSON and sent to the webview.
    session.recordTo((event) => void JSON.stringify(event));
    return session;
  }

  private serve({ id, method }: JsonObject): void {
    switch (method) {
      case 'initialize': {
        this.send({ id, result: { protocolVersion: 1 } });
        return;
      }
      case 'session/new': {
        this.send({ id, result: { sessionId } });
        return;
      }
      case 'session/prompt':
        if (this.isHolding) {
          this.heldPrompt = id;
          return;
        }
        this.promptCount += 1;
        this.send({
          method: 'session/update',
          params: {
            sessionId,
            update: {
              sessionUpdate: 'agent_message_chunk',
              content: { type: 'text', text: `ok ${this.promptCount}` },
            },
          },
        });
        {
          this.send({ id, result: { stopReason: 'end_turn' } });
          return;
        }
    }
  }

  private send(message: JsonObject): void {
    this.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  private see(direction: 'sent' | 'received', message: JsonObject): void {
    if (direction === 'sent') {
      return;
    }
    this.received += 1;
    if (process.env.FZ) {
      console.log('RX', JSON.stringify(message).slice(0, 300));
    }
    if (message.method === MARKER) {
      this.onMarker();
    }
  }

  /** Why the connection was closed is only logged; to a user it is the agent that has ended. */
  private noteCause(message: string): void {
    if (message.startsWith('Connection closed')) {
      this.closed = message;
    }
  }

  private newId(): string {
    return `id${++this.idCount}`;
  }
}

const MARKER = '_fuzz/endOfBatch';

const record: SessionRecord = {
  sessionId,
  agentSessionId: sessionId,
  agentId: 'fuzzed',
  agentName: 'Fuzzed',
  agentKey: 'fuzzed@/workspace',
  workdir: '/workspace',
  status: 'active',
  turnCount: 0,
  createdAt: 0,
  lastActiveAt: 0,
};

const quiet: Logger = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Without the inlined sources that a transpiler may put in the place of file names. */
function stackOf(error: Error): string {
  const lines = (error.stack ?? error.message).split('\n');
  return lines.map((line) => line.slice(0, 200)).join('\n');
}

/** The SDK complains on the console of every stray answer; emitters tell it there when a listener throws. */
function watchConsole(onError: (error: Error) => void): () => void {
  const original = console.error;
  console.error = (first: unknown) => {
    if (first instanceof Error) {
      onError(first);
    }
  };
  return () => {
    console.error = original;
  };
}

async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited in vain: ${what}`)), ANSWER_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
