import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readlinkSync, type BigIntStats } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { filteredPaths } from './filteredPaths';
import { GitFailed, nulSeparated, plainGit, type GitProgram, type RunGit } from '../../git/gitProgram';

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
  const run: RunGit = (args, input) =>
    git.run(['-C', top, '--literal-pathspecs', ...plainGit, ...args], { input });
  try {
    const head = new Map<string, { readonly mode: string; readonly id: string }>();
    for (const line of nulSeparated(await run(['ls-tree', '-z', 'HEAD', '--', ...paths.map(name)]))) {
      const [, mode, id, file] = /^(\d+) blob ([0-9a-f]+)\t([^]*)$/.exec(line) ?? [];
      if (mode !== undefined && id !== undefined && file !== undefined) {
        head.set(file, { mode, id });
      }
    }
    const files = paths.filter((path) => isPlainFile(path) && head.has(name(path))).map(name);
    const filtered = await filteredPaths(files, run);
    const plain = files.filter((file) => !filtered.has(file) && !file.includes('\n'));
    const onDisk = new Map([...(await hashes(plain, run)), ...(await cleanEntries(top, [...filtered], run))]);
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
      return committed.mode !== '120000' && isSameMode && onDisk.get(name(path)) === committed.id;
    });
  } catch (error) {
    if (error instanceof GitFailed) {
      return [];
    }
    throw error;
  }
}

/** What git would make of the files. One that it cannot convert does not keep it from the others. */
async function hashes(files: readonly string[], run: RunGit): Promise<ReadonlyMap<string, string>> {
  if (files.length === 0) {
    return new Map();
  }
  try {
    const output = await run(['hash-object', '--stdin-paths'], files.map((file) => `${file}\n`).join(''));
    const ids = output.toString().split('\n');
    return new Map(files.map((file, at) => [file, ids[at] ?? '']));
  } catch (error) {
    if (!(error instanceof GitFailed) || files.length === 1) {
      return new Map();
    }
    const half = Math.ceil(files.length / 2);
    const [first, second] = [await hashes(files.slice(0, half), run), await hashes(files.slice(half), run)];
    return new Map([...first, ...second]);
  }
}

/**
 * Files that a program of the user's converts: to run it may write to their repository, as that of LFS does. What the
 * index says of a file holds as long as nobody has touched it since.
 */
async function cleanEntries(
  top: string,
  files: readonly string[],
  run: RunGit,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (files.length === 0) {
    return found;
  }
  const index = (await run(['rev-parse', '--git-path', 'index'])).toString().trim();
  const written = statOf(resolve(top, index))?.mtimeNs ?? 0n;
  const output = await run(['ls-files', '-z', '--stage', '--debug', '--', ...files]);
  // The details of an entry come after the NUL of its name, in lines.
  for (const [, id = '', file = '', seconds = '', nanos = '', size = ''] of output
    .toString()
    .matchAll(
      /^\d+ ([0-9a-f]+) 0\t([^\0]*)\0 *ctime: .*\n *mtime: (\d+):(\d+)\n.*\n.*\n *size: (\d+)\t.*\n/gm,
    )) {
    const stat = statOf(join(top, file));
    const at = BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
    if (stat?.mtimeNs === at && stat.size === BigInt(size) && at < written) {
      found.set(file, id);
    }
  }
  return found;
}

function statOf(file: string): BigIntStats | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false });
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
