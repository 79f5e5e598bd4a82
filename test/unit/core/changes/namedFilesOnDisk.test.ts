import assert from 'node:assert/strict';
import type { ChangeTracker } from '../../../../src/core/changes/changeTracker';
import { FolderWorld } from './folderWorld';

describe('changes of agents on a real disk', function () {
  this.timeout(30_000);
  let world: FolderWorld;
  let tracker: ChangeTracker;

  beforeEach(() => {
    world = new FolderWorld();
    tracker = world.tracker();
  });
  afterEach(() => {
    tracker.dispose();
    world.dispose();
  });

  /** One call, which names these and is looked at before it begins. */
  async function call(names: readonly string[], work: () => void): Promise<void> {
    const session = { id: 'one', workdir: world.folder, roots: [world.folder] };
    const paths = names.map((name) => world.pathOf(name));
    await tracker.turnStarted(session, 1, true);
    tracker.workStarted(session, { key: 'edit', paths });
    await tracker.waitingEnded(session);
    work();
    tracker.workEnded(session, { key: 'edit', paths });
    for (const path of paths) {
      await tracker.agentReported(session, path, []);
    }
    await tracker.turnEnded(session, 1);
  }
  const shown = (): unknown => tracker.pending().map(({ path, kind }) => [path, kind]);

  it('are in the files of a folder that a call names, and not in the folder', async () => {
    world.put('a.txt', Buffer.from('one\n'));
    world.put('deep/b.txt', Buffer.from('one\n'));
    const seen = new Set<string>();
    tracker.onDidChange(() => tracker.pending().forEach(({ path }) => seen.add(path)));
    await call(['', 'deep'], () => world.put('deep/b.txt', Buffer.from('two\n')));
    assert.deepEqual([...seen], [world.pathOf('deep/b.txt')]);
    assert.deepEqual(tracker.tracking, { kind: 'full' });
  });

  it('are also in files that git ignores, when a call names them', async () => {
    world.put('.gitignore', Buffer.from('.env\ndist\n'));
    world.put('.env', Buffer.from('SECRET\n'));
    world.put('dist/other', Buffer.from('built\n'));
    const tree = world.tree;
    await call(['.env', 'dist/new'], () => {
      world.put('.env', Buffer.from('SECRET\nMORE\n'));
      world.put('dist/new', Buffer.from('new\n'));
      world.put('dist/other', Buffer.from('built again\n'));
    });
    assert.deepEqual(shown(), [
      [world.pathOf('.env'), 'edited'],
      [world.pathOf('dist/new'), 'created'],
    ]);
    await tracker.undo({});
    assert.deepEqual(world.tree, { ...tree, 'dist/other': 'file built again\n' });
  });
});
