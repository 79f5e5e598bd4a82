import assert from 'node:assert/strict';
import type { Logger } from '../../../src/core/base/log';
import type { Memento } from '../../../src/core/ports';
import { History, type SessionRecord } from '../../../src/core/session/history';
import { listLog } from './listLog';

const record = (sessionId: string, more: Partial<SessionRecord> = {}): SessionRecord => ({
  sessionId,
  agentSessionId: `agent-${sessionId}`,
  agentId: 'demo',
  agentName: 'Demo agent',
  agentKey: 'demo@/work',
  workdir: '/work',
  status: 'active',
  turnCount: 2,
  createdAt: 1,
  lastActiveAt: 2,
  ...more,
});

/** Stores what JSON keeps of it, as VS Code does. */
class FakeMemento implements Memento {
  readonly writes: string[] = [];
  onUpdate: () => Promise<void> = () => Promise.resolve();

  constructor(private stored?: unknown) {}

  get(): unknown {
    return this.stored;
  }

  update(_key: string, value: unknown): Promise<void> {
    this.writes.push(JSON.stringify(value));
    this.stored = JSON.parse(JSON.stringify(value));
    return this.onUpdate();
  }
}

describe('history', () => {
  let lines: string[];
  let log: Logger;

  beforeEach(() => {
    ({ log, lines } = listLog());
  });

  it('keeps records over a reload', async () => {
    const memento = new FakeMemento();
    const full = record('b', {
      status: 'closed',
      statusReason: 'why',
      closeReason: 'idle_timeout',
      modelId: 'm',
      modeId: 'ask',
      title: 'A title',
      hasCustomTitle: true,
      summary: 'short',
    });
    const history = new History(memento, log);
    await history.put(record('a'));
    await history.put(full);
    const reloaded = new History(memento, log);
    assert.deepEqual(reloaded.all(), [record('a'), full]);
    assert.deepEqual(reloaded.get('b'), full);
    assert.deepEqual(lines, []);
  });

  it('drops a corrupt entry with a warning that names it and keeps the rest', () => {
    const sessions = [
      record('a'),
      { ...record('b'), status: 'sleeping' },
      { ...record('c'), sessionId: 5 },
      'junk',
      { ...record('d'), createdAt: 'yesterday' },
      record('e'),
    ];
    const history = new History(new FakeMemento({ version: 1, sessions }), log);
    assert.deepEqual(
      history.all().map(({ sessionId }) => sessionId),
      ['a', 'e'],
    );
    assert.deepEqual(
      lines.map((line) => /^warn Dropped the stored session (.+):/.exec(line)?.[1]),
      ['b', 'number 3', 'number 4', 'd'],
    );
  });

  it('counts optional fields of the wrong type as absent', () => {
    const sessions = [{ ...record('a'), title: 7, turnCount: 'many', lastActiveAt: null }];
    const history = new History(new FakeMemento({ version: 1, sessions }), log);
    assert.deepEqual(history.all(), [record('a', { turnCount: 0, lastActiveAt: 1 })]);
  });

  for (const stored of [null, 'text', [], { version: 1 }, { version: 1, sessions: {} }]) {
    it(`starts empty when ${JSON.stringify(stored)} is stored`, () => {
      assert.deepEqual(new History(new FakeMemento(stored), log).all(), []);
      assert.equal(lines.length, 1);
    });
  }

  it('says when something changed', async () => {
    const history = new History(new FakeMemento(), log);
    const counts: number[] = [];
    history.onDidChange(() => counts.push(history.all().length));
    await history.put(record('a'));
    await history.remove('a');
    await history.remove('a');
    assert.deepEqual(counts, [1, 0]);
  });

  it('writes one state at a time, and the last one wins', async () => {
    const memento = new FakeMemento();
    let finish: () => void = () => undefined;
    let running = 0;
    memento.onUpdate = async () => {
      running += 1;
      assert.equal(running, 1);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      running -= 1;
    };
    const history = new History(memento, log);
    const first = history.put(record('a', { turnCount: 1 }));
    await Promise.resolve();
    assert.equal(memento.writes.length, 1);
    for (let turnCount = 2; turnCount <= 9; turnCount++) {
      void history.put(record('a', { turnCount }));
    }
    finish();
    await first;
    await Promise.resolve();
    assert.equal(memento.writes.length, 2);
    finish();
    await history.flush();
    assert.equal(new History(memento, log).get('a')?.turnCount, 9);
  });

  it('survives a store that fails', async () => {
    const memento = new FakeMemento();
    memento.onUpdate = () => Promise.reject(new Error('disk full'));
    const history = new History(memento, log);
    await history.put(record('a'));
    assert.deepEqual(lines, ['error The list of sessions could not be stored: disk full']);
    memento.onUpdate = () => Promise.resolve();
    await history.put(record('b'));
    assert.equal(new History(memento, log).all().length, 2);
  });
});
