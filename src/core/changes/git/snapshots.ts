import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, parse, relative, sep } from 'node:path';
import type { IDisposable } from '../../base/lifecycle';
import type { Logger } from '../../base/log';
import { committedPaths } from './committed';
import { GitMissing, GitProgram, nulSeparated } from '../../git/gitProgram';
import {
  SnapshotUnavailable,
  type FileMode,
  type FileVersion,
  type Snapshot,
  type SnapshotDifference,
  type SnapshotFile,
  type SnapshotId,
  type Snapshots,
} from '../model';
import { isGitFailure, nestedRepository, ShadowGit, type SnapshotLimits } from './shadowGit';
import { findUserRepository, type UserRepository } from './userRepository';

export interface SnapshotOptions {
  /** Where the shadows are. */
  readonly storage: string;
  readonly log: Logger;
  readonly environment: () => Promise<Readonly<Record<string, string | undefined>>>;
  readonly limits?: Partial<SnapshotLimits>;
}

const defaults: SnapshotLimits = {
  fileBytes: 10 * 1024 * 1024,
  files: 300_000,
  takeMs: 60_000,
  looseObjects: 7000,
  unusedSince: '2.days.ago',
};
/** Without a snapshot for so long, a folder is left alone enough to be tidied. */
const IDLE_MS = 10 * 60_000;
/** Longer than any checkpoint is kept. */
const ABANDONED_MS = 60 * 24 * 60 * 60_000;
const OLDEST = [2, 25] as const;
const REFS = 'refs/parley/';
/** How the id of a snapshot ends whose tree is just that of the folder's files. */
const PLAIN = '-plain';
/** Names in the tree of any other: the folder's files, what was too large, and each nested repository. */
const FILES = 'files';
const SKIPPED = 'skipped';
const NESTED = 'nested-';
/** No file is larger than `fileBytes`; so many are no burden on the memory. */
const READ_AT_ONCE = 100;

interface OpenFolder {
  readonly shadow: ShadowGit;
  readonly folder: string;
  readonly repository: UserRepository | undefined;
}

/** Snapshots by git, in directories of our own. */
export class GitSnapshots implements Snapshots, IDisposable {
  private readonly ended = new AbortController();
  private readonly limits: SnapshotLimits;
  private readonly folders = new Map<string, Promise<OpenFolder>>();
  private readonly takes = new Map<string, Promise<unknown>>();
  private readonly tidying = new Map<string, AbortController>();
  private idle: NodeJS.Timeout | undefined;
  private program: Promise<GitProgram> | undefined;

  constructor(private readonly options: SnapshotOptions) {
    this.limits = { ...defaults, ...options.limits };
  }

