import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { until } from '../../../support/until';
import { DiskWorld } from './diskWorld';

describe('changes of agents on a real disk', function () {
  this.timeout(30_000);
  let world: DiskWorld;
  const at = (name: string): string => join(world.folder, name);
  const pending = (): readonly string[] =>
    world.tracker.pending().map(({ path }) => path.slice(world.folder.length + 1));

  beforeEach(() => {
    world = new DiskWorld();
  });
  afterEach(() => {
    world.dispose();
  });

  function replaceByLink(): void {
    renameSync(at('src'), at('lib'));
    symlinkSync('lib', at('src'));
  }

  it('go and come back when a folder was replaced by a link', async () => {
    world.put({ 'src/a.ts': 'a\n', 'src/deep/b.ts': 'b\n', 'c.ts': 'c\n' });
    world.commitAll();
    const before = world.picture();
    await world.turn(replaceByLink);
    assert.equal(world.tracker.tracking.kind, 'full');
    assert.deepEqual(pending(), ['lib/a.ts', 'lib/deep/b.ts', 'src']);
    const after = world.picture();
    assert.deepEqual((await world.tracker.undo({})).conflicts, []);
    assert.deepEqual(world.picture(), before);
    assert.equal(await world.tracker.undoReview(), true);
    assert.deepEqual(world.picture(), after);
  });

  it('are conflicts one by one where a link is in the way, and nothing is written through it', async () => {
    const outside = join(world.base, 'outside');
    mkdirSync(outside);
    world.put({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' });
    await world.turn(() => {
      rmSync(at('src'), { recursive: true });
      symlinkSync(outside, at('src'));
    });
    assert.deepEqual(pending(), ['src', 'src/a.ts', 'src/b.ts']);
    const { files, conflicts } = await world.tracker.undo({ path: at('src/a.ts') }, { force: true });
    assert.deepEqual([files, conflicts], [[], [at('src/a.ts')]]);
    assert.deepEqual(readdirSync(outside), []);
    assert.deepEqual(pending(), ['src', 'src/a.ts', 'src/b.ts']);
    assert.deepEqual((await world.tracker.undo({})).conflicts, []);
    assert.equal(readFileSync(at('src/a.ts'), 'utf8'), 'a\n');
    assert.deepEqual(readdirSync(outside), []);
  });

  it('are not undone by half where a link is in the way of a renamed file', async () => {
    world.put({ 'src/a.ts': 'a long text that is renamed\n' });
    await world.turn(replaceByLink);
    const after = world.picture();
    const { files, conflicts } = await world.tracker.undo({ path: at('lib/a.ts') });
    assert.deepEqual([files, conflicts], [[], [at('lib/a.ts')]]);
    assert.deepEqual(world.picture(), after);
  });

  it('leave the empty folder that the user made earlier', async () => {
    world.put({ 'a.ts': 'a\n' });
    await world.turn(() => world.put({ 'b.ts': 'b\n' }));
    mkdirSync(at('mine'));
    // Two clocks: that of the file system may go by ticks.
    await until(
      'the folder is older than the turn',
      () => Date.now() > statSync(at('mine')).birthtimeMs + 50,
    );
    await world.turn(() => world.put({ 'mine/c.ts': 'c\n', 'made/d.ts': 'd\n' }));
    await world.tracker.undo({});
    assert.deepEqual(readdirSync(world.folder).sort(), ['a.ts', 'mine']);
  });

  it('leave every byte of submodules, worktrees, nested repositories and their git as it was', async () => {
    world.put({ 'main.ts': 'main\n' });
    world.commitAll();
    const module = join(world.base, 'module');
    world.put({ 'm.ts': 'm\n' }, module);
    world.commitAll(module);
    world.git(world.folder, 'submodule', '--quiet', 'add', module, 'module');
    world.git(world.folder, 'commit', '--quiet', '-m', 'module');
    world.git(world.folder, 'worktree', 'add', '--quiet', at('tree'));
    world.put({ 'n.ts': 'n\n', 'stashed.ts': 's\n' }, at('nested'));
    world.commitAll(at('nested'));
    world.put({ 'stashed.ts': 'stashed\n' }, at('nested'));
    world.git(at('nested'), 'stash');
    world.put({ 'staged.ts': 'staged\n', 'n.ts': 'not staged\n' }, at('nested'));
    world.git(at('nested'), 'add', 'staged.ts');
    const before = world.picture();
    await world.turn(() => {
      for (const name of ['', 'module', 'tree', 'nested']) {
        world.put(
          { 'main.ts': 'agent\n', 'm.ts': 'agent\n', 'n.ts': 'agent\n', 'new.ts': 'new\n' },
          at(name),
        );
        symlinkSync('new.ts', join(at(name), 'link'));
      }
      rmSync(at('nested/staged.ts'));
    });
    assert.equal(pending().length, 21);
    await world.tracker.undo({});
    assert.deepEqual(world.picture(), before);
  });

  it('are given back as they were on disk where a filter stands between it and the repository', async () => {
    world.put({ '.gitattributes': '*.bin filter=lfs -text\n', 'a.bin': 'large\n', 'b.bin': 'other\n' });
    world.git(world.folder, 'init', '--quiet');
    // As LFS: the repository has a pointer, and cleaning leaves the content in the user's `.git`.
    const clean = `mkdir -p .git/lfs && cp /dev/stdin .git/lfs/object && sha1sum .git/lfs/object | cut -c1-40`;
    world.git(world.folder, 'config', 'filter.lfs.clean', clean);
    world.git(world.folder, 'config', 'filter.lfs.smudge', 'cat .git/lfs/object');
    world.git(world.folder, 'config', 'filter.lfs.required', 'true');
    world.commitAll();
    const before = world.picture();
    await world.turn(() => world.put({ 'a.bin': 'agent\n' }));
    await world.tracker.refresh();
    assert.deepEqual(pending(), ['a.bin']);
    await world.tracker.undo({});
    assert.deepEqual(world.picture(), before);
    await world.turn(() => world.put({ 'a.bin': 'agent\n', 'c.ts': 'agent\n' }));
    world.git(world.folder, 'add', '-A');
    world.git(world.folder, 'commit', '--quiet', '-m', 'more');
    await world.tracker.refresh();
    assert.deepEqual(pending(), []);
  });

  it('are seen beside pipes and files that nobody may read', async () => {
    world.put({ 'a.ts': 'a\n', 'pipe.ts': 'x\n', 'secret.ts': 'secret\n', 'mine.ts': 'mine\n' });
    world.commitAll();
    rmSync(at('pipe.ts'));
    execFileSync('mkfifo', [at('pipe.ts')]);
    await withoutPrivileges(async () => {
      chmodSync(at('mine.ts'), 0o000);
      await world.turn(() => {
        chmodSync(at('secret.ts'), 0o000);
        world.put({ 'a.ts': 'agent\n', 'b.ts': 'b\n' });
      });
      assert.deepEqual(world.tracker.tracking, { kind: 'full' });
      assert.deepEqual(pending(), ['a.ts', 'b.ts']);
      chmodSync(at('secret.ts'), 0o600);
      assert.deepEqual((await world.tracker.undo({})).conflicts, []);
      assert.equal(readFileSync(at('a.ts'), 'utf8'), 'a\n');
    });
  });

  /** Root may read everything; then another user does the work. */
  async function withoutPrivileges(work: () => Promise<void>): Promise<void> {
    if (process.getuid?.() !== 0 || process.seteuid === undefined) {
      return work();
    }
    const nobody = 65534;
    for (const path of [
      world.base,
      world.folder,
      ...readdirSync(world.base, { recursive: true, encoding: 'utf8' }).map((name) => join(world.base, name)),
    ]) {
      chownSync(path, nobody, nobody);
    }
    process.seteuid(nobody);
    try {
      await work();
    } finally {
      process.seteuid(0);
    }
  }
});
