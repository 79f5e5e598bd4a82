import assert from 'node:assert/strict';
import { ChangeWorld, pathOf, session } from './changeWorld';

const other = { id: 'two', workdir: '/folder/sub', roots: ['/folder/sub'] };

describe('changes of agents', () => {
  let world: ChangeWorld;
  let tracker: ReturnType<ChangeWorld['tracker']>;

  beforeEach(() => {
    world = new ChangeWorld();
    world.put('a.txt', 'one\ntwo\nthree\n');
    world.put('old.txt', 'x\ny\nz\n');
    world.put('picture', Buffer.from([0, 1, 2]));
    tracker = world.tracker();
  });
  afterEach(() => tracker.dispose());

  async function turn(work: () => void | Promise<void>, turnId = 1, by = session): Promise<void> {
    await tracker.turnStarted(by, turnId);
    await work();
    await tracker.turnEnded(by, turnId);
  }
  const shown = (): unknown => tracker.pending().map(({ path, kind, isMixed }) => [path, kind, isMixed]);

  function changeEverything(): void {
    world.put('a.txt', 'one\nTWO\nthree\n');
    world.put('new.txt', 'hello\n');
    world.put('old.txt', undefined);
    world.put('moved.txt', 'x\ny\nz\n');
    world.put('picture', Buffer.from([0, 9]), 'executable');
  }

  it('of all kinds are pending, and all of them go with one undo', async () => {
    const tree = world.tree;
    await turn(changeEverything);
    assert.deepEqual(
      tracker.pending().map(({ path, kind, previousPath }) => [path, kind, previousPath]),
      [
        [pathOf('a.txt'), 'edited', undefined],
        [pathOf('moved.txt'), 'renamed', pathOf('old.txt')],
        [pathOf('new.txt'), 'created', undefined],
        [pathOf('picture'), 'edited', undefined],
      ],
    );
    const changed = world.tree;
    assert.deepEqual((await tracker.undo({})).conflicts, []);
    assert.deepEqual(world.tree, tree);
    assert.deepEqual(tracker.pending(), []);
    assert.equal(await tracker.undoReview(), true);
    assert.deepEqual(world.tree, changed);
    assert.equal(tracker.pending().length, 4);
  });

  it('are not what the user did before, between and after turns', async () => {
    world.put('a.txt', 'one\ntwo\nthree\nmine\n');
    await turn(() => world.put('a.txt', 'ONE\ntwo\nthree\nmine\n'));
    world.put('a.txt', 'ONE\ntwo\nthree\nmine\nmine too\n');
    await turn(() => undefined, 2);
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'one\ntwo\nthree\nmine\nmine too\n');
  });

  it('are not what the user saves during the turn, nor does while the agent waits', async () => {
    await turn(async () => {
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      await tracker.userWillChange([pathOf('a.txt')]);
      world.put('a.txt', 'ONE\ntwo\nTHREE\n');
      await tracker.userDidChange([pathOf('a.txt')]);
      await tracker.waitingStarted(session);
      world.put('by hand', 'mine\n');
      await tracker.waitingEnded(session);
      world.put('new.txt', 'agent\n');
    });
    assert.deepEqual(shown(), [
      [pathOf('a.txt'), 'edited', false],
      [pathOf('new.txt'), 'created', false],
    ]);
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'one\ntwo\nTHREE\n');
    assert.equal(world.text('by hand'), 'mine\n');
  });

  it('are not what the user does with other tools while no tool call is open', async () => {
    await turn(() => {
      tracker.workStarted(session, { key: 'edit', paths: undefined });
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      tracker.workEnded(session, { key: 'edit', paths: undefined });
      world.clock += 60_000;
      world.put('old.txt', 'from vim\n');
      world.put('picture', undefined);
      world.clock += 60_000;
      tracker.workStarted(session, { key: 'run', paths: undefined });
      world.put('new.txt', 'agent\n');
    });
    assert.deepEqual(shown(), [
      [pathOf('a.txt'), 'edited', false],
      [pathOf('new.txt'), 'created', false],
    ]);
  });

  it('are not what the user does while an agent that tells only reads, or says nothing at all', async () => {
    const tree = world.tree;
    await turn(() => {
      tracker.workStarted(session, { key: 'read', paths: [] });
      world.put('a.txt', 'from vim\n');
      tracker.workEnded(session, { key: 'read', paths: [] });
      world.put('new.txt', 'from vim\n');
    });
    assert.deepEqual(shown(), []);
    await tracker.turnStarted(session, 2, true);
    world.put('old.txt', undefined);
    await tracker.turnEnded(session, 2);
    assert.deepEqual(shown(), []);
    assert.notDeepEqual(world.tree, tree);
  });

  it('are only in the files that a call names', async () => {
    await turn(() => {
      tracker.workStarted(session, { key: 'edit', paths: undefined });
      tracker.workStarted(session, { key: 'edit', paths: [pathOf('a.txt'), pathOf('made')] });
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      world.put('made/new.txt', 'new\n');
      world.put('old.txt', 'from vim\n');
    });
    assert.deepEqual(shown(), [
      [pathOf('a.txt'), 'edited', false],
      [pathOf('made/new.txt'), 'created', false],
    ]);
  });

  it('are not what the user did to the same file before the call was announced', async () => {
    await turn(async () => {
      tracker.workStarted(session, { key: 'edit', paths: [pathOf('a.txt')] });
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      tracker.workEnded(session, { key: 'edit', paths: [pathOf('a.txt')] });
      await tracker.waitingEnded(session);
      world.clock += 60_000;
      world.put('a.txt', 'ONE\ntwo\nfrom vim\n');
      world.clock += 60_000;
      tracker.workStarted(session, { key: 'again', paths: [pathOf('a.txt')] });
      await tracker.waitingEnded(session);
      world.put('a.txt', 'ONE!\ntwo\nfrom vim\n');
    });
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'one\ntwo\nfrom vim\n');
  });

  it('are not what the user did with another tool before a command changed the same file', async () => {
    await turn(async () => {
      tracker.workStarted(session, { key: 'read', paths: [] });
      world.clock += 60_000;
      world.put('a.txt', 'one\ntwo\nfrom vim\n');
      await tracker.filesChanged([pathOf('a.txt')]);
      world.clock += 60_000;
      tracker.workStarted(session, { key: 'run', paths: undefined });
      world.put('a.txt', 'ONE\ntwo\nfrom vim\n');
      // Not as long as a command runs.
      await tracker.filesChanged([pathOf('a.txt')]);
      world.put('old.txt', 'agent\n');
      tracker.workEnded(session, { key: 'run', paths: undefined });
    });
    assert.deepEqual(shown(), [
      [pathOf('a.txt'), 'edited', false],
      [pathOf('old.txt'), 'edited', false],
    ]);
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'one\ntwo\nfrom vim\n');
  });

  it('are not taken for the user’s as long as their agent tells of them late', async () => {
    await turn(async () => {
      world.clock += 60_000;
      tracker.workEnded(session, { key: 'first', paths: [] });
      world.clock += 60_000;
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      await tracker.filesChanged([pathOf('a.txt')]);
      tracker.workEnded(session, { key: 'late', paths: [pathOf('a.txt')] });
    });
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
  });

  it('are also files that move with their folder, which are as old as they were', async () => {
    world.put('src/one', '1\n');
    const age = world.clock;
    world.clock += 60_000;
    await turn(() => {
      world.clock += 60_000;
      tracker.workStarted(session, { key: 'mv', paths: undefined });
      world.put('src/one', undefined);
      world.put('lib/one', '1\n');
      world.times.delete(pathOf('src/one'));
      world.times.set(pathOf('lib/one'), age);
      world.times.set(pathOf('lib'), world.clock);
      world.times.set('/folder', world.clock);
    });
    assert.deepEqual(shown(), [[pathOf('lib/one'), 'renamed', false]]);
  });

  it('are kept by a commit of the user, also while an agent edits', async () => {
    await turn(async () => {
      tracker.workStarted(session, { key: 'edit', paths: [pathOf('a.txt')] });
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      tracker.workEnded(session, { key: 'edit', paths: [pathOf('a.txt')] });
      await tracker.agentWillWrite(session, pathOf('a.txt'));
      world.head.set(pathOf('a.txt'), { content: Buffer.from('ONE\ntwo\nthree\n'), mode: 'file' });
      tracker.workStarted(session, { key: 'next', paths: [pathOf('old.txt')] });
      await tracker.refresh();
    });
    assert.deepEqual(shown(), []);
  });

  it('are the work of calls that are told only at their end, too', async () => {
    await turn(() => {
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      world.clock += 60_000;
      tracker.workEnded(session, { key: 'edit', paths: undefined });
      world.clock += 60_000;
      world.put('mine.txt', 'mine\n');
      // What is told of a call after its end says nothing about the time since.
      tracker.workEnded(session, { key: 'edit', paths: undefined });
    });
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
  });

  it('of commands that are told only at their end are those of the call that they are part of', async () => {
    await turn(() => {
      tracker.workStarted(session, { key: 'read', paths: [] });
      world.clock += 60_000;
      world.put('mine.txt', 'from vim\n');
      world.clock += 60_000;
      tracker.workStarted(session, { key: 'run', paths: undefined });
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      tracker.workEnded(session, { key: 'terminal', paths: undefined });
      tracker.workEnded(session, { key: 'run', paths: undefined });
    });
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
  });

  it('are not what the user saves while somebody looks, however long that takes', async () => {
    let finish = (): void => undefined;
    await turn(async () => {
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      world.taking = new Promise((resolve) => {
        finish = resolve;
      });
      const looking = tracker.waitingEnded(session);
      await tracker.userWillChange([pathOf('a.txt')]);
      world.put('a.txt', 'ONE\ntwo\nmine\n');
      finish();
      await looking;
      await tracker.userDidChange([pathOf('a.txt')]);
    });
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'one\ntwo\nmine\n');
  });

  it('are not what the user saves twice in a row', async () => {
    const save = async (text: string): Promise<Promise<void>[]> => {
      await tracker.userWillChange([pathOf('a.txt')]);
      world.put('a.txt', text);
      return [tracker.userDidChange([pathOf('a.txt')])];
    };
    await turn(async () => {
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      const [first] = await save('ONE\ntwo\nmine\n');
      const [second] = await save('ONE\ntwo\nmine!\n');
      await first;
      await tracker.waitingEnded(session);
      await second;
      world.put('new.txt', 'agent\n');
      world.put('a.txt', 'ONE!\ntwo\nmine!\n');
    });
    assert.deepEqual((await tracker.undo({})).conflicts, []);
    assert.equal(world.text('a.txt'), 'one\ntwo\nmine!\n');
  });

  it('are not what the user saves twice, with a look in between', async () => {
    await turn(async () => {
      world.put('a.txt', 'one\nTWO\nthree\n');
      await tracker.userWillChange([pathOf('a.txt')]);
      world.put('a.txt', 'mine\nTWO\nthree\n');
      await tracker.waitingEnded(session);
      await tracker.userWillChange([pathOf('a.txt')]);
      world.put('a.txt', 'mine\nTWO\nmine\n');
      await tracker.userDidChange([pathOf('a.txt')]);
    });
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'mine\ntwo\nmine\n');
  });

  it('are not what the user begins to save while the save before it is looked at', async () => {
    await turn(async () => {
      await tracker.userWillChange([pathOf('a.txt')]);
      world.put('a.txt', 'one\ntwo\nmine\n');
      const first = tracker.userDidChange([pathOf('a.txt')]);
      await tracker.userWillChange([pathOf('a.txt')]);
      await first;
      world.put('a.txt', 'one\ntwo\nmine!\n');
      await tracker.waitingEnded(session);
      await tracker.userDidChange([pathOf('a.txt')]);
      world.put('a.txt', 'ONE\ntwo\nmine!\n');
    });
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'one\ntwo\nmine!\n');
  });

  it('are the agent’s again when a save of the user has failed', async () => {
    await turn(async () => {
      await tracker.userWillChange([pathOf('a.txt')]);
      world.clock += 60_000;
      world.put('a.txt', 'ONE\ntwo\nthree\n');
    });
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
  });

  it('are not what the user makes, renames and removes in the Explorer, folders included', async () => {
    world.put('folder/one', '1\n');
    world.put('folder/two', '2\n');
    await turn(async () => {
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      await tracker.userWillChange([pathOf('folder'), pathOf('a.txt'), pathOf('b.txt'), pathOf('made.txt')]);
      world.put('folder/one', undefined);
      world.put('folder/two', undefined);
      world.put('a.txt', undefined);
      world.put('b.txt', 'ONE\ntwo\nthree\n');
      world.put('made.txt', '');
      await tracker.userDidChange([pathOf('folder'), pathOf('a.txt'), pathOf('b.txt'), pathOf('made.txt')]);
    });
    assert.deepEqual(shown(), [[pathOf('b.txt'), 'edited', false]]);
    await tracker.undo({});
    assert.equal(world.text('b.txt'), 'one\ntwo\nthree\n');
    assert.equal(world.text('folder/one'), undefined);
  });

  it('are seen in all folders of the session, and restored there', async () => {
    world.folders.push('/second');
    const both = { ...session, roots: ['/folder', '/second'] };
    world.put('/second/x.txt', 'x\n');
    await turn(
      () => {
        world.put('a.txt', 'ONE\ntwo\nthree\n');
        world.put('/second/x.txt', 'y\n');
      },
      1,
      both,
    );
    assert.deepEqual(
      tracker.pending().map(({ path, folder }) => [path, folder]),
      [
        [pathOf('a.txt'), '/folder'],
        ['/second/x.txt', '/second'],
      ],
    );
    assert.equal((await tracker.previewRestore(session.id, 1)).files.length, 2);
    await tracker.restore(session.id, 1);
    assert.equal(world.text('/second/x.txt'), 'x\n');
    assert.equal(world.text('a.txt'), 'one\ntwo\nthree\n');
  });

  it('outside of all folders are seen where the user allowed the write', async () => {
    world.put('/elsewhere/x.txt', 'x\n');
    world.ignored.add('/elsewhere/x.txt');
    await turn(async () => {
      await tracker.agentWillWrite(session, '/elsewhere/x.txt');
      world.put('/elsewhere/x.txt', 'y\n');
      await tracker.agentDidWrite(session, '/elsewhere/x.txt');
    });
    assert.deepEqual(shown(), [['/elsewhere/x.txt', 'edited', false]]);
    await tracker.undo({});
    assert.equal(world.text('/elsewhere/x.txt'), 'x\n');
  });

  it('are not kept by a commit of the agent itself', async () => {
    await turn(async () => {
      tracker.workStarted(session, { key: 'commit', paths: undefined });
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      await tracker.agentWillWrite(session, pathOf('a.txt'));
      world.head.set(pathOf('a.txt'), { content: Buffer.from('ONE\ntwo\nthree\n'), mode: 'file' });
      await tracker.refresh();
    });
    await tracker.refresh();
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
  });

  it('that the user has edited are conflicts unless forced', async () => {
    await turn(() => world.put('new.txt', 'agent\n'));
    world.put('new.txt', 'agent\nmine\n');
    assert.deepEqual((await tracker.undo({})).conflicts, [pathOf('new.txt')]);
    assert.equal(world.text('new.txt'), 'agent\nmine\n');
    await tracker.undo({}, { force: true });
    assert.equal(world.text('new.txt'), undefined);
    assert.equal(await tracker.undoReview(), true);
    assert.equal(world.text('new.txt'), 'agent\nmine\n');
  });

  it('are conflicts where somebody writes the file at the last moment', async () => {
    await turn(() => {
      world.put('a.txt', 'agent\n');
      world.put('new.txt', 'agent\n');
    });
    world.beforeReplace = (path) => {
      if (path === pathOf('a.txt')) {
        world.put('a.txt', 'agent and user\n');
      }
    };
    const { files, conflicts } = await tracker.undo({});
    assert.deepEqual([files, conflicts], [[pathOf('new.txt')], [pathOf('a.txt')]]);
    assert.equal(world.text('a.txt'), 'agent and user\n');
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
  });

  it('that are taken back stay to be taken back where somebody wrote at the last moment', async () => {
    await turn(changeEverything);
    await tracker.undo({});
    world.beforeReplace = (path) => {
      if (path === pathOf('a.txt')) {
        world.put('a.txt', 'user\n');
      }
    };
    assert.equal(await tracker.undoReview(), false);
    assert.equal(world.text('a.txt'), 'user\n');
    assert.equal(world.text('new.txt'), 'hello\n');
  });

  it('are based on what was there when the turn began, until an agent has changed it', async () => {
    const before = async (): Promise<string | undefined> => {
      const content = await tracker.versionAtTurnStart(session.id, pathOf('a.txt'));
      return content && Buffer.from(content).toString();
    };
    assert.equal(await before(), undefined);
    await turn(async () => {
      world.put('a.txt', 'user\n');
      assert.equal(await before(), 'one\ntwo\nthree\n');
      await tracker.agentWillWrite(session, pathOf('a.txt'));
      world.put('a.txt', 'agent\n');
      await tracker.agentDidWrite(session, pathOf('a.txt'));
      assert.equal(await before(), undefined);
    });
    await turn(async () => assert.equal(await before(), 'agent\n'), 2);
  });

  it('are looked for without reading what only the user changed, as a change of branch does', async () => {
    await turn(() => world.put('a.txt', 'agent\n'));
    for (let at = 0; at < 2000; at += 1) {
      world.put(`branch/${at}`, 'x\n');
    }
    world.contentsRead.length = 0;
    await tracker.refresh();
    await turn(() => world.put('old.txt', 'agent\n'), 2);
    assert.deepEqual([...new Set(world.contentsRead)], [pathOf('old.txt')]);
    assert.equal(tracker.pending().length, 2);
  });

  it('are kept and undone one by one, and by session', async () => {
    await turn(() => world.put('a.txt', 'ONE\ntwo\nTHREE\n'));
    await turn(() => world.put('new.txt', 'second\n'), 1, other);
    const [first] = tracker.pending(session.id)[0]?.hunks ?? [];
    await tracker.keep({ path: pathOf('a.txt'), hunkId: first?.id });
    await tracker.undo({ sessionId: other.id });
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'ONE\ntwo\nthree\n');
    assert.equal(world.text('new.txt'), undefined);
  });

  it('come back when the user takes an undo back with the editor', async () => {
    await turn(() => world.put('a.txt', 'ONE\ntwo\nthree\n'));
    const before = tracker.pending();
    await tracker.undo({});
    world.put('a.txt', 'ONE\ntwo\nthree\n');
    await tracker.userDidChange([pathOf('a.txt')]);
    assert.deepEqual(tracker.pending(), before);
  });

  it('survive a reload, with what can be taken back', async () => {
    const tree = world.tree;
    await turn(changeEverything);
    await tracker.undo({ path: pathOf('picture') });
    const pending = tracker.pending();
    tracker.dispose();
    tracker = world.tracker();
    await tracker.loaded;
    assert.deepEqual(tracker.pending(), pending);
    assert.equal(await tracker.undoReview(), true);
    assert.equal(tracker.pending().length, 4);
    await tracker.undo({});
    assert.deepEqual(world.tree, tree);
  });

  it('are lost one by one when what is stored is damaged', async () => {
    await turn(changeEverything);
    const [hash] =
      [...world.storage.contents].find(([, content]) => Buffer.from(content).includes('TWO')) ?? [];
    world.storage.contents.set(hash ?? '', Buffer.from('damage'));
    tracker.dispose();
    tracker = world.tracker();
    await tracker.loaded;
    assert.equal(tracker.pending().length, 3);
    assert.ok(world.log.warnings.length > 0);
  });

  it('of a turn that a crash ended are told by their time', async () => {
    await tracker.turnStarted(session, 1);
    world.put('a.txt', 'ONE\ntwo\nthree\n');
    world.storage.alive = world.clock;
    world.put('mine.txt', 'much later\n');
    world.times.set(pathOf('mine.txt'), world.clock + 60_000);
    tracker.dispose();
    tracker = world.tracker();
    await tracker.loaded;
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
  });

  it('are seen later when snapshots fail for a while, and what the user did stays the user’s', async () => {
    await turn(() => world.put('a.txt', 'ONE\ntwo\nthree\n'));
    world.put('picture', 'mine\n');
    world.clock += 60_000;
    world.failures = Infinity;
    await turn(() => world.put('old.txt', 'agent\n'), 2);
    world.clock += 60_000;
    world.put('mine.txt', 'mine\n');
    world.failures = 0;
    await tracker.turnStarted(session, 3);
    assert.deepEqual(tracker.tracking, { kind: 'full' });
    assert.deepEqual(
      tracker.pending().map(({ path, hunks: [hunk] }) => [path, hunk?.turnId]),
      [
        [pathOf('a.txt'), 1],
        [pathOf('old.txt'), 2],
      ],
    );
  });

  it('are seen when a snapshot fails by chance', async () => {
    await tracker.turnStarted(session, 1);
    world.put('a.txt', 'ONE\ntwo\nthree\n');
    world.failures = 1;
    await tracker.turnEnded(session, 1);
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
  });

  it('are seen in writes alone when there are no snapshots', async () => {
    world.problem = 'no git';
    await tracker.turnStarted(session, 1);
    await tracker.agentWillWrite(session, pathOf('a.txt'));
    world.put('a.txt', 'ONE\ntwo\nthree\n');
    await tracker.agentDidWrite(session, pathOf('a.txt'));
    world.put('unseen.txt', '?\n');
    await tracker.turnEnded(session, 1);
    assert.deepEqual(tracker.tracking, { kind: 'writesOnly', folder: '/folder', reason: 'no git' });
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'one\ntwo\nthree\n');
  });

  it('are seen in reported diffs when there are no snapshots', async () => {
    world.problem = 'no git';
    await turn(async () => {
      world.put('a.txt', 'one\nTWO\nthree\n');
      const edit = { oldText: 'two', newText: 'TWO' };
      await tracker.agentReported(session, pathOf('a.txt'), [edit]);
      await tracker.agentReported(session, pathOf('a.txt'), [edit]);
      world.put('new.txt', 'all of it\n');
      const created = { oldText: undefined, newText: 'all of it\n' };
      await tracker.agentReported(session, pathOf('new.txt'), [created]);
      world.put('old.txt', 'x\nx\n');
      await tracker.agentReported(session, pathOf('old.txt'), [{ oldText: 'y', newText: 'x' }]);
    });
    assert.deepEqual(shown(), [
      [pathOf('a.txt'), 'edited', false],
      [pathOf('new.txt'), 'created', false],
    ]);
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'one\ntwo\nthree\n');
    assert.equal(world.text('new.txt'), undefined);
  });

  it('are said to be missing in files that are too large or cannot be read, until the next turn', async () => {
    const names = ['large', 'locked', 'a.txt'];
    world.put('large', 'x');
    world.put('locked', 'x');
    world.ignored.add(pathOf('locked'));
    world.tooLarge.add(pathOf('large'));
    world.unreadable.add(pathOf('locked'));
    const paths = names.map(pathOf);
    await turn(async () => {
      tracker.workStarted(session, { key: 'edit', paths });
      await tracker.waitingEnded(session);
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      world.put('large', 'y');
      tracker.workEnded(session, { key: 'edit', paths });
      for (const path of paths) {
        await tracker.agentReported(session, path, []);
      }
    });
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
    assert.deepEqual(tracker.tracking, { kind: 'partly', paths: [pathOf('large'), pathOf('locked')] });
    await turn(() => undefined, 2);
    assert.deepEqual(tracker.tracking, { kind: 'full' });
  });

  it('are known by how the file was when the call was announced, whatever is reported', async () => {
    world.problem = 'no git';
    await turn(async () => {
      tracker.workStarted(session, { key: 'write', paths: [pathOf('a.txt'), pathOf('new.txt')] });
      await tracker.waitingEnded(session);
      world.births.clear();
      world.put('a.txt', 'all new\n');
      world.put('new.txt', 'new\n');
      tracker.workEnded(session, { key: 'write', paths: [pathOf('a.txt'), pathOf('new.txt')] });
      for (const name of ['a.txt', 'new.txt']) {
        const edit = { oldText: undefined, newText: world.text(name) ?? '' };
        await tracker.agentReported(session, pathOf(name), [edit]);
      }
      world.put('a.txt', 'all newer\n');
      await tracker.agentReported(session, pathOf('a.txt'), [{ oldText: 'new', newText: 'newer' }]);
    });
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'one\ntwo\nthree\n');
    assert.equal(world.text('new.txt'), undefined);
  });

  it('never are files that were there before the turn, when a report calls them new', async () => {
    world.problem = 'no git';
    await turn(async () => {
      world.put('a.txt', 'over\n');
      await tracker.agentReported(session, pathOf('a.txt'), [{ oldText: undefined, newText: 'over\n' }]);
      world.put('new.txt', 'new\n');
      await tracker.agentReported(session, pathOf('new.txt'), [{ oldText: '', newText: 'new\n' }]);
    });
    assert.deepEqual(shown(), [[pathOf('new.txt'), 'created', false]]);
    await tracker.undo({});
    assert.equal(world.text('a.txt'), 'over\n');
    assert.equal(world.text('new.txt'), undefined);
  });

  it('are seen in files that git ignores, by their announcement or by what is reported', async () => {
    for (const name of ['.env', 'dist/a', 'dist/new']) {
      world.ignored.add(pathOf(name));
    }
    world.put('.env', 'SECRET\n');
    world.put('dist/a', 'one\ntwo\n');
    await turn(async () => {
      const work = { key: 'edit', paths: [pathOf('.env'), pathOf('dist/new')] };
      tracker.workStarted(session, work);
      await tracker.waitingEnded(session);
      world.put('.env', 'SECRET\nMORE\n');
      world.put('dist/new', 'new\n');
      tracker.workEnded(session, work);
      world.put('dist/a', 'ONE\ntwo\n');
      tracker.workEnded(session, { key: 'late', paths: [pathOf('dist/a')] });
      await tracker.agentReported(session, pathOf('dist/a'), [{ oldText: 'one', newText: 'ONE' }]);
    });
    assert.deepEqual(shown(), [
      [pathOf('.env'), 'edited', false],
      [pathOf('dist/a'), 'edited', false],
      [pathOf('dist/new'), 'created', false],
    ]);
    await tracker.undo({});
    assert.equal(world.text('.env'), 'SECRET\n');
    assert.equal(world.text('dist/a'), 'one\ntwo\n');
    assert.equal(world.text('dist/new'), undefined);
  });

  it('never make a file that git ignores look new', async () => {
    world.put('.env', 'SECRET\n');
    world.ignored.add(pathOf('.env'));
    await turn(async () => {
      await tracker.agentWillWrite(session, pathOf('.env'));
      world.put('.env', 'SECRET\nMORE\n');
      await tracker.agentDidWrite(session, pathOf('.env'));
    });
    assert.deepEqual(shown(), [[pathOf('.env'), 'edited', false]]);
    await tracker.undo({});
    assert.equal(world.text('.env'), 'SECRET\n');
  });

  it('do not include files that only stopped being ignored', async () => {
    world.put('.gitignore', 'secret\n');
    world.put('secret', 'mine\n');
    world.ignored.add(pathOf('secret'));
    await turn(() => {
      world.put('.gitignore', '\n');
      world.ignored.clear();
    });
    await tracker.undo({});
    assert.equal(world.text('secret'), 'mine\n');
  });

  it('are kept by a commit, but not when the agent itself went back to HEAD', async () => {
    world.head.set(pathOf('old.txt'), { content: Buffer.from('head\n'), mode: 'file' });
    await turn(() => {
      world.put('a.txt', 'ONE\ntwo\nthree\n');
      world.put('old.txt', 'head\n');
    });
    world.head.set(pathOf('a.txt'), { content: Buffer.from('ONE\ntwo\nthree\n'), mode: 'file' });
    await tracker.refresh();
    assert.deepEqual(shown(), [[pathOf('old.txt'), 'edited', false]]);
  });

  it('are not kept by a commit that was before, when they are decided in part or again', async () => {
    const head = { content: Buffer.from('HEAD\ntwo\nHEAD\n'), mode: 'file' } as const;
    world.head.set(pathOf('a.txt'), head);
    await turn(() => world.put('a.txt', 'HEAD\ntwo\nHEAD\n'));
    await tracker.undo({});
    await tracker.undoReview();
    await tracker.refresh();
    const [first, second] = tracker.pending()[0]?.hunks ?? [];
    await tracker.keep({ path: pathOf('a.txt'), hunkId: first?.id });
    await tracker.refresh();
    assert.deepEqual(
      tracker.pending().flatMap(({ hunks }) => hunks),
      [second],
    );
  });

  it('are taken back by the review that is meant, unless its files were reviewed again', async () => {
    await turn(() => world.put('a.txt', 'ONE\ntwo\nthree\n'));
    const first = await tracker.undo({});
    await turn(() => world.put('old.txt', 'agent\n'), 2);
    const second = await tracker.keep({});
    assert.equal(tracker.lastReview, second.id);
    assert.equal(await tracker.undoReview(first.id), true);
    assert.equal(world.text('a.txt'), 'ONE\ntwo\nthree\n');
    assert.equal(await tracker.undoReview(first.id), false);
    assert.deepEqual(shown(), [[pathOf('a.txt'), 'edited', false]]);
    const third = await tracker.undo({});
    world.put('a.txt', 'ONE\ntwo\nTHREE\n');
    await turn(() => world.put('a.txt', 'one\ntwo\nthree\n'), 3);
    await tracker.keep({});
    assert.equal(await tracker.undoReview(third.id), false);
    assert.equal(world.text('a.txt'), 'one\ntwo\nthree\n');
  });

  it('follow a file that the user renames', async () => {
    await turn(() => world.put('a.txt', 'ONE\ntwo\nthree\n'));
    world.put('a.txt', undefined);
    world.put('b.txt', 'ONE\ntwo\nthree\n');
    await tracker.refresh();
    assert.deepEqual(shown(), [[pathOf('b.txt'), 'edited', false]]);
  });

  it('belong to the agent that was heard of last', async () => {
    await tracker.turnStarted(session, 1);
    await tracker.turnStarted(other, 1);
    tracker.workStarted(session, { key: 'tool', paths: undefined });
    world.put('new.txt', 'whose?\n');
    tracker.workEnded(session, { key: 'tool', paths: undefined });
    await tracker.turnEnded(other, 1);
    assert.deepEqual(tracker.pending()[0]?.sessionIds, [session.id]);
  });

  describe('since a checkpoint', () => {
    it('leave nothing to decide when a restore goes back beyond what was kept', async () => {
      await turn(() => world.put('a.txt', 'one\ntwo\nthree\nfour\n'));
      await tracker.keep({});
      await turn(() => world.put('a.txt', 'one\ntwo\nthree\nfour\nfive\n'), 2);
      await tracker.restore(session.id, 1);
      assert.equal(world.text('a.txt'), 'one\ntwo\nthree\n');
      assert.deepEqual(shown(), []);
    });

    it('go with a restore, and what the user did stays', async () => {
      await turn(() => world.put('a.txt', 'ONE\ntwo\nthree\n'));
      await turn(() => world.put('a.txt', 'ONE\ntwo\nTHREE\n'), 2);
      await tracker.keep({});
      world.put('a.txt', 'mine\nONE\ntwo\nTHREE\n');
      const { files } = await tracker.previewRestore(session.id, 2);
      assert.deepEqual(
        files.map(({ path, hasUserEdits, isConflict }) => [path, hasUserEdits, isConflict]),
        [[pathOf('a.txt'), true, false]],
      );
      await tracker.restore(session.id, 2);
      assert.equal(world.text('a.txt'), 'mine\nONE\ntwo\nthree\n');
      assert.equal(await tracker.undoReview(), true);
      assert.equal(world.text('a.txt'), 'mine\nONE\ntwo\nTHREE\n');
      await tracker.restore(session.id, 1, { discardUserEdits: true });
      assert.equal(world.text('a.txt'), 'one\ntwo\nthree\n');
    });

    it('are left alone where the user edited the same lines', async () => {
      await turn(() => world.put('a.txt', 'one\nTWO\nthree\n'));
      world.put('a.txt', 'one\nTWO and mine\nthree\n');
      assert.deepEqual((await tracker.restore(session.id, 1)).conflicts, [pathOf('a.txt')]);
      assert.equal(world.text('a.txt'), 'one\nTWO and mine\nthree\n');
      await tracker.restore(session.id, 1, { discardUserEdits: true });
      assert.equal(world.text('a.txt'), 'one\ntwo\nthree\n');
    });

    it('leave pending what an earlier turn did', async () => {
      await turn(() => world.put('a.txt', 'ONE\ntwo\nthree\n'));
      const before = tracker.pending();
      await turn(() => world.put('a.txt', 'ONE!\ntwo\nthree\n'), 2);
      await tracker.restore(session.id, 2);
      assert.equal(world.text('a.txt'), 'ONE\ntwo\nthree\n');
      assert.equal(tracker.pending()[0]?.isMixed, false);
      assert.deepEqual(tracker.pending()[0]?.hunks[0]?.now, before[0]?.hunks[0]?.now);
    });

    it('all go, whatever was kept, undone and taken back in between', async () => {
      const original = world.tree;
      const add = (): void => world.put('a.txt', `${world.text('a.txt')}more\n`);
      await turn(add);
      await tracker.undo({});
      await tracker.undoReview();
      await tracker.undo({});
      await turn(add, 2);
      await tracker.keep({});
      await turn(add, 3);
      await tracker.undo({});
      const third = world.tree;
      await turn(add, 4);
      await tracker.keep({});
      await turn(add, 5);
      const last = world.tree;
      await tracker.restore(session.id, 4);
      assert.deepEqual(world.tree, third);
      await tracker.undoReview();
      assert.deepEqual(world.tree, last);
      assert.deepEqual((await tracker.restore(session.id, 1)).conflicts, []);
      assert.deepEqual(world.tree, original);
    });

    it('are forgotten with their session', async () => {
      await turn(changeEverything);
      assert.deepEqual(tracker.changedIn(session.id, 1).length, 5);
      tracker.sessionDeleted(session.id);
      await tracker.refresh();
      assert.equal(tracker.hasCheckpoint(session.id, 1), false);
      assert.deepEqual([...world.retained.keys()], ['last']);
    });
  });
});
