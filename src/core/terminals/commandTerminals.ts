import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import spawn from 'cross-spawn';
import { mergeEnvironment, type Environment } from '../process/expandVariables';
import { stopProcess } from '../process/stopProcess';
import type { ProcessRecords } from '../process/processLedger';
import { Emitter } from '../base/emitter';
import type { PathGuard } from '../files/pathGuard';
import { FileProblem, type AgentTerminal, type TerminalPort, type TerminalRequest } from '../ports';
import { commandLine } from './commandLine';
import { OutputBuffer } from './outputBuffer';
import type { TerminalExit } from '../../shared/transcript/model';

const DEFAULT_OUTPUT_BYTES = 1024 * 1024;
/** More than any agent can use; whatever it asks for, the host's memory is the user's. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** How long the rest of the output may lag behind the exit, when something in the background holds the pipe. */
const OUTPUT_LAG_MS = 300;

export interface TerminalsOptions {
  readonly ledger: ProcessRecords;
  readonly guard: Pick<PathGuard, 'allow'>;
  readonly newId: () => string;
  /** As in the user's own terminal in that folder: commands need the same programs. */
  readonly environment: (cwd: string) => Promise<Environment>;
  /** Whether commands get a pipe to read from. Without one their input is empty (`parley.terminals.input`). */
  readonly takesInput: () => boolean;
}

/** Runs agents' commands, each in a process group of its own. */
export class Terminals implements TerminalPort {
  private readonly running = new Set<CommandTerminal>();

  constructor(private readonly options: TerminalsOptions) {}

  async create(request: TerminalRequest): Promise<AgentTerminal> {
    const { path: cwd } = await this.options.guard.allow({ ...request, path: request.cwd, access: 'run' });
    await checkFolder(cwd);
    const { file, args, isShell } = commandLine({ ...request, cwd });
    const env = { TERM: 'xterm-256color', ...request.env };
    const child = spawn(file, [...args], {
      cwd,
      env: mergeEnvironment(await this.options.environment(cwd), env, process.platform),
      // Many programs act on a pipe as soon as they see one: ripgrep would search it instead of the folder.
      stdio: [this.options.takesInput() ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      shell: isShell,
      windowsHide: true,
    });
    const limit = Math.min(request.outputByteLimit ?? DEFAULT_OUTPUT_BYTES, MAX_OUTPUT_BYTES);
    const terminal = new CommandTerminal(`terminal-${this.options.newId()}`, child, limit);
    await hasSpawned(child, request.command);
    this.remember(terminal, child.pid, request.command);
    return terminal;
  }

  /** Ends what still runs; resolves when nothing is left. */
  async stopAll(): Promise<void> {
    await Promise.all([...this.running].map((terminal) => terminal.stop()));
  }

  /** On record while anything of it runs, so that it is swept when this host is killed. */
  private remember(terminal: CommandTerminal, pid: number | undefined, command: string): void {
    if (pid === undefined) {
      return;
    }
    this.running.add(terminal);
    this.options.ledger.add(pid, command);
    void terminal.gone.then(() => {
      this.running.delete(terminal);
      this.options.ledger.remove(pid);
    });
  }
}

class CommandTerminal implements AgentTerminal {
  readonly exited: Promise<TerminalExit>;
  /** Nothing of it is left, as far as can be known. */
  readonly gone: Promise<void>;
  private leave: () => void = () => undefined;
  private readonly wrote = new Emitter<string>();
  readonly onDidWrite = this.wrote.event;
  private readonly buffer: OutputBuffer;
  private exit: TerminalExit | undefined;

  constructor(
    readonly id: string,
    private readonly child: ChildProcess,
    limit: number,
  ) {
    this.buffer = new OutputBuffer(limit);
    for (const stream of [child.stdout, child.stderr]) {
      // One each: a character of the one must not be cut by the other.
      const decoder = new StringDecoder('utf8');
      stream?.on('data', (data: Buffer) => this.append(decoder.write(data)));
      stream?.on('end', () => this.append(decoder.end()));
    }
    // What is typed for a command that has ended is nobody's.
    child.stdin?.on('error', () => undefined);
    this.gone = new Promise((resolve) => {
      this.leave = resolve;
      child.once('close', () => resolve());
    });
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        const tell = (): void => {
          this.exit ??= { code: code ?? undefined, signal: signal ?? undefined };
          resolve(this.exit);
        };
        // Usually all output has been read by 'close'; a background process can put that off for ever.
        child.once('close', tell);
        setTimeout(tell, OUTPUT_LAG_MS).unref();
      });
    });
  }

  output(): ReturnType<AgentTerminal['output']> {
    return { output: this.buffer.text(), isTruncated: this.buffer.isTruncated, exit: this.exit };
  }

  kill(): void {
    void this.stop();
  }

  async stop(): Promise<void> {
    await stopProcess(this.child, { inputGraceMs: 0 });
    this.leave();
  }

  takeInput(data: string | undefined): boolean {
    const { stdin } = this.child;
    if (stdin?.writable !== true) {
      return false;
    }
    if (data === undefined) {
      stdin.end();
    } else {
      stdin.write(data);
    }
    return true;
  }

  /** With what it left in the background. */
  dispose(): void {
    this.kill();
  }

  private append(data: string): void {
    if (data !== '') {
      this.buffer.append(data);
      this.wrote.fire(data);
    }
  }
}

async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new FileProblem('invalid', `The command cannot run in ${cwd}: there is no such folder.`);
  }
}

function hasSpawned(child: ChildProcess, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT';
      reject(
        isMissing
          ? new FileProblem('notFound', `The program "${command}" was not found.`)
          : new FileProblem('failed', `The program "${command}" could not be started: ${error.message}`),
      );
    });
  });
}
