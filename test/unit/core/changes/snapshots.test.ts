import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileVersion } from '../../../../src/core/changes/model';
import type { SnapshotLimits } from '../../../../src/core/changes/git/shadowGit';
import { GitSnapshots } from '../../../../src/core/changes/git/snapshots';
import { listLog } from '../listLog';

describe('snapshots', function () {
  this.timeout(30_000);
  let base: string;
  let folder: string;
  let snapshots: GitSnapshots;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'parley-snapshots-')));
    folder = join(base, 'folder');
    await mkdir(folder);
    snapshots = open();
  });

  afterEach(async () => {
    snapshots.dispose();
    await rm(base, { recursive: true });
  });

  function open(
    env: Record<string, string | undefined> = process.env,
    more: Partial<SnapshotLimits> = {},
  ): GitSnapshots {
    const limits = { fileBytes: 100_000, ...more };
    return new GitSnapshots({
      storage: join(base, 'storage'),
      log: listLog().log,
      environment: () => Promise.resolve(env),
      limits,
    });
  }

  function git(at: string, ...args: string[]): string {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', ['-C', at, ...identity, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    });
  }

  async function write(files: Readonly<Record<string, string>>, at = folder): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(at, name)), { recursive: true });
      await writeFile(join(at, name), text);
    }
  }

  async function repository(files: Readonly<Record<string, string>>, at = folder): Promise<void> {
    await mkdir(at, { recursive: true });
    git(at, 'init', '--quiet');
    await write(files, at);
    git(at, 'add', '-A');
    git(at, 'commit', '--quiet', '-m', 'first');
  }

  async function changed(from: string, to: string): Promise<readonly string[]> {
    const found = await snapshots.compare(folder, from, to);
    return found.map(({ path }) => path.slice(folder.length + 1)).sort();
  }

  async function text(id: string, name: string): Promise<string | undefined> {
    const version: FileVersion | undefined = await snapshots.read(folder, id, join(folder, name));
    return version && Buffer.from(version.content).toString();
  }

  /** Every byte of the user's repository, and what git says about it. */
  async function userState(): Promise<unknown> {
    const names = await readdir(join(folder, '.git'), { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const contents = await Promise.all(
      files.sort().map(async (path) => [path, (await readFile(path)).toString('base64')]),
    );
    return [contents, git(folder, 'status', '--porcelain=v2'), git(folder, 'stash', 'list')];
  }

  it('leaves a dirty repository byte for byte as it is', async () => {
    await repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n', 'dir/e.txt': 'e\n' });
    await write({ 'a.txt': 'stashed\n' });
    git(folder, 'stash');
    await write({ 'a.txt': 'staged\n', 'new.txt': 'new\n' });
    git(folder, 'add', 'a.txt');
    await write({ 'a.txt': 'unstaged\n', 'b.txt': 'changed\n' });
    await rm(join(folder, 'c.txt'));
    git(folder, 'mv', 'd.txt', 'renamed.txt');
    const before = await userState();
    const first = await snapshots.take(folder);
    assert.deepEqual(await userState(), before);
    assert.equal(await text(first.id, 'a.txt'), 'unstaged\n');
    assert.equal(await text(first.id, 'b.txt'), 'changed\n');
    assert.equal(await text(first.id, 'c.txt'), undefined);
    assert.equal(await text(first.id, 'd.txt'), undefined);
    assert.equal(await text(first.id, 'renamed.txt'), 'd\n');
    assert.equal(await text(first.id, 'new.txt'), 'new\n');
    assert.equal(await text(first.id, 'dir/e.txt'), 'e\n');
    await write({ 'dir/e.txt': 'agent\n', 'made.txt': 'made\n' });
    await rm(join(folder, 'b.txt'));
    const second = await snapshots.take(folder);
    assert.deepEqual(await changed(first.id, second.id), ['b.txt', 'dir/e.txt', 'made.txt']);
    assert.equal(await text(first.id, 'dir/e.txt'), 'e\n');
  });

  it('works without a repository, with links, modes, binary files and odd names', async () => {
    const odd = ['with space', '-dash', 'quo"te', 'ünï', 'line\nbreak', '*', ':(top)x', "it's"];
    await write(Object.fromEntries(odd.map((name) => [name, name])));
    await writeFile(join(folder, 'binary'), Buffer.from([0, 255, 13, 10, 0]));
    await write({ run: '#!/bin/sh\n', '.gitignore': 'ignored\n', ignored: 'x' });
    await chmod(join(folder, 'run'), 0o755);
    await symlink('binary', join(folder, 'link'));
    const { id } = await snapshots.take(folder);
    for (const name of odd) {
      assert.equal(await text(id, name), name);
    }
    assert.equal(await text(id, 'ignored'), undefined);
    const read = async (name: string): Promise<FileVersion | undefined> =>
      await snapshots.read(folder, id, join(folder, name));
    assert.deepEqual(Buffer.from((await read('binary'))?.content ?? []), Buffer.from([0, 255, 13, 10, 0]));
    assert.equal((await read('run'))?.mode, 'executable');
    assert.equal((await read('link'))?.mode, 'link');
    assert.equal(await text(id, 'link'), 'binary');
    for (const name of odd) {
      await write({ [name]: 'now' });
    }
    assert.deepEqual(await changed(id, (await snapshots.take(folder)).id), [...odd].sort());
  });

  it('finds a change of the same size in the same second', async () => {
    await repository({ a: '1' });
    let last = await snapshots.take(folder);
    for (let round = 2; round < 10; round += 1) {
      await write({ a: String(round) });
      const next = await snapshots.take(folder);
      assert.deepEqual(await changed(last.id, next.id), ['a']);
      last = next;
    }
  });

  it('has the bytes on disk where git converts them', async () => {
    await repository({ '.gitattributes': '*.up filter=up\n*.auto text=auto\n' });
    git(folder, 'config', 'filter.up.clean', 'tr a-z A-Z');
    git(folder, 'config', 'filter.up.smudge', 'tr A-Z a-z');
    git(folder, 'config', 'core.autocrlf', 'true');
    await write({ 'a.up': 'same size\n', 'a.auto': 'one\r\ntwo\r\n', 'plain.txt': 'one\r\n' });
    // Git reads new files again in any case: only old ones are trusted to be what the index says.
    for (const name of ['a.up', 'a.auto', 'plain.txt']) {
      await utimes(join(folder, name), 1_000_000_000, 1_000_000_000);
    }
    git(folder, 'add', '-A');
    git(folder, 'commit', '--quiet', '-m', 'converted');
    const { id } = await snapshots.take(folder);
    assert.equal(await text(id, 'a.up'), 'same size\n');
    assert.equal(await text(id, 'a.auto'), 'one\r\ntwo\r\n');
    assert.equal(await text(id, 'plain.txt'), 'one\r\n');
  });

  it('sees a subfolder with the rules of its repository', async () => {
    const top = folder;
    await repository({ '.gitignore': 'out/\n', 'sub/a': 'a', 'sub/out/x': 'x', other: 'o' });
    folder = join(top, 'sub');
    const first = await snapshots.take(folder);
    await write({ a: 'b', 'out/x': 'y', new: 'n' });
    await write({ other: 'changed' }, top);
    const second = await snapshots.take(folder);
    assert.deepEqual(await changed(first.id, second.id), ['a', 'new']);
    assert.equal(await text(first.id, 'a'), 'a');
  });

  it('looks into submodules and nested repositories, with and without commits', async () => {
    await repository({ s: 's' }, join(base, 'module'));
    await repository({ a: 'a' });
    git(folder, 'submodule', '--quiet', 'add', join(base, 'module'), 'module');
    await repository({ n: 'n' }, join(folder, 'deep/nested'));
    git(join(folder), 'init', '--quiet', 'empty');
    await write({ 'empty/e': 'e' });
    const first = await snapshots.take(folder);
    assert.equal(await text(first.id, 'module/s'), 's');
    assert.equal(await text(first.id, 'deep/nested/n'), 'n');
    assert.equal(await text(first.id, 'empty/e'), 'e');
    await write({ 'module/s': '2', 'deep/nested/n': '2', 'empty/e': '2' });
    const second = await snapshots.take(folder);
    assert.deepEqual(await changed(first.id, second.id), ['deep/nested/n', 'empty/e', 'module/s']);
    await rm(join(folder, 'deep/nested/.git'), { recursive: true });
    assert.deepEqual(await changed(second.id, (await snapshots.take(folder)).id), []);
  });

  it('takes linked worktrees, split indexes and flags of the index as they are on disk', async () => {
    const main = join(base, 'main');
    await repository({ a: 'a', b: 'b', c: 'c' }, main);
    git(main, 'worktree', 'add', '--quiet', join(base, 'linked'));
    folder = join(base, 'linked');
    git(folder, 'update-index', '--split-index');
    git(folder, 'update-index', '--skip-worktree', 'a');
    git(folder, 'update-index', '--assume-unchanged', 'b');
    await write({ a: 'skipped', b: 'assumed', i: 'intent' });
    git(folder, 'add', '--intent-to-add', 'i');
    const { id } = await snapshots.take(folder);
    assert.equal(await text(id, 'a'), 'skipped');
    assert.equal(await text(id, 'b'), 'assumed');
    assert.equal(await text(id, 'c'), 'c');
    assert.equal(await text(id, 'i'), 'intent');
  });

  it('leaves large files out and does not take them for deleted or created', async () => {
    await repository({ a: 'small' });
    const first = await snapshots.take(folder);
    await write({ a: 'x'.repeat(100_001) });
    const second = await snapshots.take(folder);
    assert.deepEqual(second.skipped, [join(folder, 'a')]);
    assert.deepEqual(await changed(first.id, second.id), []);
    await write({ a: 'small again' });
    const third = await snapshots.take(folder);
    assert.deepEqual(third.skipped, []);
    assert.deepEqual(await changed(first.id, third.id), ['a']);
  });

  it('recovers from the lock of a killed process, and in a new window', async () => {
    await repository({ a: 'a' });
    const first = await snapshots.take(folder);
    const [shadow = ''] = await readdir(join(base, 'storage'));
    const names = await readdir(join(base, 'storage', shadow));
    const index = names.find((name) => /^index-[0-9a-f]+$/.test(name)) ?? '';
    await writeFile(join(base, 'storage', shadow, `${index}.lock`), '');
    snapshots.dispose();
    snapshots = open();
    await write({ a: 'b' });
    assert.deepEqual(await changed(first.id, (await snapshots.take(folder)).id), ['a']);
  });

  it('retains and releases by name', async () => {
    await write({ a: 'a' });
    const { id } = await snapshots.take(folder);
    await snapshots.retain(folder, id, 'Session/1');
    await snapshots.retain(folder, id, 'session/1');
    await snapshots.retain(folder, id, 'Session/10');
    await snapshots.release(folder, 'Session/1');
    const [shadow = ''] = await readdir(join(base, 'storage'));
    const refs = git(join(base, 'storage', shadow), 'for-each-ref', '--format=%(refname)')
      .trim()
      .split('\n');
    assert.deepEqual(refs, ['refs/parley/%53ession%2f10', 'refs/parley/session%2f1']);
  });

  it('cleans up what nobody needs, and keeps what is retained or in an index', async () => {
    snapshots = open(process.env, { looseObjects: 0, unusedSince: 'now' });
    await write({ same: 'same', changed: 'first' });
    await repository({ inner: 'inner' }, join(folder, 'nested'));
    const first = await snapshots.take(folder);
    await snapshots.retain(folder, first.id, 'first');
    const shadow = join(base, 'storage', (await readdir(join(base, 'storage')))[0] ?? '');
    const objects = (): string => git(shadow, 'cat-file', '--batch-all-objects', '--batch-check');
    await write({ changed: 'dropped' });
    await snapshots.take(folder);
    const dropped = git(shadow, 'hash-object', join(folder, 'changed')).trim();
    assert.ok(objects().includes(dropped));
    await write({ changed: 'second' });
    const second = await snapshots.take(folder);
    await snapshots.tidy(folder);
    assert.ok(!objects().includes(dropped));
    assert.equal(await text(first.id, 'changed'), 'first');
    const third = await snapshots.take(folder);
    assert.equal(third.id, second.id);
    assert.equal(await text(third.id, 'same'), 'same');
    assert.equal(await text(third.id, 'changed'), 'second');
    assert.equal(await text(third.id, 'nested/inner'), 'inner');
    await snapshots.release(folder, 'first');
    await snapshots.tidy(folder);
    await assert.rejects(snapshots.read(folder, first.id, join(folder, 'changed')));
    const fourth = await snapshots.take(folder);
    assert.equal(await text(fourth.id, 'same'), 'same', 'the index knows it, so it was not read again');
  });

  it('does not keep a snapshot waiting for the cleaning', async () => {
    snapshots = open(process.env, { looseObjects: 0 });
    await write({ a: 'a' });
    await snapshots.take(folder);
    const tidied = snapshots.tidy(folder);
    const taken = await snapshots.take(folder);
    await tidied;
    assert.equal(await text(taken.id, 'a'), 'a');
  });

  it('drops what belongs to folders that nobody works in any more', async () => {
    await write({ a: 'a' });
    await snapshots.take(folder);
    const [name = ''] = await readdir(join(base, 'storage'));
    snapshots.dispose();
    snapshots = open();
    await snapshots.take(folder);
    assert.deepEqual(await readdir(join(base, 'storage')), [name]);
    await utimes(join(base, 'storage', name, 'info'), 1, 1);
    await mkdir(join(base, 'other'));
    snapshots.dispose();
    snapshots = open();
    await snapshots.take(join(base, 'other'));
    assert.equal((await readdir(join(base, 'storage'))).includes(name), false);
  });

  it('knows what is committed', async () => {
    await repository({ same: 's', changed: 'c', gone: 'g', kept: 'k' });
    git(folder, 'rm', '--quiet', 'gone');
    git(folder, 'commit', '--quiet', '-m', 'gone');
    await write({ changed: 'now', untracked: 'u' });
    await rm(join(folder, 'kept'));
    await utimes(join(folder, 'same'), 1, 1);
    const paths = ['same', 'changed', 'gone', 'kept', 'untracked'].map((name) => join(folder, name));
    assert.deepEqual(await snapshots.committed(folder, paths), [join(folder, 'same'), join(folder, 'gone')]);
  });

  it('says when there is no git program', async () => {
    snapshots = open({ PATH: base });
    await assert.rejects(snapshots.take(folder), {
      name: 'SnapshotUnavailable',
      message: 'No git program was found.',
    });
  });
});
