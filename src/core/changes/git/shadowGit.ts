import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { GitFailed, nulSeparated, plainGit, type GitProgram, type RunGit } from '../../git/gitProgram';
import { SnapshotUnavailable } from '../model';
import { findConverted, seedIndex, setBack } from './seed';
import { stageFiles } from './stageFiles';
import { findUserRepository, type UserRepository } from './userRepository';

export interface SnapshotLimits {
  readonly fileBytes: number;
  readonly files: number;
  readonly takeMs: number;
  /** Above this, what no snapshot needs any more is cleaned up, and the rest is packed. */
  readonly looseObjects: number;
  /** What is younger may belong to a snapshot that is being taken. As git's `--prune` takes it. */
  readonly unusedSince: string;
}

/** A picture of one work tree: the id of git's tree, and the repositories inside of it. */
interface TreePicture {
  readonly tree: string;
  readonly nested: readonly string[];
  readonly skipped: readonly string[];
}

const settings = [
  ...plainGit,
  ...[
    ['core.bare', 'false'],
    ['core.autocrlf', 'false'],
    ['core.symlinks', 'true'],
    ['core.longPaths', 'true'],
    ['core.attributesFile', devNull],
    ['core.splitIndex', 'false'],
    ['core.untrackedCache', 'false'],
    ['core.sparseCheckout', 'false'],
    ['core.fsync', 'none'],
  ].flatMap(([name, value]) => ['-c', `${name ?? ''}=${value ?? ''}`]),
];

/** Without `!`, git refuses an encoding that is unset. */
const rawBytes = '* -text -eol -filter -ident !working-tree-encoding\n';

const configs: Readonly<Record<UserRepository['hash'], string>> = {
  sha1: '[core]\n\trepositoryformatversion = 0\n',
  sha256: '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n',
};

/** A git directory in the extension's storage, with the user's folder as its work tree. */
export class ShadowGit {
  constructor(
    private readonly git: GitProgram,
    readonly directory: string,
    private readonly limits: SnapshotLimits,
  ) {}

  run(args: readonly string[], input?: string, signal?: AbortSignal): Promise<Buffer> {
    return this.git.run([`--git-dir=${this.directory}`, '--literal-pathspecs', ...settings, ...args], {
      input,
      signal,
    });
  }

  /** Throws when one of them is gone. */
  async readBlobs(ids: readonly string[]): Promise<readonly Buffer[]> {
    const output = await this.run(['cat-file', '--buffer', '--batch'], ids.map((id) => `${id}\n`).join(''));
    const blobs: Buffer[] = [];
    let at = 0;
    for (const id of ids) {
      const end = output.indexOf('\n', at);
      const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(output.toString('latin1', at, Math.max(at, end))) ?? [];
      if (size === undefined) {
        throw new Error(`The snapshot has lost the object ${id}.`);
      }
      at = end + 1 + Number(size);
      // A copy: one that is kept must not keep all of them.
      blobs.push(Buffer.from(output.subarray(end + 1, at)));
      at += 1;
    }
    return blobs;
  }

  async open(hash: UserRepository['hash']): Promise<void> {
    for (const name of ['info', 'objects', 'refs']) {
      await mkdir(join(this.directory, name), { recursive: true });
    }
    if (!existsSync(join(this.directory, 'HEAD'))) {
      // As gitrepository-layout(5) has it: all that git needs, without waiting for `git init`.
      await writeFile(join(this.directory, 'config'), configs[hash]);
      await writeFile(join(this.directory, 'HEAD'), 'ref: refs/heads/none\n');
    }
    await writeFile(join(this.directory, 'info', 'attributes'), rawBytes);
    // Tells when it was last of use.
    const now = new Date();
    await utimes(join(this.directory, 'info'), now, now);
  }

