import assert from 'node:assert/strict';
import { readAgentInfo } from '../../../src/core/agent/agentInfo';
import { ParleyError } from '../../../src/core/base/errors';
import type { Session } from '../../../src/core/session/session';
import { openPermissions } from '../../../src/shared/transcript/select';
import type { Json, JsonObject, Scenario, Step } from '../../support/scriptedAgent/steps';
import type { BenchOptions } from '../../support/sessionBench';
import { until } from '../../support/until';
import { commands, kinds, modesOnly, ObservationBench, option, pick, saidIn, tool } from './observationBench';

/** The second part of observations.test.ts: questions, settings, errors and ends. */
describe('what real agents do, from 18', () => {
  let bench: ObservationBench;

  const begin = async (scenario: Scenario, options?: BenchOptions): Promise<Session> => {
    bench = new ObservationBench(scenario, options);
    return bench.start();
  };

  /** A session whose only turn has run those steps to its end. */
  const ran = async (...steps: readonly Step[]): Promise<Session> => {
    const session = await begin({ prompts: [steps] });
    await bench.say(session);
    return session;
  };

  const received = (method: string): readonly Json[] =>
    bench.agent
      .received()
      .filter((message) => message.method === method)
      .map((message) => message.params ?? null);

  afterEach(async () => {
    await bench.dispose();
  });

  it('#18 a question as an elicitation', async () => {
    const requestedSchema = { type: 'object', properties: { city: { type: 'string', title: 'City' } } };
    const params = { sessionId: '$sessionId', mode: 'form', message: 'Where?', requestedSchema };
    const session = await begin({
      prompts: [
        [
          { do: 'request', method: 'elicitation/create', params, save: 'e' },
          { do: 'text', text: '$saved.e.action $saved.e.content.city' },
        ],
      ],
    });
    const turn = bench.say(session);
    await until('the question', () => kinds(session).includes('elicitation'));
    const asked = session.transcript.entries.find((entry) => entry.kind === 'elicitation');
    assert.equal(asked?.message, 'Where?');
    session.answerElicitation(asked.id, { action: 'accept', content: { city: 'Oslo' } });
    assert.equal((await turn).text, 'accept Oslo');
  });

  it('#18 a question as a permission request whose options are the answers', async () => {
    const session = await begin({
      prompts: [[{ do: 'permission', options: [option('red'), option('blue')] }]],
    });
    const turn = bench.say(session);
    await bench.answer(session, 'blue');
    assert.equal((await turn).text, 'answer: blue');
  });

  it('#18 a question as an extension request is refused as unknown', async () => {
    const session = await ran(
      { do: 'request', method: '_x.ai/ask_user_question', params: { sessionId: '$sessionId' }, save: 'a' },
      { do: 'text', text: 'code $saved.a.error.code' },
    );
    assert.equal(saidIn(session), 'code -32601');
    assert.deepEqual(bench.log.warnings, []);
  });

  it('#18 a question tool that hangs for ever ends with a cancel', async () => {
    const call = { toolCallId: 'question', title: 'Question', status: 'in_progress' };
    const session = await begin({
      prompts: [
        [
          { do: 'toolCall', call },
          { do: 'waitFor', cancel: true },
        ],
      ],
    });
    const turn = bench.say(session);
    await until('the tool', () => kinds(session).includes('tool'));
    await session.cancel();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal(tool(session, 'question').status, 'cancelled');
  });

  it('#19 leaving plan mode with several allow options, then a mode update', async () => {
    const options = [option('auto', 'allow_always'), option('code'), option('stay', 'reject_once')];
    const call = { toolCallId: 'plan', title: 'Ready to code?', kind: 'switch_mode' };
    const session = await begin({
      results: { 'session/new': modesOnly },
      prompts: [
        [
          { do: 'permission', call, options },
          { do: 'update', update: { sessionUpdate: 'current_mode_update', currentModeId: 'code' } },
        ],
      ],
    });
    const turn = bench.say(session);
    await until('the question', () => openPermissions(session.transcript).length === 1);
    assert.equal(tool(session, 'plan').toolKind, 'switch_mode');
    assert.equal(openPermissions(session.transcript)[0]?.permission.options.length, 3);
    await bench.answer(session, 'code');
    await turn;
    assert.deepEqual(values(session), { mode: 'code' });
  });

  it('#20 tools that run without asking', async () => {
    const session = await ran({
      do: 'toolCall',
      call: { toolCallId: 'c1', title: 'touch a', kind: 'execute', status: 'completed' },
    });
    assert.deepEqual(pick(tool(session, 'c1'), 'status', 'permissions'), {
      status: 'completed',
      permissions: [],
    });
    assert.equal(session.isWaiting, false);
  });

  const both: JsonObject = { ...modesOnly, configOptions: [select('mode', 'ask', ['ask', 'code'])] };
  const places: readonly (readonly [string, JsonObject, Record<string, string>, string])[] = [
    ['modes only', modesOnly, { mode: 'ask' }, 'session/set_mode'],
    ['configOptions only', { ...both, modes: null }, { mode: 'ask' }, 'session/set_config_option'],
    ['both', both, { mode: 'ask' }, 'session/set_config_option'],
    ['nowhere', { modes: null, configOptions: null }, {}, ''],
  ];
  for (const [where, result, expected, method] of places) {
    it(`#21 the mode is in ${where}`, async () => {
      const session = await begin({ results: { 'session/new': result } });
      assert.deepEqual(values(session), expected);
      if (method !== '') {
        await session.setConfig('mode', 'code');
        assert.equal(received(method).length, 1);
      }
    });
  }

  it('#22 models and session/set_model', async () => {
    const availableModels = ['small', 'large'].map((modelId) => ({ modelId, name: modelId }));
    const models = { currentModelId: 'small', availableModels };
    const refuse: Step = { do: 'respondError', code: -32601, message: 'Method not found' };
    const session = await begin({ results: { 'session/new': { modes: null, configOptions: null, models } } });
    await session.setConfig('model', 'large');
    assert.deepEqual(received('session/set_model'), [{ sessionId: 'scripted-s1', modelId: 'large' }]);
    assert.deepEqual(values(session), { model: 'large' });
    await bench.dispose();
    const other = await begin({
      results: { 'session/new': { modes: null, configOptions: null, models } },
      on: { 'session/set_model': [refuse] },
    });
    await assert.rejects(other.setConfig('model', 'large'), (error) =>
      ParleyError.is(error, 'requestFailed'),
    );
    assert.deepEqual(values(other), { model: 'small' });
  });

  it('#23 options without category, of own categories, boolean and long', async () => {
    const many = Array.from({ length: 82 }, (_, index) => `p${index}`);
    const approve = (currentValue: boolean): JsonObject => ({
      type: 'boolean',
      id: 'approve',
      name: 'Approve',
      currentValue,
    });
    const odd = { ...select('odd', 'a', ['a']), category: 'collaboration_mode' };
    const provider = (value: string): JsonObject => ({ ...select('provider', value, many), category: null });
    const session = await begin({
      results: {
        'session/new': { modes: null, configOptions: [provider('p1'), odd, approve(false)] },
        'session/set_config_option': { configOptions: [provider('p2'), approve(true)] },
      },
    });
    assert.deepEqual(values(session), { provider: 'p1', odd: 'a', approve: false });
    const [first] = session.transcript.config;
    assert.equal(first?.input.type === 'select' ? first.input.groups[0]?.values.length : 0, 82);
    await session.setConfig('approve', true);
    assert.deepEqual(values(session), { provider: 'p2', approve: true });
    assert.match(JSON.stringify(received('session/set_config_option')), /"value":true,"type":"boolean"/);
  });

  it('#24 odd command names, half a megabyte of them, fifty times', async () => {
    const names = ['memory show', '$imagegen', 'a.b', '_hidden'];
    const list = { ...commands(''), availableCommands: names.map((name) => ({ name, description: '' })) };
    const session = await ran(
      { do: 'update', update: { ...list, _meta: { details: 'x'.repeat(560_000) } } },
      { do: 'update', update: list, times: 50 },
    );
    assert.deepEqual(
      session.transcript.commands.map((command) => command.name),
      names,
    );
    assert.deepEqual(bench.log.warnings, []);
  });

  it('#25 the last plan sent again at the start of each turn', async () => {
    const plan = (status: string): Step => ({
      do: 'update',
      update: { sessionUpdate: 'plan', entries: [{ content: 'One', status, priority: 'high' }] },
    });
    const session = await begin({
      prompts: [
        [plan('pending'), plan('in_progress')],
        [plan('in_progress'), plan('completed')],
      ],
    });
    await bench.say(session);
    await bench.say(session);
    const plans = session.transcript.entries.filter((entry) => entry.kind === 'plan');
    assert.deepEqual(
      plans.flatMap(({ items }) => items.map(({ text, status }) => ({ text, status }))),
      // What it was in the first turn, and what it became in the second: no third for the repetition.
      [
        { text: 'One', status: 'running' },
        { text: 'One', status: 'completed' },
      ],
    );
  });

  it('#26 errors of the model: as an error, as text, and not at all', async () => {
    const message = JSON.stringify({
      error: { code: 400, message: 'bad request', status: 'INVALID_ARGUMENT' },
    });
    const session = await begin({
      prompts: [
        [{ do: 'respondError', code: 400, message }],
        [{ do: 'respondError', code: -32603, message: 'Internal error', data: { details: 'overloaded' } }],
        [{ do: 'text', text: 'Error: no quota' }],
        [],
      ],
    });
    await assert.rejects(bench.say(session), { message: 'bad request' });
    await assert.rejects(bench.say(session), { message: 'overloaded' });
    assert.equal((await bench.say(session)).text, 'Error: no quota');
    assert.deepEqual(await bench.say(session), { stopReason: 'end_turn', turnNumber: 4, text: '' });
    assert.equal(session.transcript.turn.state, 'idle');
  });

  it('#26 silent retries are noticed, and a cancel that ends as end_turn is a cancel', async () => {
    const session = await begin(
      {
        prompts: [
          [
            { do: 'ignore', what: 'cancel' },
            { do: 'waitFor', method: 'session/cancel' },
          ],
        ],
      },
      { limits: { silenceMs: 20, cancelMs: 5000 } },
    );
    const turn = bench.say(session);
    await until('the notice', () => kinds(session).includes('notice'));
    await session.cancel();
    assert.equal((await turn).stopReason, 'cancelled');
  });

  it('#27 no credentials: said by session/new', async () => {
    bench = new ObservationBench({ authRequired: ['session/new'] });
    await assert.rejects(bench.start(), (error) => ParleyError.is(error, 'authRequired'));
    const { connection } = await bench.pool.acquire('scripted', bench.folder);
    assert.deepEqual(
      connection.info.authMethods.map(({ id }) => id),
      ['login'],
    );
    await connection.authenticate('login');
    assert.equal((await bench.start()).isLive, true);
  });

  it('#27 no credentials: said by session/prompt', async () => {
    const session = await begin({ authRequired: ['session/prompt'] });
    await assert.rejects(bench.say(session), (error) => ParleyError.is(error, 'authRequired'));
    const last = session.transcript.entries.at(-1);
    assert.equal(last?.kind === 'notice' ? last.actions[0]?.command : undefined, 'signIn');
  });

  it('#27 no credentials: said with another code', async () => {
    const said: Step = { do: 'respondError', code: -32603, message: 'No provider is configured' };
    bench = new ObservationBench({ on: { 'session/new': [said] } });
    await assert.rejects(bench.start(), { code: 'requestFailed', message: 'No provider is configured' });
  });

  for (const code of [-32002, -32602, -32603]) {
    it(`#28 an unknown session is refused with ${code}`, async () => {
      const refusal: readonly Step[] = [{ do: 'respondError', code, message: 'Session not found' }];
      const session = await begin({
        prompts: [[{ do: 'text', text: 'kept' }]],
        on: { 'session/resume': refusal, 'session/load': refusal },
      });
      await bench.say(session);
      await bench.pool.stopAll();
      bench.reload();
      const again = bench.sessions.require(session.id);
      await assert.rejects(bench.sessions.makeLive(again), { message: 'Session not found' });
      assert.equal(again.record.status, 'error');
      assert.equal(saidIn(again), 'kept');
    });
  }

  it('limits for images, as Qwen says them', () => {
    const limits = (agentCapabilities: object): unknown =>
      readAgentInfo({ agentCapabilities }).capabilities.imageLimits;
    assert.deepEqual(limits({ _meta: { imageCapability: { maxBytes: 5, maxImagesPerTurn: 2 } } }), {
      bytes: 5,
      perTurn: 2,
    });
    assert.deepEqual(limits({ _meta: null }), { bytes: Infinity, perTurn: Infinity });
  });

  it('#29 an agent that does not end with its input', async () => {
    await begin({ on: { start: [{ do: 'ignore', what: 'stdinEnd' }] } });
    const [pid] = bench.pids;
    assert.ok(pid !== undefined);
    await bench.pool.stopAll();
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    const events = bench.agent.received().map(({ event }) => event);
    assert.deepEqual(
      events.filter((event) => event !== undefined),
      ['stdinEnd', 'SIGTERM'],
    );
  });

  it('#30 extension traffic is ignored quietly', async () => {
    const session = await ran(
      { do: 'notify', method: '_x.ai/sessions/changed', params: { sessions: [] } },
      { do: 'notify', method: '_auth/status_update' },
      { do: 'notify', method: 'qwen/notify/session/mode-update', params: { sessionId: '$sessionId' } },
      { do: 'request', method: 'craft/drainMidTurnQueue', params: { sessionId: '$sessionId' }, save: 'a' },
      { do: 'text', text: 'code $saved.a.error.code' },
    );
    assert.equal(saidIn(session), 'code -32601');
    assert.deepEqual(kinds(session), ['user', 'agent']);
    assert.deepEqual(bench.log.warnings, []);
  });
});

function select(id: string, currentValue: string, choices: readonly string[]): JsonObject {
  const options = choices.map((value) => ({ value, name: value }));
  return { type: 'select', id, name: id, category: id, currentValue, options };
}

/** The options of a session and their values. */
function values(session: Session): Record<string, string | boolean> {
  return Object.fromEntries(session.transcript.config.map(({ id, input }) => [id, input.value]));
}
