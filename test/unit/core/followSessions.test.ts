import assert from 'node:assert/strict';
import { join } from 'node:path';
import { FollowSessions } from '../../../src/core/changes/followSessions';
import type { Session } from '../../../src/core/session/session';
import { openPermissions } from '../../../src/shared/transcript/select';
import { FakeChanges } from '../../support/fakeChanges';
import { MemoryLog } from '../../support/fakes';
import type { Scenario } from '../../support/scriptedAgent/steps';
import { SessionBench } from '../../support/sessionBench';
import { until } from '../../support/until';

const hi = [{ kind: 'text', text: 'hi' }] as const;

describe('changes follow sessions', () => {
  let bench: SessionBench;
  let changes: FakeChanges;

  const begin = async (scenario: Scenario, hookLimitMs = 10_000): Promise<Session> => {
    const follow = new FollowSessions(changes, new MemoryLog());
    bench = new SessionBench({ name: 'a', ...scenario }, { hooks: follow, hookLimitMs });
    follow.listen(bench.sessions);
    return bench.start();
  };
  const sentPrompts = (): number =>
    bench.agent.received().filter((message) => JSON.stringify(message).includes('session/prompt')).length;
  const allow = (session: Session): void => {
    const [question] = openPermissions(session.transcript);
    const option = question?.permission.options.find(({ kind }) => kind === 'allow_once');
    assert.ok(question !== undefined && option !== undefined);
    session.answerPermission(question.permission.requestId, option.id);
  };

  beforeEach(() => {
    changes = new FakeChanges();
  });
  afterEach(async () => {
    await bench.dispose();
  });

  it('are told of the turn before its prompt is sent, and after its end', async () => {
    let look: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => {
      look = resolve;
    });
    changes.turnStarted = async ({ id }, turnId) => {
      changes.calls.push(`turnStarted ${id} ${turnId}`);
      await looked;
    };
    changes.turnFiles.set(1, ['/a', '/b']);
    const session = await begin({ prompts: [[{ do: 'text', text: 'done' }]] });
    const turn = bench.sessions.prompt(session.id, hi);
    await until('the look', () => changes.calls.length === 1);
    assert.equal(session.isRunning, true);
    assert.equal(sentPrompts(), 0);
    look();
    assert.equal((await turn).text, 'done');
    assert.deepEqual(changes.calls, ['turnStarted a-s1 1', 'turnEnded a-s1 1']);
    const [prompt] = session.transcript.entries;
    assert.equal(prompt?.kind === 'user' ? prompt.filesChanged : undefined, 2);
  });

  it('are told of tool calls, with the files that these can change', async () => {
    const call = (toolCallId: string, kind: string, ...names: string[]) =>
      ({
        do: 'toolCall',
        call: {
          toolCallId,
          title: kind,
          kind,
          status: 'failed',
          locations: names.map((name) => ({ path: name })),
        },
      }) as const;
    const session = await begin({
      prompts: [
        [
          call('1', 'read', '/x'),
          call('2', 'edit'),
          call('3', 'edit', '/x', 'y'),
          call('4', 'execute', '/x'),
          call('5', 'move', '/x'),
          call('6', 'move', '/x', '/y'),
        ],
      ],
    });
    await bench.sessions.prompt(session.id, hi);
    assert.deepEqual(changes.calls.slice(1, -1), [
      'workEnded a-s1 1',
      'workEnded a-s1 2 anything',
      `workEnded a-s1 3 /x ${join(session.workdir, 'y')}`,
      'workEnded a-s1 4 anything',
      'workEnded a-s1 5 anything',
      'workEnded a-s1 6 /x /y',
    ]);
  });

  it('are told what a call says that it has changed, once it is done', async () => {
    const diff = (oldText: string, newText: string) =>
      ({ type: 'diff', path: '/x', oldText, newText }) as const;
    const call = (toolCallId: string, status: 'failed' | 'completed') =>
      ({
        do: 'toolCall',
        call: {
          toolCallId,
          title: 'Edit',
          kind: 'edit',
          status,
          locations: [{ path: '/y' }],
          content: [diff('a', 'b'), diff('c', 'd')],
        },
      }) as const;
    const session = await begin({ prompts: [[call('1', 'failed'), call('2', 'completed')]] });
    await bench.sessions.prompt(session.id, hi);
    assert.deepEqual(
      changes.calls.filter((told) => told.startsWith('agentReported')),
      ['agentReported a-s1 /y', 'agentReported a-s1 /x b d'],
    );
  });

  it('know an agent that tells of its tool calls, also in another session', async () => {
    const session = await begin({
      prompts: [
        [{ do: 'toolCall', call: { toolCallId: '1', title: 'Read', kind: 'read', status: 'completed' } }],
      ],
    });
    await bench.sessions.prompt(session.id, hi);
    await bench.sessions.prompt((await bench.start()).id, hi);
    assert.deepEqual(
      changes.calls.filter((call) => call.startsWith('turnStarted')),
      ['turnStarted a-s1 1', 'turnStarted a-s2 1 of one that tells'],
    );
  });

  it('know from when to when the agent only waits, before it has its answer', async () => {
    const session = await begin({
      prompts: [[{ do: 'permission', call: { toolCallId: 'c1', title: 'Edit', kind: 'edit' } }]],
    });
    let answered: () => void = () => undefined;
    const isTold = new Promise<void>((resolve) => {
      answered = resolve;
    });
    changes.waitingEnded = async ({ id }) => {
      changes.calls.push(`waitingEnded ${id}`);
      await isTold;
    };
    const turn = bench.sessions.prompt(session.id, hi);
    await until('the question', () => changes.calls.includes('waitingStarted a-s1'));
    allow(session);
    await until('the end of waiting', () => changes.calls.includes('waitingEnded a-s1'));
    assert.equal(JSON.stringify(bench.agent.received()).includes('"outcome":"selected"'), false);
    answered();
    await turn;
    assert.deepEqual(changes.calls, [
      'turnStarted a-s1 1',
      'workStarted a-s1 c1 anything',
      'waitingStarted a-s1',
      'waitingEnded a-s1',
      'turnEnded a-s1 1',
    ]);
  });

  it('do not take it for waiting while another call is at work', async () => {
    const session = await begin({
      prompts: [
        [
          {
            do: 'toolCall',
            call: { toolCallId: 'c0', title: 'Build', kind: 'execute', status: 'in_progress' },
          },
          { do: 'permission', call: { toolCallId: 'c1', title: 'Edit', kind: 'edit' } },
        ],
      ],
    });
    const turn = bench.sessions.prompt(session.id, hi);
    await until('the question', () => openPermissions(session.transcript).length === 1);
    allow(session);
    await turn;
    assert.deepEqual(changes.calls, [
      'turnStarted a-s1 1',
      'workStarted a-s1 c0 anything',
      'workStarted a-s1 c1 anything',
      'turnEnded a-s1 1',
    ]);
  });

  it('never cost a prompt when they fail or hang', async () => {
    changes.turnStarted = () => new Promise(() => undefined);
    changes.turnEnded = () => Promise.reject(new Error('no disk'));
    const session = await begin({ prompts: [[{ do: 'text', text: 'done' }]] }, 20);
    assert.equal((await bench.sessions.prompt(session.id, hi)).text, 'done');
    assert.equal(bench.log.warnings.length, 2);
    assert.match(bench.log.warnings[0] ?? '', /before a turn: not done after 0\.02 s/);
    assert.match(bench.log.warnings[1] ?? '', /after a turn: no disk/);
  });

  it('do not let a prompt out that was stopped while they looked', async () => {
    let look: () => void = () => undefined;
    changes.turnStarted = () =>
      new Promise((resolve) => {
        look = resolve;
      });
    const session = await begin({ prompts: [[{ do: 'text', text: 'done' }]] });
    const turn = bench.sessions.prompt(session.id, hi);
    await until('the turn', () => session.isRunning);
    await session.cancel();
    look();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(sentPrompts(), 0);
    assert.deepEqual(changes.calls, ['turnEnded a-s1 1']);
  });

  it('hear the end of a turn that its agent never ends, and of deleted sessions', async () => {
    const session = await begin({ prompts: [[{ do: 'text', text: 'x' }, { do: 'never' }]] });
    const turn = bench.sessions.prompt(session.id, hi).catch(() => undefined);
    await until('the answer', () => session.transcript.entries.length === 2);
    await bench.sessions.delete(session.id);
    await turn;
    assert.deepEqual(changes.calls, ['turnStarted a-s1 1', 'turnEnded a-s1 1', 'sessionDeleted a-s1']);
  });
});
