import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { HashName } from './gitIndex';
import { GitFailed, nulSeparated, plainGit, type GitProgram } from '../../git/gitProgram';

/** The repository of the user that a folder is in. It is read, never written. */
export interface UserRepository {
  /** The top of the work tree. */
  readonly top: string;
  /** Of the folder, from the top: empty or with a slash at its end. */
  readonly prefix: string;
  readonly gitDirectory: string;
  readonly index: string;
  readonly objects: string;
  readonly exclude: string;
  readonly hash: HashName;
  /** Settings of this repository that say how its files are to be seen, as options of git. */
  readonly settings: readonly string[];
  readonly hasFilters: boolean;
  /** Another one when the repository was replaced by a new one at the same place. */
  readonly identity: string;
}

const settingNames =
  '^(core\\.(filemode|ignorecase|precomposeunicode|excludesfile|checkstat|trustctime)|filter\\..*\\.(clean|process))$';

/** Undefined when there is none, it ignores the folder, or git does not trust it. */
export async function findUserRepository(
  git: GitProgram,
  folder: string,
): Promise<UserRepository | undefined> {
  try {
    const [found, settings] = await Promise.all([
      git.text([
        ...['-C', folder, ...plainGit, 'rev-parse', '--show-toplevel', '--show-prefix', '--git-dir'],
        ...['--git-path', 'index', '--git-path', 'objects', '--git-path', 'info/exclude'],
        '--show-object-format',
      ]),
      readSettings(git, folder),
    ]);
    const [top = '', prefix = '', gitDirectory = '', index = '', objects = '', exclude = '', hash, ...rest] =
      found.split('\n');
    // More lines: a path with a line break in it.
    if (rest.length !== 1 || (hash !== 'sha1' && hash !== 'sha256')) {
      return undefined;
    }
    if (prefix !== '' && (await isIgnored(git, top, prefix))) {
      return undefined;
    }
    const { dev, ino, birthtimeMs } = await stat(resolve(folder, objects));
    return {
      top: resolve(top),
      prefix,
      gitDirectory: resolve(folder, gitDirectory),
      index: resolve(folder, index),
      objects: resolve(folder, objects),
      exclude: resolve(folder, exclude),
      hash,
      settings: settings.filter(isCore).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      hasFilters: !settings.every(isCore),
      identity: [resolve(folder, objects), dev, ino, birthtimeMs].join(':'),
    };
  } catch (error) {
    if (error instanceof GitFailed || isFileError(error)) {
      return undefined;
    }
    throw error;
  }
}

type Setting = readonly [name: string, value: string];

async function readSettings(git: GitProgram, folder: string): Promise<readonly Setting[]> {
  try {
    const output = await git.run(['-C', folder, 'config', '-z', '--get-regexp', settingNames]);
    return nulSeparated(output).map((line): Setting => {
      const end = line.indexOf('\n');
      return end < 0 ? [line, 'true'] : [line.slice(0, end), line.slice(end + 1)];
    });
  } catch (error) {
    if (error instanceof GitFailed && error.code === 1) {
      return [];
    }
    throw error;
  }
}

function isCore([name]: Setting): boolean {
  return name.startsWith('core.');
}

async function isIgnored(git: GitProgram, top: string, prefix: string): Promise<boolean> {
  try {
    await git.run(['-C', top, ...plainGit, 'check-ignore', '--quiet', '--', prefix]);
    return true;
  } catch (error) {
    if (error instanceof GitFailed && error.code === 1) {
      return false;
    }
    throw error;
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
