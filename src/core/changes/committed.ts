import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { GitFailed, nulSeparated, plainGit, type GitProgram } from './gitProcess';

const PATHS_PER_CALL = 200;

/** Those that are in HEAD as they are on disk, seen as the user's git sees them; also those that are in neither. */
export async function committedPaths(git: GitProgram, paths: readonly string[]): Promise<readonly string[]> {
  const byTop = groupByTop(paths);
  const found: string[] = [];
  for (const [top, inside] of byTop) {
    for (let at = 0; top !== undefined && at < inside.length; at += PATHS_PER_CALL) {
      found.push(...(await committedIn(git, top, inside.slice(at, at + PATHS_PER_CALL))));
    }
  }
  return found;
}

function topOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) {
      return folder;
    }
    if (dirname(folder) === folder) {
      return undefined;
    }
  }
}

async function committedIn(
  git: GitProgram,
  top: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const name = (path: string): string => relative(top, path).split(sep).join('/');
  const run = (args: readonly string[], input?: string): Promise<Buffer> =>
    git.run(['-C', top, '--literal-pathspecs', ...plainGit, ...args], { input });
  try {
    const head = new Map<string, { readonly mode: string; readonly id: string }>();
    for (const line of nulSeparated(await run(['ls-tree', '-z', 'HEAD', '--', ...paths.map(name)]))) {
      const [, mode, id, file] = /^(\d+) blob ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
      if (mode !== undefined && id !== undefined && file !== undefined) {
        head.set(file, { mode, id });
      }
    }
    const files = paths.filter((path) => isPlainFile(path) && head.has(name(path)) && !path.includes('\n'));
    const hashes =
      files.length === 0
        ? []
        : (await run(['hash-object', '--stdin-paths'], files.map((path) => `${name(path)}\n`).join('')))
            .toString()
            .split('\n');
    const onDisk = new Map(files.map((path, at) => [path, hashes[at]]));
    return paths.filter((path) => {
      const committed = head.get(name(path));
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined || committed === undefined) {
        return found === undefined && committed === undefined;
      }
      if (found.isSymbolicLink()) {
        return committed.mode === '120000' && linkHash(path, committed.id.length) === committed.id;
      }
      const isExecutable = (found.mode & 0o100) !== 0;
      const isSameMode = process.platform === 'win32' || isExecutable === (committed.mode === '100755');
      return committed.mode !== '120000' && isSameMode && onDisk.get(path) === committed.id;
    });
  } catch (error) {
    if (error instanceof GitFailed) {
      return [];
    }
    throw error;
  }
}

function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function linkHash(path: string, idLength: number): string {
  const target = readlinkSync(path, { encoding: 'buffer' });
  const hash = createHash(idLength === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${target.length}\0`).update(target).digest('hex');
}

function groupByTop(paths: readonly string[]): ReadonlyMap<string | undefined, readonly string[]> {
  const groups = new Map<string | undefined, string[]>();
  for (const path of paths) {
    const top = topOf(path);
    groups.set(top, [...(groups.get(top) ?? []), path]);
  }
  return groups;
}
