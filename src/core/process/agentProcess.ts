import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { ParleyError } from '../base/errors';
import type { Logger } from '../base/log';
import type { ResolvedCommand } from './resolveCommand';
import { isProcessAlive } from './processGroup';
import { stopProcess } from './stopProcess';

const STDERR_LINES = 50;
/** How long the exit code may lag behind the end of stdout. */
const EXIT_LAG_MS = 500;

export interface ProcessExit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

/** A running agent program: its pipes, its last words on stderr, and how it ended. */
export class AgentProcess {
  readonly exited: Promise<ProcessExit>;
  private readonly stderr: string[] = [];
  private exit: ProcessExit | undefined;
  private readonly stderrEnded: Promise<void>;
  /** Bytes that waited to be read at the last check. */
  private stuckAt = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly stdin: Writable,
    readonly stdout: Readable,
    stderr: Readable,
    log: Logger,
  ) {
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.exit = { code: code ?? undefined, signal: signal ?? undefined };
        resolve(this.exit);
      });
    });
    // A write to an agent that is gone is reported by its exit; the pipe's own error says nothing more.
    stdin.on('error', (error) => log.debug(`stdin: ${error.message}`));
    const lines = createInterface({ input: stderr }).on('line', (line) => {
      log.info(line);
      this.stderr.push(line);
      if (this.stderr.length > STDERR_LINES) {
        this.stderr.shift();
      }
    });
    this.stderrEnded = new Promise((resolve) => {
      lines.once('close', resolve);
    });
  }

  /** Resolves when the program runs; rejects with `agentNotFound` when it could not be started. */
  static async spawn(command: ResolvedCommand, log: Logger): Promise<AgentProcess> {
    const child = spawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: command.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own process group, so that everything it starts can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) {
      throw new ParleyError('agentNotFound', `${command.file} could not be started.`);
    }
    const agentProcess = new AgentProcess(child, stdin, stdout, stderr, log);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        reject(
          new ParleyError('agentNotFound', `${command.file} could not be started: ${error.message}`, {
            cause: error,
          }),
        );
      });
    });
    return agentProcess;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** The last lines the agent wrote to stderr. */
  get lastWords(): string {
    return this.stderr.join('\n');
  }

  /** Why the connection ended, with the exit code and the last words if they come soon enough. */
  async describeEnd(name: string): Promise<ParleyError> {
    const lag = new Promise<undefined>((resolve) => setTimeout(resolve, EXIT_LAG_MS, undefined).unref());
    await Promise.race([Promise.all([this.exited, this.stderrEnded]), lag]);
    return new ParleyError('agentExited', `${name} ${describeExit(this.exit)}.`, { detail: this.lastWords });
  }

  /** Looks for what no event told: a process that is gone, a pipe that nobody reads. */
  checkHealth(name: string): ParleyError | undefined {
    if (this.exit !== undefined || this.pid === undefined) {
      return undefined;
    }
    if (!isProcessAlive(this.pid)) {
      return new ParleyError('agentExited', `${name} is gone.`, { detail: this.lastWords });
    }
    const waiting = this.stdin.writableLength;
    const isStuck = waiting > 0 && this.stuckAt === waiting;
    this.stuckAt = waiting;
    return isStuck
      ? new ParleyError('agentExited', `${name} has stopped reading its input.`, { detail: this.lastWords })
      : undefined;
  }

  async stop(): Promise<void> {
    await stopProcess(this.child);
  }
}

function describeExit(exit: ProcessExit | undefined): string {
  if (exit === undefined) {
    return 'closed its connection';
  }
  if (exit.signal !== undefined) {
    return `was ended by ${exit.signal}`;
  }
  return `exited with code ${exit.code ?? 'unknown'}`;
}
