import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import which from 'which';
import { ParleyError } from '../base/errors';
import { expandVariables, mergeEnvironment, readVariable, type Environment } from './expandVariables';

export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** The workspace folder, unless given. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workspaceFolder: string;
  /** What `env` is added to: the login shell's environment. */
  readonly baseEnv: Environment;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** Ready to be spawned without a shell. On Windows `file` may be a batch file: spawn it with cross-spawn. */
export interface ResolvedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Finds the program that a setting names, or says in an `agentNotFound` where it was looked for. */
export async function resolveCommand(request: CommandRequest): Promise<ResolvedCommand> {
  const { workspaceFolder, platform } = request;
  const source = { workspaceFolder, home: request.home, env: request.baseEnv, platform };
  const expand = (text: string): string => expandVariables(text, source);

  const command = expand(request.command).trim();
  if (command === '') {
    throw new ParleyError('invalidConfig', 'The agent has no command. Name its program in the settings.');
  }
  const added = Object.entries(request.env).map(([name, value]) => [name, expand(value)]);
  const env = mergeEnvironment(
    request.baseEnv,
    Object.fromEntries(added) as Record<string, string>,
    platform,
  );
  const cwd = resolve(workspaceFolder, expand(request.cwd ?? ''));
  const args = request.args.map(expand);
  const extensions = executableExtensions(command, env, platform);
  const isPath = command.includes('/') || (platform === 'win32' && command.includes('\\'));
  const file = isPath
    ? await findFile(resolve(workspaceFolder, command), extensions, command)
    : await findInPath(command, extensions, env, request);
  if (!(await isFolder(cwd))) {
    throw new ParleyError('invalidConfig', `The agent cannot be started in ${cwd}: there is no such folder.`);
  }
  return { file, args, cwd, env };
}

/** Whether a name stands for a program on the PATH of an environment. */
export async function hasProgram(name: string, env: Environment, home: string): Promise<boolean> {
  const { platform } = process;
  const extensions = executableExtensions(name, env, platform);
  for (const folder of pathFolders(env, { platform, workspaceFolder: home })) {
    if ((await firstExecutable(join(folder, name), extensions)) !== undefined) {
      return true;
    }
  }
  return false;
}

async function findFile(path: string, extensions: readonly string[], command: string): Promise<string> {
  const found = await firstExecutable(path, extensions);
  if (found !== undefined) {
    return found;
  }
  throw notFound(command, [`Looked for ${path}: ${(await whyNot(path)) ?? 'no such file'}`]);
}

async function findInPath(
  command: string,
  extensions: readonly string[],
  env: Environment,
  request: CommandRequest,
): Promise<string> {
  const folders = pathFolders(env, request);
  for (const folder of folders) {
    const found = await firstExecutable(join(folder, command), extensions);
    if (found !== undefined) {
      return found;
    }
  }
  const looked = await Promise.all(
    folders.map(async (folder) => {
      const reason = await whyNot(join(folder, command));
      return reason === undefined ? folder : `${folder}: ${reason}`;
    }),
  );
  throw notFound(command, [
    folders.length === 0 ? 'PATH is empty.' : 'Looked in the folders of PATH:',
    ...looked,
  ]);
}

function pathFolders(
  env: Environment,
  { platform, workspaceFolder }: Pick<CommandRequest, 'platform' | 'workspaceFolder'>,
): string[] {
  const entries = (readVariable(env, 'PATH', platform) ?? '').split(platform === 'win32' ? ';' : ':');
  const folders = entries
    .map((entry) => entry.trim().replace(/^"(.*)"$/, '$1'))
    .filter((entry) => entry !== '')
    .map((entry) => (isAbsolute(entry) ? entry : resolve(workspaceFolder, entry)));
  return [...new Set(folders)];
}

/**
 * Full paths only: given a bare name, `which` searches the editor's current folder first on Windows, where
 * anyone's files may be.
 */
async function firstExecutable(path: string, extensions: readonly string[]): Promise<string | undefined> {
  for (const extension of extensions) {
    const candidate = path + extension;
    const found = await which(candidate, { nothrow: true, pathExt: extensions.join(';') });
    if (found !== null) {
      return found;
    }
  }
  return undefined;
}

/** On Windows a name with a known extension is tried as it is, and any other only with one added. */
function executableExtensions(
  command: string,
  env: Environment,
  platform: NodeJS.Platform,
): readonly string[] {
  if (platform !== 'win32') {
    return [''];
  }
  const listed = (readVariable(env, 'PATHEXT', platform) ?? '.COM;.EXE;.BAT;.CMD')
    .split(';')
    .map((extension) => extension.trim().toLowerCase())
    .filter((extension) => extension !== '');
  const isComplete = listed.some((extension) => command.toLowerCase().endsWith(extension));
  return isComplete ? ['', ...listed] : listed;
}

async function whyNot(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? 'exists but is not executable' : 'is not a file';
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    return isDenied ? 'access denied' : undefined;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function notFound(command: string, lines: readonly string[]): ParleyError {
  const hint = /\s/.test(command) ? ['The command holds a space: arguments belong in "args".'] : [];
  return new ParleyError(
    'agentNotFound',
    `The program "${command}" was not found. Install it, or correct the agent's command in the settings.`,
    { detail: [...lines, ...hint].join('\n') },
  );
}
