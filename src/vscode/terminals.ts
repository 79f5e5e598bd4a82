import { spawn, type ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { Emitter } from '../core/base/emitter';
import { stopProcess } from '../core/agent/stopProcess';
import type { Environment } from '../core/agent/expandVariables';
import type { ProcessRecords } from '../core/agents/agentPool';
import type { AgentTerminal, TerminalPort, TerminalRequest } from '../core/ports';
import type { TerminalExit } from '../shared/transcript/model';

const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

/** Runs agents' commands, each in a process group of its own. */
export class Terminals implements TerminalPort {
  private readonly running = new Set<CommandTerminal>();

  constructor(
    private readonly ledger: ProcessRecords,
    private readonly newId: () => string,
    /** The login shell's: commands need the same programs as in the user's own terminal. */
    private readonly environment: () => Promise<Environment>,
  ) {}

  async create(request: TerminalRequest): Promise<AgentTerminal> {
    const isShellLine = request.args.length === 0 && /\s/.test(request.command);
    const child = spawn(request.command, request.args, {
      cwd: request.cwd,
      env: { ...(await this.environment()), TERM: 'xterm-256color', ...request.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      // Some agents put a whole shell line into `command`; that is what they mean it for.
      shell: isShellLine,
      windowsHide: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const terminal = new CommandTerminal(
      `terminal-${this.newId()}`,
      child,
      request.outputByteLimit ?? DEFAULT_OUTPUT_BYTES,
    );
    this.remember(terminal, child.pid, request.command);
    return terminal;
  }

  /** Ends what still runs; resolves when nothing is left. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.running].map((terminal) => terminal.stop()));
  }

  /** On record while it runs, so that it is swept when this host is killed. */
  private remember(terminal: CommandTerminal, pid: number | undefined, command: string): void {
    if (pid === undefined) {
      return;
    }
    this.running.add(terminal);
    this.ledger.add(pid, command);
    void terminal.exited.then(() => {
      this.running.delete(terminal);
      this.ledger.remove(pid);
    });
  }
}

class CommandTerminal implements AgentTerminal {
  readonly exited: Promise<TerminalExit>;
  private readonly wrote = new Emitter<string>();
  readonly onDidWrite = this.wrote.event;
  private text = '';
  private isTruncated = false;
  private exit: TerminalExit | undefined;

  constructor(
    readonly id: string,
    private readonly child: ChildProcess,
    private readonly limit: number,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new StringDecoder('utf8');
      stream?.on('data', (data: Buffer) => this.append(decoder.write(data)));
    }
    this.exited = new Promise((resolve) => {
      // 'close' and not 'exit': only then has all output been read.
      child.once('close', (code, signal) => {
        this.exit = { code: code ?? undefined, signal: signal ?? undefined };
        resolve(this.exit);
      });
    });
  }

  output(): ReturnType<AgentTerminal['output']> {
    return { output: this.text, isTruncated: this.isTruncated, exit: this.exit };
  }

  kill(): void {
    void this.stop();
  }

  stop(): Promise<void> {
    return stopProcess(this.child, { inputGraceMs: 0 });
  }

  dispose(): void {
    if (this.exit === undefined) {
      this.kill();
    }
  }

  private append(data: string): void {
    this.text += data;
    if (this.text.length > this.limit) {
      this.text = this.text.slice(-this.limit);
      this.isTruncated = true;
    }
    this.wrote.fire(data);
  }
}
