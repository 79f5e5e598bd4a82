import { copyFile, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filteredPaths } from './filteredPaths';
import {
  modes,
  objectIds,
  readIndex,
  sharedIndexOf,
  withoutPaths,
  writeIndex,
  type GitIndex,
  type IndexEntry,
} from './gitIndex';
import { plainGit, type GitProgram, type RunGit } from '../../git/gitProgram';
import type { UserRepository } from './userRepository';

const LINE_BREAK = 0x0a;
const ZERO = 0x30;

export interface Seed {
  readonly index: GitIndex;
  /** To be read anew: the user's index does not say what is on disk. */
  readonly rehash: readonly string[];
  /** Submodules. */
  readonly links: readonly string[];
}

/** Makes an index from the user's, with its knowledge of which files are unchanged. Undefined when it has none. */
export async function seedIndex(
  repository: UserRepository,
  target: string,
  shadow: string,
  /** On the shadow's objects, with the index that is being made. */
  run: RunGit,
): Promise<Seed | undefined> {
  let file: Buffer;
  let mtimeMs: number;
  try {
    ({ mtimeMs } = await stat(repository.index));
    file = await readFile(repository.index);
  } catch {
    return undefined;
  }
  const shared = sharedIndexOf(file, repository.hash);
  if (shared !== undefined) {
    const name = `sharedindex.${shared}`;
    await copyFile(join(repository.gitDirectory, name), join(shadow, name));
    await writeFile(target, file);
    await setBack(target, mtimeMs);
    await run(['update-index', '--no-split-index']);
    file = await readFile(target);
  }
  const found = readIndex(file, repository.hash);
  const inside = found.entries.filter(({ path }) => path.startsWith(repository.prefix));
  const entries = inside.filter(isTrusted);
  const dropped = inside.filter((entry) => !isTrusted(entry));
  const cacheTree =
    found.cacheTree &&
    withoutPaths(
      found.cacheTree,
      dropped.map(({ path }) => path),
      repository.prefix,
    );
  const index = { ...found, entries, cacheTree };
  await writeFile(target, writeIndex(index));
  await setBack(target, mtimeMs);
  return {
    index,
    rehash: dropped
      .filter(({ mode }) => mode !== modes.repository && mode !== modes.tree)
      .map(({ path }) => path),
    links: dropped.filter(({ mode }) => mode === modes.repository).map(({ path }) => path),
  };
}

/**
 * Entries whose object is not what is on disk byte for byte, or not there: line ends, encodings and filters change
 * the size, also when they were configured otherwise since; filters that keep it are found by their attribute.
 */
export async function findConverted(
  repository: UserRepository,
  index: GitIndex | undefined,
  git: GitProgram,
  run: RunGit,
): Promise<readonly string[]> {
  if (index === undefined || index.entries.length === 0) {
    return [];
  }
  const { entries } = index;
  const [sizes, filtered] = await Promise.all([
    run(['cat-file', '--buffer', '--batch-check=%(objectsize)'], objectIds(index)),
    repository.hasFilters
      ? filteredPaths(
          entries.map(({ path }) => path),
          (args, input) => git.run(['-C', repository.top, ...plainGit, ...args], { input }),
        )
      : new Set<string>(),
  ]);
  const found = numbersIn(sizes);
  return entries
    .filter(({ path, size }, at) => (found[at] ?? NaN) % 2 ** 32 !== size || filtered.has(path))
    .map(({ path }) => path);
}

/** One a line; what is no number is NaN. Byte by byte, because there may be very many. */
function numbersIn(lines: Buffer): readonly number[] {
  const found: number[] = [];
  let value = 0;
  for (const byte of lines) {
    if (byte === LINE_BREAK) {
      found.push(value);
      value = 0;
    } else {
      value = byte >= ZERO && byte <= ZERO + 9 ? value * 10 + byte - ZERO : NaN;
    }
  }
  return found;
}

/**
 * Git compares the content of files that are as new as the index. Whatever changed while it was made has to
 * count as that, also where clocks are coarse.
 */
export async function setBack(index: string, timeMs: number): Promise<void> {
  const seconds = Math.floor(timeMs / 1000) - 1;
  await utimes(index, seconds, seconds);
}

function isTrusted({ mode, stage, isSkipped, isIntent }: IndexEntry): boolean {
  return stage === 0 && !isSkipped && !isIntent && mode !== modes.repository && mode !== modes.tree;
}
