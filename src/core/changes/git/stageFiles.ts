import { closeSync, constants, lstatSync, openSync, type Stats } from 'node:fs';
import { join, posix } from 'node:path';
import type { HashName } from './gitIndex';
import { GitFailed, type RunGit } from '../../git/gitProgram';

/** How often git starts anew when files vanish under its hands. */
const ATTEMPTS = 4;

/**
 * Makes the index hold these paths as they are on the disk, and gives those that cannot be taken: too large, or not
 * ours to read. What is in `anew` is taken out first, so that git does not believe what it knows of it.
 */
export async function stageFiles(
  top: string,
  paths: ReadonlySet<string>,
  anew: readonly string[],
  fileBytes: number,
  hash: HashName,
  run: RunGit,
): Promise<readonly string[]> {
  const unreadable = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    const { present, gone, large } = sortPaths(top, paths, fileBytes);
    const readable = present.filter((path) => !unreadable.has(path));
    await remove([...anew, ...gone, ...large, ...unreadable], hash, run);
    try {
      await add(readable, run);
      return [...large, ...unreadable];
    } catch (error) {
      if (!(error instanceof GitFailed) || attempt === ATTEMPTS) {
        throw error;
      }
    }
    // Git does nothing when it cannot read one of them.
    readable.filter((path) => !isReadable(join(top, path))).forEach((path) => unreadable.add(path));
  }
}

async function remove(paths: readonly string[], hash: HashName, run: RunGit): Promise<void> {
  if (paths.length > 0) {
    const none = '0'.repeat(hash === 'sha256' ? 64 : 40);
    const lines = paths.map((path) => `0 ${none}\t${path}\0`);
    await run(['update-index', '-z', '--index-info'], lines.join(''));
  }
}

async function add(paths: readonly string[], run: RunGit): Promise<void> {
  if (paths.length > 0) {
    const input = paths.map((path) => `${path}\0`).join('');
    await run(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], input);
  }
}

interface SortedPaths {
  readonly present: readonly string[];
  readonly gone: readonly string[];
  readonly large: readonly string[];
}

/** What is in a folder that has become a link is not there for git, and neither are pipes and devices. */
function sortPaths(top: string, paths: Iterable<string>, fileBytes: number): SortedPaths {
  const linked = new Map<string, boolean>([['.', false]]);
  const isLinked = (folder: string): boolean => {
    const is =
      linked.get(folder) ??
      (isLinked(posix.dirname(folder)) || statOf(join(top, folder))?.isSymbolicLink() === true);
    linked.set(folder, is);
    return is;
  };
  const [present, gone, large]: [string[], string[], string[]] = [[], [], []];
  for (const path of paths) {
    const stat = isLinked(posix.dirname(path)) ? undefined : statOf(join(top, path));
    if (stat === undefined || !(stat.isFile() || stat.isSymbolicLink())) {
      gone.push(path);
    } else if (stat.isFile() && stat.size > fileBytes) {
      large.push(path);
    } else {
      present.push(path);
    }
  }
  return { present, gone, large };
}

function isReadable(file: string): boolean {
  try {
    if (lstatSync(file).isFile()) {
      const noWait = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;
      closeSync(openSync(file, constants.O_RDONLY | noWait));
    }
    return true;
  } catch (error) {
    // One that has vanished is removed the next time.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}

/** Undefined for what is not there, and for what nobody lets us see. */
function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}
