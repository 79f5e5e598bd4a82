import { spawn, type ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { Emitter } from '../core/base/emitter';
import { stopProcess } from '../core/agent/stopProcess';
import type { AgentTerminal, TerminalPort, TerminalRequest } from '../core/ports';
import type { TerminalExit } from '../shared/transcript/model';

const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

/** Runs agents' commands, each in a process group of its own. */
export class Terminals implements TerminalPort {
  private count = 0;

  async create(request: TerminalRequest): Promise<AgentTerminal> {
    this.count += 1;
    const isShellLine = request.args.length === 0 && /\s/.test(request.command);
    const child = spawn(request.command, request.args, {
      cwd: request.cwd,
      env: { ...process.env, TERM: 'xterm-256color', ...request.env },
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
    return new CommandTerminal(
      `terminal-${this.count}`,
      child,
      request.outputByteLimit ?? DEFAULT_OUTPUT_BYTES,
    );
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
    void stopProcess(this.child, { inputGraceMs: 0 });
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
