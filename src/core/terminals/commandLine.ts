import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** What to spawn, and whether through a shell. */
export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  /** Only Windows's own: elsewhere the shell is the file. */
  readonly isShell: boolean;
}

interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Some agents put a whole shell line into `command` (real-agents: goose, grok); that is what they mean it for. */
export function commandLine(
  { command, args, cwd }: Command,
  platform: NodeJS.Platform = process.platform,
  exists: (file: string) => boolean = existsSync,
): CommandLine {
  const isProgram = args.length > 0 || isPlainWord(command, platform) || exists(resolve(cwd, command));
  if (isProgram) {
    return { file: command, args, isShell: false };
  }
  if (platform === 'win32') {
    return { file: command, args: [], isShell: true };
  }
  // Agents write for bash where there is one, whatever the user's own shell is.
  const shell =
    ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((file) => exists(file)) ?? '/bin/sh';
  return { file: shell, args: ['-c', command], isShell: false };
}

/** Nothing in it that a shell would read as more than a name. */
function isPlainWord(command: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? /^[\w.:\\/+@-]+$/.test(command) : /^[\w./+@%:-]+$/.test(command);
}