  async takeTree(
    folder: string,
    repository: UserRepository | undefined,
    signal: AbortSignal,
  ): Promise<TreePicture> {
    const startedMs = Date.now();
    const top = repository?.top ?? folder;
    const index = join(
      this.directory,
      `index-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`,
    );
    const run: RunGit = (args, input) =>
      this.git.run(
        [
          `--git-dir=${this.directory}`,
          `--work-tree=${top}`,
          '--literal-pathspecs',
          ...settings,
          ...(repository?.settings ?? []),
          ...args,
        ],
        { input, signal, env: { GIT_INDEX_FILE: index } },
      );
    await this.forgetReplaced(index, repository);
    // Whoever holds it is gone: takes of a folder come one after the other.
    await rm(`${index}.lock`, { force: true });
    const seeded = await this.seed(index, repository, run);
    const pathspec = repository === undefined || repository.prefix === '' ? [] : ['--', repository.prefix];
    const exclude =
      repository !== undefined && existsSync(repository.exclude)
        ? [`--exclude-from=${repository.exclude}`]
        : [];
    const [changed, others, converted] = await Promise.all([
      existsSync(index) ? run(['diff-files', '-z', '--name-only']).then(nulSeparated) : [],
      run(['ls-files', '-z', '--others', '--exclude-standard', ...exclude, ...pathspec]).then(nulSeparated),
      repository === undefined ? [] : findConverted(repository, seeded?.index, this.git, run),
    ]);
    if (others.length + (seeded?.index.entries.length ?? 0) > this.limits.files) {
      throw new SnapshotUnavailable(`The folder has more than ${this.limits.files} files.`);
    }
    const nested = new Set(others.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)));
    for (const link of await this.links(index, seeded?.links)) {
      if (existsSync(join(top, link, '.git'))) {
        nested.add(link);
      }
    }
    const files = others.filter((path) => !path.endsWith('/'));
    const paths = new Set([...changed, ...converted, ...(seeded?.rehash ?? []), ...files]);
    const hash = repository?.hash ?? 'sha1';
    const skipped = await stageFiles(top, paths, converted, this.limits.fileBytes, hash, run);
    const tree = (await run(['write-tree', '--missing-ok'])).toString().trim();
    if (existsSync(index)) {
      await setBack(index, startedMs);
    }
    return { tree, nested: [...nested], skipped };
  }

  /** Does nothing most of the time. May be ended at any moment. */
  async tidy(signal: AbortSignal): Promise<void> {
    const [count = ''] = (await this.run(['count-objects'], '', signal)).toString().split(' ');
    if (Number(count) <= this.limits.looseObjects) {
      return;
    }
    for (const name of await readdir(this.directory)) {
      if (/^index-[0-9a-f]+$/.test(name)) {
        // Git does not read files again that an index knows: their content is needed as long as that is.
        const env = { GIT_INDEX_FILE: join(this.directory, name) };
        const args = [`--git-dir=${this.directory}`, ...settings, 'write-tree', '--missing-ok'];
        const tree = (await this.git.run(args, { signal, env })).toString().trim();
        await this.run(['update-ref', `refs/parley-index/${name}`, tree], '', signal);
      }
    }
    await this.run(['gc', '--quiet', `--prune=${this.limits.unusedSince}`], '', signal);
  }

  private async seed(
    index: string,
    repository: UserRepository | undefined,
    run: RunGit,
  ): ReturnType<typeof seedIndex> {
    if (repository === undefined || existsSync(index)) {
      return undefined;
    }
    await this.addAlternate(repository.objects);
    try {
      return await seedIndex(repository, index, this.directory, run);
    } catch (error) {
      if (error instanceof SnapshotUnavailable) {
        throw error;
      }
      // An index that cannot be read costs time, not correctness.
      await rm(index, { force: true });
      return undefined;
    }
  }

  /** What the index knows is in objects that are gone when the user has cloned anew. */
  private async forgetReplaced(index: string, repository: UserRepository | undefined): Promise<void> {
    const identity = repository?.identity ?? '';
    const known = await readFile(`${index}.from`, 'utf8').catch(() => undefined);
    if (known !== identity) {
      await rm(index, { force: true });
      await writeFile(`${index}.from`, identity);
    }
  }

  private async links(index: string, found: readonly string[] | undefined): Promise<readonly string[]> {
    if (found !== undefined) {
      await writeFile(`${index}.links`, found.map((link) => `${link}\0`).join(''));
      return found;
    }
    return nulSeparated(await readFile(`${index}.links`).catch(() => Buffer.alloc(0)));
  }

  private async addAlternate(objects: string): Promise<void> {
    const file = join(this.directory, 'objects', 'info', 'alternates');
    const known = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
    if (!known.includes(objects)) {
      await mkdir(join(this.directory, 'objects', 'info'), { recursive: true });
      await writeFile(file, [...known, objects, ''].join('\n'));
    }
  }
}

/** The repository of a nested folder, if its objects can be used here. */
export async function nestedRepository(
  git: GitProgram,
  folder: string,
  hash: UserRepository['hash'],
): Promise<UserRepository | undefined> {
  const found = await findUserRepository(git, folder);
  return found?.hash === hash && found.prefix === '' ? found : undefined;
}

export function isGitFailure(error: unknown): error is GitFailed {
  return error instanceof GitFailed;
}
