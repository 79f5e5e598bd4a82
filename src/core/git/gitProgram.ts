import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

/** A git that ended with a code other than 0. */
export class GitFailed extends Error {
  override readonly name = 'GitFailed';

  constructor(
    readonly code: number | undefined,
    /** Git's own words. */
    readonly said: string,
    command: string,
  ) {
    super(`git ${command} failed: ${said.trim() === '' ? `code ${code ?? 'unknown'}` : said.trim()}`);
  }
}

/** There is no git program. */
export class GitMissing extends Error {
  override readonly name = 'GitMissing';

  constructor() {
    super('No git program was found.');
  }
}

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Beside those that every git gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Looks at the output as it comes; what it throws ends the process and is what the run rejects with. */
  readonly watch?: (chunk: Buffer) => void;
}

/** Runs git somewhere. */
export type RunGit = (args: readonly string[], input?: string | Uint8Array) => Promise<Buffer>;

/** Runs git with nothing in its environment that could lead it to another repository, and without a shell. */
export class GitProgram {
  private readonly env: Record<string, string>;

  constructor(
    env: Readonly<Record<string, string | undefined>>,
    /** Not the user's folder: on Windows, programs are searched there first. */
    private readonly cwd: string,
    private readonly signal: AbortSignal,
  ) {
    this.env = gitEnvironment(env);
  }

  run(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
    const signal =
      options.signal === undefined ? this.signal : AbortSignal.any([this.signal, options.signal]);
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const child = spawn('git', ['--no-pager', ...args], {
        cwd: this.cwd,
        env: { ...this.env, ...options.env },
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
        signal,
      });
      const chunks: Buffer[] = [];
      let said = '';
      let problem: unknown;
      child.stdout.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        try {
          options.watch?.(chunk);
        } catch (error) {
          problem ??= error;
          child.kill();
        }
      });
      child.stderr.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(0, 4000);
      });
      child.once('error', (error) => {
        problem ??= isMissing(error) ? new GitMissing() : error;
        if (child.pid === undefined) {
          reject(asRejection(problem));
        }
      });
      child.once('close', (code) => {
        if (problem !== undefined) {
          reject(asRejection(problem));
        } else if (code === 0) {
          resolve(Buffer.concat(chunks));
        } else {
          reject(new GitFailed(code ?? undefined, said, commandOf(args)));
        }
      });
      // A git that ends before it has read everything says why with its code.
      child.stdin.on('error', () => undefined);
      child.stdin.end(options.input ?? '');
    });
  }

  async text(args: readonly string[], options?: GitOptions): Promise<string> {
    return (await this.run(args, options)).toString();
  }
}

/** Settings that keep git from running, asking or converting anything, whatever the user's own are. */
export const plainGit: readonly string[] = [
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.safecrlf', 'false'],
  ['core.quotePath', 'false'],
  ['gc.auto', '0'],
].flatMap(([name, value]) => ['-c', `${name ?? ''}=${value ?? ''}`]);

/** Parts that end with NUL, as all of git's `-z` outputs. */
export function nulSeparated(output: Buffer): string[] {
  const parts = output.toString().split('\0');
  parts.pop();
  return parts;
}

/** Where the user's settings are, and where git's own programs: the other variables are about one repository. */
const kept: ReadonlySet<string> = new Set([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_EXEC_PATH',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
]);

/** What git gets to see of an environment. */
export function gitEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const own = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || (/^GIT_/i.test(name) && !kept.has(name.toUpperCase())) ? [] : [[name, value]],
  );
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone would otherwise go to the network for what it lacks.
    GIT_NO_LAZY_FETCH: '1',
  };
}

function isMissing(error: Error): boolean {
  return 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES');
}

function asRejection(problem: unknown): Error {
  return problem instanceof Error ? problem : new Error(String(problem));
}

function commandOf(args: readonly string[]): string {
  return args.find((arg, index) => /^[a-z]+(-[a-z]+)*$/.test(arg) && args[index - 1] !== '-C') ?? '';
}
