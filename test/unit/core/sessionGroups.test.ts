import assert from 'node:assert/strict';
import { groupSessions } from '../../../src/core/session/sessionGroups';

const session = (agentId: string, workdir: string) => ({
  record: { agentId, agentName: agentId.toUpperCase(), workdir },
});
const shape = (groups: ReturnType<typeof groupSessions>) =>
  groups?.map(({ label, members }) => [label, members.length]);

describe('groups of sessions', () => {
  const all = [session('b', '/x/app'), session('a', '/y/app'), session('b', '/x/lib')];

  it('are not made by date, nor when there is only one', () => {
    assert.equal(groupSessions(all, 'date'), undefined);
    assert.equal(groupSessions([session('a', '/x'), session('b', '/x')], 'folder'), undefined);
    assert.equal(groupSessions([], 'agent'), undefined);
  });

  it('follow the order of the list', () => {
    assert.deepEqual(shape(groupSessions(all, 'agent')), [
      ['B', 2],
      ['A', 1],
    ]);
  });

  it('tell folders of the same name apart', () => {
    assert.deepEqual(shape(groupSessions(all, 'folder')), [
      ['x/app', 1],
      ['y/app', 1],
      ['lib', 1],
    ]);
  });
});
