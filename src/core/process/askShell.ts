import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { asString, isObject } from '../../shared/json';
import type { Environment } from './expandVariables';
import { signalGroup } from './processGroup';

const OUTPUT_CHARS = 16 * 1024 * 1024;

/** Handed over as variables, so that nothing has to be quoted for six kinds of shell. */
const NODE = 'PARLEY_SHELL_NODE';
const SCRIPT = 'PARLEY_SHELL_SCRIPT';

/** Starts an interactive login shell and has it print its environment. Rejects with a full sentence. */
export async function askShell(
  shell: string,
  env: Environment,
  timeoutMs: number,
): Promise<Record<string, string>> {
  const halves = [randomUUID(), randomUUID()] as const;
  const child = spawn(shell, shellArguments(shell), {
    // Its own session: without a terminal, an interactive shell cannot be stopped for reading from one.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...env,
      // Known from VS Code: start-up files look at it to skip what is slow or starts other programs.
      VSCODE_RESOLVING_ENVIRONMENT: '1',
      ELECTRON_RUN_AS_NODE: '1',
      [NODE]: process.execPath,
      // In halves: the script is itself in the environment that it prints.
      [SCRIPT]: `const m = "${halves[0]}" + "${halves[1]}"; process.stdout.write(m + JSON.stringify(process.env) + m)`,
    },
  });
  return parseEnvironment(await textBetween(child, halves.join(''), timeoutMs));
}

function shellArguments(shell: string): string[] {
  const run = `"$${NODE}" -e "$${SCRIPT}"`;
  switch (basename(shell)) {
    case 'csh':
    case 'tcsh':
      // These take -l only when it is the sole option.
      return ['-ic', run];
    case 'nu':
      return ['-i', '-l', '-c', `^$env.${NODE} -e $env.${SCRIPT}`];
    case 'pwsh':
      return ['-Login', '-Command', `& $env:${NODE} -e $env:${SCRIPT}`];
    default:
      return ['-i', '-l', '-c', run];
  }
}

/** Does not wait for the end of the shell: what its start-up files left running may keep the pipe open. */
function textBetween(
  child: ChildProcessByStdio<null, Readable, null>,
  mark: string,
  timeoutMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const release = (): void => {
      clearTimeout(timer);
      child.stdout.destroy();
    };
    const fail = (reason: string): void => {
      release();
      if (child.pid !== undefined) {
        signalGroup(child.pid, 'SIGKILL');
      }
      reject(new Error(reason));
    };
    const timer = setTimeout(() => fail(`It took longer than ${timeoutMs} ms.`), timeoutMs);
    child.on('error', (error) => fail(`It could not be started (${error.message}).`));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`It ended with ${signal ?? `code ${code ?? 0}`} before it printed its environment.`));
    });
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      output += chunk;
      const start = output.indexOf(mark);
      const end = start < 0 ? -1 : output.indexOf(mark, start + mark.length);
      if (end >= 0) {
        resolve(output.slice(start + mark.length, end));
        child.stdout.removeAllListeners('data').resume();
        // The shell may end in peace, with its log-out files; a shell that hangs there may not stay.
        child.once('exit', release);
      } else if (output.length > OUTPUT_CHARS) {
        fail('It printed too much.');
      }
    });
  });
}

function parseEnvironment(text: string): Record<string, string> {
  const parsed: unknown = JSON.parse(text);
  if (!isObject(parsed)) {
    throw new Error('It printed something else than its environment.');
  }
  return Object.fromEntries(
    Object.entries(parsed).flatMap(([name, value]) => {
      const text = name === NODE || name === SCRIPT ? undefined : asString(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
