import assert from 'node:assert/strict';
import { UnseenTurns } from '../../../src/core/session/unseenTurns';
import { SessionBench } from '../../support/sessionBench';

describe('turns that end out of sight', () => {
  let bench: SessionBench;

  beforeEach(() => {
    bench = new SessionBench();
  });
  afterEach(async () => {
    await bench.dispose();
  });

  it('are remembered until the session is seen, also over a reload', async () => {
    let isInSight = false;
    const unseen = new UnseenTurns(bench.sessions, bench.memento, () => isInSight);
    const session = await bench.start();
    await bench.sessions.prompt(session.id, [{ kind: 'text', text: 'hello' }]);
    assert.equal(unseen.of(session.id), 'done');
    const reloaded = new UnseenTurns(bench.sessions, bench.memento, () => isInSight);
    assert.equal(reloaded.of(session.id), 'done');
    reloaded.sightChanged();
    assert.equal(reloaded.of(session.id), 'done');
    isInSight = true;
    reloaded.sightChanged();
    assert.equal(reloaded.of(session.id), undefined);
    assert.equal(new UnseenTurns(bench.sessions, bench.memento, () => false).of(session.id), undefined);
  });

  it('are no news to who watched', async () => {
    const unseen = new UnseenTurns(bench.sessions, bench.memento, () => true);
    const session = await bench.start();
    await bench.sessions.prompt(session.id, [{ kind: 'text', text: 'hello' }]);
    assert.equal(unseen.of(session.id), undefined);
  });
});
