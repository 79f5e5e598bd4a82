import assert from 'node:assert/strict';
import { ParleyError } from '../../../src/core/base/errors';
import { alwaysAllow } from '../../../src/core/session/alwaysAllow';
import type { PermissionRule } from '../../../src/core/permissions/policy';
import { asObject, asObjects, type JsonObject } from '../../../src/shared/json';
import type { Session } from '../../../src/core/session/session';
import { openPermissions } from '../../../src/shared/transcript/select';
import type { Scenario } from '../../support/scriptedAgent/steps';
import { SessionBench, type BenchOptions } from '../../support/sessionBench';
import { until } from '../../support/until';

const text = (value: string): readonly [{ kind: 'text'; text: string }] => [{ kind: 'text', text: value }];

const kinds = (session: Session): readonly string[] => session.transcript.entries.map((entry) => entry.kind);

describe('a session with a real agent process', () => {
  let bench: SessionBench;

  const begin = async (scenario: Scenario, options?: BenchOptions): Promise<Session> => {
    bench = new SessionBench(scenario, options);
    return bench.start();
  };

  afterEach(async () => {
    await bench.dispose();
  });

  it('streams an answer and ends the turn', async () => {
    const session = await begin({
      prompts: [
        [
          { do: 'thought', text: 'hm' },
          { do: 'text', text: 'hel' },
          { do: 'text', text: 'lo' },
        ],
      ],
    });
    const result = await bench.sessions.prompt(session.id, text('hi'));
    assert.deepEqual(result, { stopReason: 'end_turn', turnNumber: 1, text: 'hello' });
    assert.deepEqual(kinds(session), ['user', 'thought', 'agent']);
    assert.equal(session.transcript.turn.state, 'idle');
  });

  it('never lets the response overtake the last updates, nor updates after it join the turn', async () => {
    const session = await begin({
      prompts: [[{ do: 'flood', count: 500, text: 'x' }, { do: 'respond' }, { do: 'text', text: ' late' }]],
    });
    const result = await bench.sessions.prompt(session.id, text('hi'));
    assert.equal(result.text.match(/x \d+/g)?.length, 500);
    assert.doesNotMatch(result.text, /late/);
    await until('the late text', () => JSON.stringify(session.transcript).includes('late'));
  });

  it('delivers updates that come before the answer to session/new', async () => {
    const commands = {
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'go', description: '' }],
    };
    const session = await begin({
      name: 'early',
      on: { 'session/new': [{ do: 'update', update: commands, sessionId: 'early-s1' }] },
    });
    assert.deepEqual(
      session.transcript.commands.map((command) => command.name),
      ['go'],
    );
  });

  it('answers by a new rule once, whatever else the agent puts first', async () => {
    const options = [
      { optionId: 'all', name: 'Allow all server tools', kind: 'allow_always' },
      { optionId: 'once', name: 'Allow', kind: 'allow_once' },
    ];
    const call = { toolCallId: 'c1', kind: 'execute', rawInput: { command: 'npm test' } };
    const session = await begin({ prompts: [[{ do: 'permission', call, options }]] });
    const turn = bench.sessions.prompt(session.id, text('hi'));
    await until('the question', () => openPermissions(session.transcript).length === 1);
    const [question] = openPermissions(session.transcript);
    const remembered: PermissionRule[] = [];
    const remember = (rule: PermissionRule): Promise<void> => {
      remembered.push(rule);
      return Promise.resolve();
    };
    await alwaysAllow({ remember }, session, question?.permission.requestId ?? '', 'command');
    assert.equal((await turn).text, 'answer: once');
    assert.deepEqual(
      remembered.map(({ command }) => command),
      ['npm test'],
    );
  });

  it('sends a command as the first text, and what goes along before other words', async () => {
    const attached = [{ kind: 'text', text: '[Attached: a]\nb' }] as const;
    const session = await begin({}, { attached });
    const sent = async (words: string): Promise<readonly unknown[]> => {
      bench.sessions.submit(session.id, words);
      const prompts = (): JsonObject[] =>
        bench.agent.received().filter((message) => message.method === 'session/prompt');
      const count = prompts().length;
      await until('the prompt', () => prompts().length > count && !session.isRunning);
      const params = prompts().at(-1)?.params;
      return asObjects(asObject(params).prompt).map((block) => block.text);
    };
    assert.deepEqual(await sent('/plan it'), ['/plan it', '[Attached: a]\nb']);
    assert.deepEqual(await sent('do it'), ['[Attached: a]\nb', 'do it']);
    session.giveContext({ kind: 'text', text: 'earlier' });
    assert.deepEqual(await sent('/plan'), ['/plan', '[Attached: a]\nb', 'earlier']);
  });

  it('asks for permission and sends back the chosen option', async () => {
    const session = await begin({
      prompts: [[{ do: 'permission', call: { toolCallId: 'c1', title: 'Delete' } }]],
    });
    const turn = bench.sessions.prompt(session.id, text('hi'));
    await until('the question', () => openPermissions(session.transcript).length === 1);
    assert.equal(session.isWaiting, true);
    const [question] = openPermissions(session.transcript);
    const option = question?.permission.options.find((candidate) => candidate.kind === 'allow_once');
    assert.ok(question !== undefined && option !== undefined);
    session.answerPermission(question.permission.requestId, option.id);
    assert.equal((await turn).text, `answer: ${option.id}`);
    assert.equal(session.isWaiting, false);
  });

  it('answers an open question with cancelled when the turn is stopped', async () => {
    const session = await begin({
      prompts: [[{ do: 'permission', call: { toolCallId: 'c1', title: 'Delete' } }]],
    });
    const turn = bench.sessions.prompt(session.id, text('hi'));
    await until('the question', () => openPermissions(session.transcript).length === 1);
    await session.cancel();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(openPermissions(session.transcript).length, 0);
    const answers = bench.agent
      .received()
      .filter((message) => JSON.stringify(message).includes('"outcome":"cancelled"'));
    assert.equal(answers.length, 1);
  });

  it('counts any end as cancelled when we cancelled', async () => {
    const session = await begin({
      prompts: [
        [
          { do: 'waitFor', cancel: true },
          { do: 'stop', reason: 'end_turn' },
        ],
      ],
    });
    const turn = bench.sessions.prompt(session.id, text('hi'));
    await until('the turn', () => session.isRunning);
    await session.cancel();
    assert.equal((await turn).stopReason, 'cancelled');
  });

  it('refuses a second prompt while one runs', async () => {
    const session = await begin({ prompts: [[{ do: 'waitFor', cancel: true }]] });
    const turn = bench.sessions.prompt(session.id, text('one'));
    await until('the turn', () => session.isRunning);
    await assert.rejects(bench.sessions.prompt(session.id, text('two')), (error) =>
      ParleyError.is(error, 'promptActive'),
    );
    await session.cancel();
    await turn;
  });

  it('queues prompts from the chat and sends them one after the other', async () => {
    const session = await begin({ prompts: [[{ do: 'text', text: 'a' }]] });
    bench.sessions.submit(session.id, 'one');
    bench.sessions.submit(session.id, 'two');
    await until('both turns', () => session.record.turnCount === 2 && !session.isRunning);
    assert.deepEqual(kinds(session), ['user', 'agent', 'user', 'agent']);
  });

  it('keeps the queue when the user stops the turn', async () => {
    const session = await begin({ prompts: [[{ do: 'waitFor', cancel: true }]] });
    bench.sessions.submit(session.id, 'one');
    await until('the turn', () => session.isRunning);
    bench.sessions.submit(session.id, 'two');
    await session.cancel();
    await until('the end', () => !session.isRunning);
    assert.deepEqual(
      bench.queues.of(session.id).map((queued) => queued.text),
      ['two'],
    );
  });

  it('shows an error of the prompt with its reason', async () => {
    const session = await begin({
      prompts: [[{ do: 'respondError', code: -32603, message: 'quota exceeded' }]],
    });
    await assert.rejects(bench.sessions.prompt(session.id, text('hi')), (error) =>
      ParleyError.is(error, 'requestFailed'),
    );
    const last = session.transcript.entries.at(-1);
    assert.equal(last?.kind === 'notice' ? last.text : undefined, 'quota exceeded');
  });

  it('says how the agent ended when it crashes in a turn', async () => {
    const session = await begin({
      prompts: [
        [
          { do: 'text', text: 'half' },
          { do: 'stderr', text: 'boom' },
          { do: 'exit', code: 7 },
        ],
      ],
    });
    await assert.rejects(bench.sessions.prompt(session.id, text('hi')), (error) =>
      ParleyError.is(error, 'agentExited'),
    );
    const last = session.transcript.entries.at(-1);
    assert.match(last?.kind === 'notice' ? last.text : '', /exited with code 7/);
    assert.match(last?.kind === 'notice' ? (last.detail ?? '') : '', /boom/);
    await until('disconnected', () => session.record.status === 'disconnected');
  });

  it('survives garbage on stdout and does not answer it', async () => {
    const session = await begin({
      prompts: [
        [
          { do: 'raw', text: 'log: hello\n[1,2]\n{}\n' },
          { do: 'text', text: 'ok' },
        ],
      ],
    });
    assert.equal((await bench.sessions.prompt(session.id, text('hi'))).text, 'ok');
    assert.equal(bench.log.warnings.filter((line) => line.includes('Not a message')).length, 3);
    assert.equal(
      bench.agent.received().some((message) => 'error' in message),
      false,
    );
  });

  it('logs unknown kinds of updates and goes on', async () => {
    const session = await begin({
      prompts: [
        [
          { do: 'update', update: { sessionUpdate: 'hologram', x: 1 } },
          { do: 'text', text: 'ok' },
        ],
      ],
    });
    assert.equal((await bench.sessions.prompt(session.id, text('hi'))).text, 'ok');
    assert.ok(bench.log.warnings.some((line) => line.includes('hologram')));
  });

  it('serves files and terminals of the session', async () => {
    bench = new SessionBench({
      prompts: [
        [
          { do: 'readFile', path: '/a.txt', save: 'a' },
          { do: 'text', text: '$saved.a.content' },
        ],
      ],
    });
    bench.files.files.set('/a.txt', 'inside');
    const session = await bench.start();
    assert.equal((await bench.sessions.prompt(session.id, text('hi'))).text, 'inside');
  });

  it('notices silence and takes the notice back', async () => {
    const session = await begin(
      {
        prompts: [
          [
            { do: 'waitFor', cancel: true },
            { do: 'text', text: 'x' },
          ],
        ],
      },
      { limits: { silenceMs: 20, cancelMs: 5000 } },
    );
    const turn = bench.sessions.prompt(session.id, text('hi'));
    await until('the notice', () => kinds(session).includes('notice'));
    assert.equal(session.isRunning, true);
    await session.cancel();
    await turn;
    assert.equal(session.transcript.entries.filter((entry) => entry.id.startsWith('silence')).length, 0);
  });

  it('offers force when a cancel is not honoured', async () => {
    const session = await begin(
      { prompts: [[{ do: 'ignore', what: 'cancel' }, { do: 'never' }]] },
      { limits: { silenceMs: 60_000, cancelMs: 20 } },
    );
    const turn = bench.sessions.prompt(session.id, text('hi'));

    await until('the turn', () => session.isRunning);
    await session.cancel();
    await until('the offer', () =>
      session.transcript.entries.some(
        (entry) => entry.kind === 'notice' && entry.actions[0]?.command === 'forceStop',
      ),
    );
    await bench.sessions.restartAgent(session.id);
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(session.isRunning, false);
    assert.equal(session.isLive, true);
  });

  it('makes no record when the agent cannot be started', async () => {
    bench = new SessionBench({}, { agents: { none: { command: 'no-such-program-anywhere' } } });
    await assert.rejects(bench.start('none'), (error) => ParleyError.is(error, 'agentNotFound'));
    assert.equal(bench.sessions.all().length, 0);
  });

  it('names the key of a bad setting', async () => {
    bench = new SessionBench({}, { agents: { bad: { command: 3 } } });
    await assert.rejects(
      bench.start('bad'),
      (error) => ParleyError.is(error, 'invalidConfig') && error.message.includes('"bad"'),
    );
  });

  it('ends the process with its last session', async () => {
    const session = await begin({});
    await bench.sessions.close(session.id);
    assert.equal(session.record.status, 'closed');
    assert.deepEqual(bench.pool.running, []);
  });

  it('comes back after a reload with load, and sends the prompt that asked for it', async () => {
    const session = await begin({
      results: { initialize: { agentCapabilities: { loadSession: true } } },
      prompts: [[{ do: 'text', text: 'fresh' }]],
      on: {
        'session/load': [
          {
            do: 'update',
            update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'from history' } },
          },
        ],
      },
    });
    await bench.sessions.prompt(session.id, text('hi'));
    await bench.pool.stopAll();
    bench.reload();
    const again = bench.sessions.require(session.id);
    assert.equal(again.record.status, 'disconnected');
    await bench.sessions.prompt(session.id, text('more'));
    assert.match(JSON.stringify(again.transcript.entries), /from history.*more.*fresh/);
  });
});