  take(folder: string): Promise<Snapshot> {
    this.tidying.get(folder)?.abort();
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      for (const known of this.folders.keys()) {
        void this.tidy(known);
      }
    }, IDLE_MS);
    this.idle.unref();
    return this.inTurn(folder, () => this.takeNow(folder));
  }

  /** Cleans up what old snapshots have left. Whoever wants to take one need not wait for it. */
  tidy(folder: string): Promise<void> {
    const stop = new AbortController();
    this.tidying.set(folder, stop);
    return this.inTurn(folder, async () => {
      try {
        const { shadow } = await this.open(folder);
        await shadow.tidy(stop.signal);
      } catch (error) {
        this.options.log.debug(`The snapshots of ${folder} were not tidied: ${String(error)}`);
      }
    });
  }

  async compare(folder: string, from: SnapshotId, to: SnapshotId): Promise<readonly SnapshotDifference[]> {
    const open = await this.open(folder);
    const isPlain = from.endsWith(PLAIN) && to.endsWith(PLAIN);
    const trees = isPlain
      ? [treeOf(from), treeOf(to)]
      : [await composedTree(open, from), await composedTree(open, to)];
    const [output, ...skipped] = await Promise.all([
      open.shadow.run(['diff-tree', '-r', '-z', '--no-renames', ...trees]),
      skippedIn(open, from),
      skippedIn(open, to),
    ]);
    const unknown = new Set(skipped.flat());
    return differencesIn(output, isPlain ? (name) => name : pathInPart)
      .filter(({ path }) => !unknown.has(path))
      .map((difference) => ({ ...difference, path: absolute(open, folder, difference.path) }));
  }

  async read(folder: string, snapshot: SnapshotId, path: string): Promise<FileVersion | undefined> {
    const open = await this.open(folder);
    const inside = relative(folder, path).split(sep).join('/');
    const name = (open.repository?.prefix ?? '') + inside;
    const names = snapshot.endsWith(PLAIN) ? [name] : namesOf(name);
    const found = nulSeparated(await open.shadow.run(['ls-tree', '-z', treeOf(snapshot), '--', ...names]));
    const entry = found.map((line) => /^(\d+) blob ([0-9a-f]+)\t/.exec(line)).find((match) => match !== null);
    const [, mode = '', id] = entry ?? [];
    return id === undefined
      ? undefined
      : { content: await open.shadow.run(['cat-file', 'blob', id]), mode: modeOf(mode) };
  }

  async readAll(
    folder: string,
    files: readonly SnapshotFile[],
  ): Promise<ReadonlyMap<SnapshotFile, FileVersion>> {
    const { shadow } = await this.open(folder);
    const found = new Map<SnapshotFile, FileVersion>();
    for (let at = 0; at < files.length; at += READ_AT_ONCE) {
      const part = files.slice(at, at + READ_AT_ONCE);
      const contents = await shadow.readBlobs(part.map(({ id }) => id));
      part.forEach((file, index) => {
        const content = contents[index];
        if (content !== undefined) {
          found.set(file, { content, mode: file.mode });
        }
      });
    }
    return found;
  }

  async retain(folder: string, snapshot: SnapshotId, name: string): Promise<void> {
    const { shadow } = await this.open(folder);
    await shadow.run(['update-ref', REFS + refName(name), treeOf(snapshot)]);
  }

  async release(folder: string, name: string): Promise<void> {
    const { shadow } = await this.open(folder);
    await shadow.run(['update-ref', '-d', REFS + refName(name)]);
  }

  async committed(_folder: string, paths: readonly string[]): Promise<readonly string[]> {
    return await committedPaths(await this.git(), paths);
  }

  dispose(): void {
    clearTimeout(this.idle);
    this.ended.abort();
  }

  private inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const done = (this.takes.get(folder) ?? Promise.resolve()).then(work);
    this.takes.set(
      folder,
      done.catch(() => undefined),
    );
    return done;
  }

  private async takeNow(folder: string): Promise<Snapshot> {
    const open = await this.open(folder);
    const limit = AbortSignal.timeout(this.limits.takeMs);
    try {
      const started = performance.now();
      const snapshot = await this.picture(open, folder, limit);
      this.options.log.debug(`Snapshot of ${folder} in ${Math.round(performance.now() - started)} ms.`);
      return snapshot;
    } catch (error) {
      if (limit.aborted) {
        throw new SnapshotUnavailable(
          `A snapshot of the folder takes longer than ${this.limits.takeMs / 1000} s.`,
        );
      }
      throw error;
    }
  }

  private async picture(open: OpenFolder, folder: string, signal: AbortSignal): Promise<Snapshot> {
    const git = await this.git();
    const { shadow, repository } = open;
    const hash = repository?.hash ?? 'sha1';
    const top = repository?.top ?? open.folder;
    const root = await shadow.takeTree(open.folder, repository, signal);
    const lines = [`040000 tree ${root.tree}\t${FILES}\0`];
    const skipped = [...root.skipped];
    const waiting = [...root.nested];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const prefix = `${path}/`;
      const inside = join(top, path);
      const taken = await shadow.takeTree(inside, await nestedRepository(git, inside, hash), signal);
      lines.push(`040000 tree ${taken.tree}\t${NESTED}${encodeURIComponent(path)}\0`);
      skipped.push(...taken.skipped.map((name) => prefix + name));
      waiting.push(...taken.nested.map((name) => prefix + name));
    }
    if (lines.length === 1 && skipped.length === 0) {
      return { id: root.tree + PLAIN, skipped: [] };
    }
    if (skipped.length > 0) {
      const list = skipped.map((path) => `${path}\0`).join('');
      const blob = (await shadow.run(['hash-object', '-w', '--stdin'], list, signal)).toString().trim();
      lines.push(`100644 blob ${blob}\t${SKIPPED}\0`);
    }
    return {
      id: await makeTree(shadow, lines, signal),
      skipped: skipped.map((path) => absolute(open, folder, path)),
    };
  }

  private open(folder: string): Promise<OpenFolder> {
    const known = this.folders.get(folder) ?? this.openNew(folder);
    this.folders.set(folder, known);
    known.catch(() => this.folders.delete(folder));
    return known;
  }

  private async openNew(folder: string): Promise<OpenFolder> {
    const real = await realpath(folder);
    const home = await realpath(homedir()).catch(homedir);
    if (parse(real).root === real || home === real || home.startsWith(real + sep)) {
      throw new SnapshotUnavailable('The folder holds the home directory or the whole file system.');
    }
    const git = await this.git();
    const repository = await findUserRepository(git, real);
    const name = createHash('sha256').update(real).digest('hex').slice(0, 32);
    const format = repository?.hash === 'sha256' ? '-sha256' : '';
    const shadow = new ShadowGit(git, join(this.options.storage, name + format), this.limits);
    await shadow.open(repository?.hash ?? 'sha1');
    return { shadow, folder: real, repository };
  }

  private git(): Promise<GitProgram> {
    this.program ??= this.findGit();
    this.program.catch(() => (this.program = undefined));
    return this.program;
  }

  /** Shadows of folders that nobody has worked in for long. */
  private async dropAbandoned(): Promise<void> {
    for (const name of await readdir(this.options.storage)) {
      const directory = join(this.options.storage, name);
      const opened = await stat(join(directory, 'info')).catch(() => undefined);
      if (opened !== undefined && opened.mtimeMs < Date.now() - ABANDONED_MS) {
        await rm(directory, { recursive: true, force: true });
      }
    }
  }

  private async findGit(): Promise<GitProgram> {
    await mkdir(this.options.storage, { recursive: true });
    await this.dropAbandoned();
    const git = new GitProgram(await this.options.environment(), this.options.storage, this.ended.signal);
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(await readVersion(git)) ?? [];
    if (Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1])) {
      throw new SnapshotUnavailable(`Git ${major}.${minor} is too old; ${OLDEST.join('.')} is needed.`);
    }
    return git;
  }
}

