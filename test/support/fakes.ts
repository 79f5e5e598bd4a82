import { Emitter } from '../../src/core/base/emitter';
import type { Logger } from '../../src/core/base/log';
import {
  FileProblem,
  type AgentTerminal,
  type FilePort,
  type Memento,
  type ReadRequest,
  type TerminalPort,
  type TerminalRequest,
  type WriteRequest,
} from '../../src/core/ports';
import type { TranscriptLog } from '../../src/core/session/sessions';
import type { TranscriptEvent } from '../../src/shared/transcript/events';
import type { TerminalExit } from '../../src/shared/transcript/model';

/** Small stand-ins for the ports; each does what the real one does, in memory. */

export class MemoryLog implements Logger {
  readonly lines: string[] = [];
  trace(): void {
    // Traffic is not worth keeping in a test.
  }
  debug(message: string): void {
    this.lines.push(`debug ${message}`);
  }
  info(message: string): void {
    this.lines.push(`info ${message}`);
  }
  warn(message: string): void {
    this.lines.push(`warn ${message}`);
  }
  error(message: string | Error): void {
    this.lines.push(`error ${typeof message === 'string' ? message : message.message}`);
  }
  get warnings(): readonly string[] {
    return this.lines.filter((line) => line.startsWith('warn') || line.startsWith('error'));
  }
}

export class MemoryMemento implements Memento {
  readonly values = new Map<string, unknown>();
  get(key: string): unknown {
    return this.values.get(key);
  }
  async update(key: string, value: unknown): Promise<void> {
    // What is stored must survive as JSON does.
    this.values.set(key, JSON.parse(JSON.stringify(value)) as unknown);
  }
}

export class MemoryFiles implements FilePort {
  readonly files = new Map<string, string>();
  async readTextFile({ path }: ReadRequest): Promise<string> {
    const text = this.files.get(path);
    if (text === undefined) {
      throw new FileProblem('notFound', `There is no file ${path}.`);
    }
    return text;
  }
  async writeTextFile({ path, content }: WriteRequest): Promise<void> {
    this.files.set(path, content);
  }
}

export class FakeTerminals implements TerminalPort {
  readonly created: FakeTerminal[] = [];
  async create(request: TerminalRequest): Promise<AgentTerminal> {
    const terminal = new FakeTerminal(`t${this.created.length + 1}`, request);
    this.created.push(terminal);
    return terminal;
  }
}

export class FakeTerminal implements AgentTerminal {
  private readonly wrote = new Emitter<string>();
  readonly onDidWrite = this.wrote.event;
  private text = '';
  private exit: TerminalExit | undefined;
  private resolve: (exit: TerminalExit) => void = () => undefined;
  readonly exited = new Promise<TerminalExit>((resolve) => {
    this.resolve = resolve;
  });
  isReleased = false;
  constructor(
    readonly id: string,
    readonly request: TerminalRequest,
  ) {}
  write(data: string): void {
    this.text += data;
    this.wrote.fire(data);
  }
  end(exit: TerminalExit): void {
    this.exit = exit;
    this.resolve(exit);
  }
  output(): ReturnType<AgentTerminal['output']> {
    return { output: this.text, isTruncated: false, exit: this.exit };
  }
  kill(): void {
    this.end({ code: undefined, signal: 'SIGTERM' });
  }
  takeInput(): boolean {
    return false;
  }
  dispose(): void {
    this.isReleased = true;
  }
}

export class MemoryTranscripts implements TranscriptLog {
  readonly events = new Map<string, TranscriptEvent[]>();
  open(head: { readonly sessionId: string }): void {
    this.events.set(head.sessionId, []);
  }
  updateHead(): void {
    // Only the events matter here.
  }
  append(sessionId: string, event: TranscriptEvent): void {
    const events = this.events.get(sessionId) ?? [];
    events.push(event);
    this.events.set(sessionId, events);
  }
  async read(sessionId: string): Promise<{ readonly events: readonly TranscriptEvent[] } | undefined> {
    const events = this.events.get(sessionId);
    return events === undefined ? undefined : { events };
  }
  async delete(sessionId: string): Promise<void> {
    this.events.delete(sessionId);
  }
  async compact(): Promise<void> {
    // Memory needs no compaction.
  }
  async flush(): Promise<void> {
    // Nothing is buffered.
  }
}
