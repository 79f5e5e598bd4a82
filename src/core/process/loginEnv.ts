import { userInfo } from 'node:os';
import { asError } from '../base/errors';
import type { Logger } from '../base/log';
import { readVariable, type Environment } from './expandVariables';
import { askShell } from './askShell';

export interface LoginEnvironmentOptions {
  readonly log: Logger;
  /** The user's login shell, unless given. */
  readonly shell?: string;
  readonly timeoutMs?: number;
  readonly platform?: NodeJS.Platform;
  readonly env?: Environment;
}

const TIMEOUT_MS = 10_000;

/** Describe the shell process, not what the user set up: its child processes get their own. */
const ofTheShell: ReadonlySet<string> = new Set(['SHLVL', 'PWD', 'OLDPWD', '_']);

/**
 * The environment of the user's login shell. An editor that was started from a dock or a menu lacks the PATH
 * that nvm, Homebrew and the like set up there. Asked once; falls back to the editor's own environment.
 */
export class LoginEnvironment {
  private asked: Promise<Environment> | undefined;

  constructor(private readonly options: LoginEnvironmentOptions) {}

  get(): Promise<Environment> {
    this.asked ??= loginShellEnvironment(this.options);
    return this.asked;
  }

  /** Asks anew next time: the user may have installed something since. */
  forget(): void {
    this.asked = undefined;
  }
}

/** Never rejects. Values other than PATH are not logged: they may be secrets. */
export async function loginShellEnvironment(options: LoginEnvironmentOptions): Promise<Environment> {
  const { log, timeoutMs = TIMEOUT_MS, platform = process.platform, env = process.env } = options;
  const own = cleaned(env);
  if (platform === 'win32') {
    log.info(`Using the editor's own environment. PATH=${readVariable(own, 'PATH', platform) ?? ''}`);
    return own;
  }
  const shell = options.shell ?? loginShell(env);
  const started = performance.now();
  const duration = (): string => `${Math.round(performance.now() - started)} ms`;
  try {
    const found = cleaned(await askShell(shell, env, timeoutMs));
    log.info(`Environment of the login shell ${shell} read in ${duration()}. PATH=${found.PATH ?? ''}`);
    return found;
  } catch (error) {
    log.warn(
      `Environment of the login shell ${shell} not read after ${duration()}: ${asError(error).message} ` +
        `Using the editor's own. PATH=${own.PATH ?? ''}`,
    );
    return own;
  }
}

function loginShell(env: Environment): string {
  if (env.SHELL !== undefined && env.SHELL !== '') {
    return env.SHELL;
  }
  try {
    return userInfo().shell ?? '/bin/sh';
  } catch {
    // A user id without an entry in the user database, as in some containers.
    return '/bin/sh';
  }
}

/** VS Code's and Electron's own variables would change how an agent that is built on them behaves. */
function cleaned(env: Environment): Environment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !ofTheShell.has(name) && !/^(VSCODE|ELECTRON)_/i.test(name)),
  );
}