async function readVersion(git: GitProgram): Promise<string> {
  try {
    return await git.text(['version']);
  } catch (error) {
    // As the one that macOS has before its developer tools are installed.
    if (isGitFailure(error)) {
      throw new SnapshotUnavailable('The git program does not run.', { cause: error });
    }
    throw error instanceof GitMissing ? new SnapshotUnavailable(error.message, { cause: error }) : error;
  }
}

function treeOf(id: SnapshotId): string {
  return id.endsWith(PLAIN) ? id.slice(0, -PLAIN.length) : id;
}

/** A tree in which the folder's files are where those of a snapshot of several parts are. */
async function composedTree({ shadow }: OpenFolder, id: SnapshotId): Promise<string> {
  return id.endsWith(PLAIN) ? await makeTree(shadow, [`040000 tree ${treeOf(id)}\t${FILES}\0`]) : id;
}

async function makeTree(shadow: ShadowGit, lines: readonly string[], signal?: AbortSignal): Promise<string> {
  return (await shadow.run(['mktree', '-z'], lines.join(''), signal)).toString().trim();
}

async function skippedIn({ shadow }: OpenFolder, id: SnapshotId): Promise<readonly string[]> {
  if (id.endsWith(PLAIN)) {
    return [];
  }
  const [found] = nulSeparated(await shadow.run(['ls-tree', '-z', id, '--', SKIPPED]));
  return found === undefined ? [] : nulSeparated(await shadow.run(['cat-file', 'blob', `${id}:${SKIPPED}`]));
}

/** From the top of the work tree; undefined for what is no file of the user's. */
function pathInPart(name: string): string | undefined {
  const end = name.indexOf('/');
  const first = name.slice(0, end);
  if (end < 0) {
    return undefined;
  }
  return first === FILES
    ? name.slice(end + 1)
    : `${decodeURIComponent(first.slice(NESTED.length))}${name.slice(end)}`;
}

/** Where a file may be: in any of the folders above it there may be a repository of its own. */
function namesOf(path: string): readonly string[] {
  const parts = path.split('/');
  const nested = parts
    .slice(1)
    .map(
      (_, at) =>
        `${NESTED}${encodeURIComponent(parts.slice(0, at + 1).join('/'))}/${parts.slice(at + 1).join('/')}`,
    );
  return [`${FILES}/${path}`, ...nested];
}

/** From the top of the work tree. A file that went from one repository to another has two lines and is one file. */
function differencesIn(
  output: Buffer,
  pathIn: (name: string) => string | undefined,
): readonly SnapshotDifference[] {
  const found = new Map<string, SnapshotDifference>();
  const parts = nulSeparated(output);
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const path = pathIn(parts[at + 1] ?? '');
    const [oldMode = '', nowMode = '', oldId = '', nowId = ''] = (parts[at] ?? '').slice(1).split(' ');
    if (path !== undefined) {
      const other = found.get(path);
      const old = fileOf(oldMode, oldId) ?? other?.old;
      found.set(path, { path, old, now: fileOf(nowMode, nowId) ?? other?.now });
    }
  }
  return [...found.values()].filter(({ old, now }) => old?.id !== now?.id || old?.mode !== now?.mode);
}

function fileOf(mode: string, id: string): SnapshotFile | undefined {
  return /^0+$/.test(mode) ? undefined : { id, mode: modeOf(mode) };
}

function absolute({ repository }: OpenFolder, folder: string, path: string): string {
  return join(folder, ...path.slice(repository?.prefix.length ?? 0).split('/'));
}

function modeOf(mode: string): FileMode {
  if (mode === '120000') {
    return 'link';
  }
  return mode === '100755' ? 'executable' : 'file';
}

/** Nothing that git forbids in names, and no capitals: they may be the same file as small letters. */
function refName(name: string): string {
  return [...Buffer.from(name)]
    .map((byte) =>
      /[a-z0-9-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
}
