import { actionOf, type ClientAction, type Message, type RecordedEntry } from './recording';

export interface ReplayOptions {
  /** Methods that the client may call though the recording does not: notifications are dropped, requests get -32601. */
  readonly tolerated?: readonly string[];
  /** How long the player waits for the client before it fails. */
  readonly stallMs?: number;
}

const STALL_MS = 5000;

/**
 * A fake agent that plays one recorded process. Messages of the agent come in recorded order; each message of the
 * recorded client is a barrier that opens when the client under test sends its like. Ids are mapped.
 */
export class ReplayPlayer {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** Resolves at the end of the recording; rejects, with the place, when the client leaves it or stalls. */
  readonly done: Promise<void>;
  private output: ReadableStreamDefaultController<Uint8Array> | undefined;
  private finish: (error?: Error) => void = () => undefined;
  private position = 0;
  private state: 'playing' | 'ended' | 'failed' = 'playing';
  private inbox: Message[] = [];
  private readonly liveIds = new Map<string, Message['id']>();
  private readonly offered = new Set<number>();
  private readonly watchers = new Set<() => void>();
  private readonly tolerated: ReadonlySet<string>;
  private stallTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly entries: readonly RecordedEntry[],
    private readonly options: ReplayOptions = {},
  ) {
    this.tolerated = new Set(['$/cancel_request', ...(options.tolerated ?? [])]);
    this.readable = new ReadableStream({
      start: (controller) => {
        this.output = controller;
      },
    });
    this.writable = lineSink((line) => this.receive(JSON.parse(line) as Message));
    this.done = new Promise((resolve, reject) => {
      this.finish = (error) => (error ? reject(error) : resolve());
    });
    // A test that looks at `done` later must not die of an unhandled rejection now.
    this.done.catch(() => undefined);
    queueMicrotask(() => this.advance());
  }

  /** Resolves when the player has sent all it can before the client acts again, or when it has ended. */
  async waitUntilIdle(): Promise<void> {
    await this.when(() => this.barrier() !== undefined || this.state === 'ended');
  }

  /**
   * What the recorded client did next, each action once; undefined at the end. A loop over it drives a client through
   * the whole recording, cancels in the middle of turns included.
   */
  async nextAction(): Promise<ClientAction | undefined> {
    const isReady = (): boolean => this.state === 'ended' || this.newAction() !== undefined;
    await this.when(isReady);
    const action = this.newAction();
    if (action) {
      this.offered.add(action.line);
    }
    return action;
  }

  private newAction(): ClientAction | undefined {
    const barrier = this.barrier();
    const action = barrier && actionOf(barrier);
    return action && !this.offered.has(action.line) ? action : undefined;
  }

  /** The client message that the player waits for. */
  private barrier(): RecordedEntry | undefined {
    const entry = this.entries[this.position];
    return this.state === 'playing' && entry?.kind === 'fromClient' ? entry : undefined;
  }

  private receive(live: Message): void {
    if (this.state !== 'playing') {
      return;
    }
    const places = this.entries.slice(this.position).filter((entry) => matches(entry, live));
    const taken = this.inbox.filter((message) => places[0] && matches(places[0], message));
    if (places.length > taken.length) {
      this.inbox.push(live);
      this.advance();
      return;
    }
    if (live.method === undefined || !this.tolerated.has(live.method)) {
      this.fail(`the client sent ${describe(live)}, which the rest of the recording does not have`);
      return;
    }
    if (live.id !== undefined) {
      this.emit({ jsonrpc: '2.0', id: live.id, error: { code: -32601, message: 'Not in the recording' } });
    }
  }

  private advance(): void {
    clearTimeout(this.stallTimer);
    for (let entry = this.entries[this.position]; entry; entry = this.entries[this.position]) {
      if (entry.kind === 'fromClient' && !this.pass(entry)) {
        this.watchForStall();
        break;
      }
      if (entry.kind === 'fromAgent' && entry.message) {
        this.emit(this.withLiveId(entry.message));
      }
      this.position += 1;
    }
    if (this.position === this.entries.length && this.state === 'playing') {
      this.state = 'ended';
      this.output?.close();
      this.finish();
    }
    this.watchers.forEach((check) => check());
  }

  /** Takes the matching message out of the inbox, if it has come. */
  private pass(entry: RecordedEntry): boolean {
    const live = this.inbox.find((message) => matches(entry, message));
    if (!live) {
      return false;
    }
    this.inbox = this.inbox.filter((message) => message !== live);
    if (entry.message?.method !== undefined && entry.message.id !== undefined) {
      this.liveIds.set(JSON.stringify(entry.message.id), live.id);
    }
    return true;
  }

  private withLiveId(message: Message): Message {
    const isAnswer = message.method === undefined;
    const key = JSON.stringify(message.id);
    return isAnswer && this.liveIds.has(key) ? { ...message, id: this.liveIds.get(key) } : message;
  }

  private emit(message: Message): void {
    this.output?.enqueue(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  private watchForStall(): void {
    this.stallTimer = setTimeout(() => {
      const waitedFor = describe(this.barrier()?.message ?? {});
      const unread = this.inbox.map(describe).join(', ') || 'nothing';
      this.fail(`stalled: waiting for ${waitedFor}; the client has sent ${unread} ahead of time`);
    }, this.options.stallMs ?? STALL_MS);
  }

  private fail(reason: string): void {
    clearTimeout(this.stallTimer);
    this.state = 'failed';
    const line = this.entries[this.position]?.line ?? 'the end';
    const error = new Error(`Replay failed at line ${line} of the recording: ${reason}`);
    this.output?.error(error);
    this.finish(error);
    this.watchers.forEach((check) => check());
  }

  private async when(isTrue: () => boolean): Promise<void> {
    // The client reads what was sent before this moment in its own turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (isTrue() || this.state === 'failed') {
          this.watchers.delete(check);
          resolve();
        }
      };
      this.watchers.add(check);
      check();
    });
    if (this.state === 'failed') {
      await this.done;
    }
  }
}

/** Requests and notifications match by method and session, answers by the id of the agent's request. */
function matches({ kind, message }: RecordedEntry, live: Message): boolean {
  if (kind !== 'fromClient' || !message || message.method !== live.method) {
    return false;
  }
  if (message.method === undefined) {
    return message.id === live.id;
  }
  const isSameKind = (message.id === undefined) === (live.id === undefined);
  return isSameKind && sessionOf(message.params) === sessionOf(live.params);
}

function sessionOf(params: unknown): unknown {
  return typeof params === 'object' && params !== null ? Reflect.get(params, 'sessionId') : undefined;
}

function describe({ id, method, params }: Message): string {
  if (method === undefined) {
    return `an answer to request ${JSON.stringify(id)}`;
  }
  const session = sessionOf(params);
  const where =
    session === undefined
      ? ''
      : ` of session ${typeof session === 'string' ? session : JSON.stringify(session)}`;
  return `${id === undefined ? 'notification' : 'request'} ${method}${where}`;
}

function lineSink(onLine: (line: string) => void): WritableStream<Uint8Array> {
  const decoder = new TextDecoder();
  let rest = '';
  return new WritableStream({
    write: (chunk) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      lines.filter((line) => line !== '').forEach(onLine);
    },
  });
}
