import assert from 'node:assert/strict';
import { Session } from '../../../src/core/session/session';
import { openPermissions } from '../../../src/shared/transcript/select';
import type { JsonObject, Scenario, Step } from '../../support/scriptedAgent/steps';
import type { BenchOptions } from '../../support/sessionBench';
import { until } from '../../support/until';
import { commands, kinds, modesOnly, ObservationBench, option, pick, saidIn, tool } from './observationBench';

/** One test for each numbered observation of how real agents behave, where a client's core has to bear it. */
describe('what real agents do', () => {
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

  afterEach(async () => {
    await bench.dispose();
  });

  it('#1 session/update for a session the client does not know yet', async () => {
    const session = await begin({
      on: {
        'session/new': [{ do: 'update', update: commands('go') }],
        'session/fork': [{ do: 'text', text: 'the whole history' }],
      },
    });
    assert.deepEqual(
      session.transcript.commands.map((command) => command.name),
      ['go'],
    );
    const { log } = bench;
    const context = { log, newId: () => 'forked', now: Date.now, openExternal: async () => true };
    const fork = new Session(session.record, context);
    await session.connection?.forkSession(session.record.agentSessionId, fork);
    assert.equal(saidIn(fork), 'the whole history');
    assert.equal(saidIn(session), '');
  });

  it('#2 updates for sessions the client never created', async () => {
    const session = await ran(
      { do: 'text', text: 'of a child', sessionId: 'child' },
      { do: 'toolCall', call: { toolCallId: 'c', title: 'of a child' }, sessionId: 'child' },
      { do: 'text', text: 'mine' },
    );
    assert.equal(saidIn(session), 'mine');
    assert.deepEqual(kinds(session), ['user', 'agent']);
    assert.equal(bench.sessions.all().length, 1);
  });

  it('#3 a permission request for a toolCallId never announced, closed by us when rejected', async () => {
    const call = { toolCallId: 'c1', title: 'Write a file', kind: 'edit' };
    const session = await begin({ prompts: [[{ do: 'permission', call }]] });
    const turn = bench.say(session);
    await until('the question', () => openPermissions(session.transcript).length === 1);
    assert.deepEqual(pick(tool(session, 'c1'), 'title', 'toolKind'), {
      title: 'Write a file',
      toolKind: 'edit',
    });
    await bench.answer(session, 'reject');
    await turn;
    assert.equal(tool(session, 'c1').status, 'rejected');
  });

  it('#4 tool_call_update before tool_call of the same id', async () => {
    const session = await ran(
      { do: 'toolUpdate', call: { toolCallId: 'c1', status: 'in_progress' } },
      { do: 'toolCall', call: { toolCallId: 'c1', title: 'Run', kind: 'execute', status: 'completed' } },
      { do: 'toolUpdate', call: { toolCallId: 'c2', title: 'Alone', status: 'completed' } },
    );
    assert.deepEqual(kinds(session), ['user', 'tool', 'tool']);
    assert.deepEqual(pick(tool(session, 'c1'), 'title', 'status'), { title: 'Run', status: 'completed' });
    assert.equal(tool(session, 'c2').title, 'Alone');
  });

  it('#5 a new mode that is told in a message', async () => {
    const session = await begin({
      results: { 'session/new': modesOnly, initialize: { agentInfo: { name: 'gemini-cli' } } },
      prompts: [
        [
          { do: 'text', text: '[MODE_UPDATE] code' },
          { do: 'text', text: 'I wrote [MODE_UPDATE] plan' },
        ],
      ],
    });
    await bench.say(session);
    assert.equal(saidIn(session), 'I wrote [MODE_UPDATE] plan');
    const mode = session.transcript.config.find(({ category }) => category === 'mode');
    assert.equal(mode?.input.value, 'code');
  });

  it('#5 messages outside a prompt turn', async () => {
    const usage = { sessionUpdate: 'usage_update', used: 5, size: 10 };
    const session = await begin({
      results: { 'session/new': modesOnly },
      on: {
        'session/new': [{ do: 'respond' }, { do: 'text', text: 'banner. ' }],
        'session/set_mode': [{ do: 'text', text: '[MODE_UPDATE] code' }],
      },
      prompts: [
        [{ do: 'respond' }, { do: 'text', text: 'still talking. ' }, { do: 'update', update: usage }],
      ],
    });
    await until('the banner', () => saidIn(session) === 'banner. ');
    assert.equal((await bench.say(session)).text, '');
    await until('what comes after the turn', () => session.transcript.usage?.used === 5);
    await session.setConfig('mode', 'code');
    assert.equal(saidIn(session), 'banner. still talking. [MODE_UPDATE] code');
    assert.equal(session.isRunning, false);
    assert.deepEqual(bench.log.warnings, []);
  });

  it('#6 history replayed after the session/load response', async () => {
    const session = await begin({
      results: { initialize: { agentCapabilities: { loadSession: true } } },
      on: {
        'session/load': [{ do: 'respond' }, { do: 'text', text: 'late ' }, { do: 'text', text: 'history' }],
      },
    });
    await bench.say(session);
    await bench.pool.stopAll();
    bench.reload();
    const again = bench.sessions.require(session.id);
    await bench.sessions.makeLive(again);
    assert.equal(saidIn(again), 'late history');
    assert.deepEqual(bench.log.warnings, []);
  });

  it('#7 tool calls without kind and status, failed after completed, or left open', async () => {
    const session = await ran(
      { do: 'toolCall', call: { toolCallId: 'bare', title: 'Bare' } },
      { do: 'toolCall', call: { toolCallId: 'both', title: 'Both', status: 'completed' } },
      { do: 'toolUpdate', call: { toolCallId: 'both', status: 'failed' } },
      { do: 'toolCall', call: { toolCallId: 'open', title: 'Open', status: 'in_progress' } },
    );
    assert.deepEqual(pick(tool(session, 'bare'), 'toolKind', 'status'), {
      toolKind: 'other',
      status: 'cancelled',
    });
    assert.equal(tool(session, 'both').status, 'failed');
    assert.equal(tool(session, 'open').status, 'cancelled');
  });

  it('#8 request ids that are 0 or UUID strings', async () => {
    const params = { sessionId: '$sessionId', toolCall: { toolCallId: 'c1' }, options: [option('yes')] };
    const method = 'session/request_permission';
    const uuid = '3e0b8a52-1f9c-4f0e-9d5e-0a4f6a1b2c3d';
    const ask = (id: string | number): Step => ({ do: 'request', method, params, id, save: 'a' });
    const session = await begin({ prompts: [[ask(0), ask(uuid)]] });
    const turn = bench.say(session);
    await bench.answer(session, 'yes');
    await until('the first answer', () => bench.answersSent().length === 1);
    await bench.answer(session, 'yes');
    await turn;
    assert.deepEqual(
      bench.answersSent().map(({ id }) => id),
      [0, uuid],
    );
  });

  it('#9 terminal/create with the whole shell line in command and no args', async () => {
    const session = await begin({ prompts: [[{ do: 'terminal', command: 'echo hello' }]] });
    const turn = bench.say(session);
    await until('the terminal', () => bench.terminals.created.length === 1);
    const [terminal] = bench.terminals.created;
    assert.ok(terminal !== undefined);
    const { command, args, cwd } = terminal.request;
    // That there are no arguments is how the port knows that it is a shell line.
    assert.deepEqual({ command, args, cwd }, { command: 'echo hello', args: [], cwd: bench.folder });
    terminal.end({ code: 0, signal: undefined });
    await turn;
  });

  it('#10 terminals the agent runs itself', async () => {
    const content = [{ type: 'terminal', terminalId: 'own' }];
    const meta = (_meta: JsonObject): Step => ({ do: 'toolUpdate', call: { toolCallId: 'c1', _meta } });
    const session = await ran(
      {
        do: 'toolCall',
        call: { toolCallId: 'c1', content, _meta: { terminal_info: { terminal_id: 'own' } } },
      },
      meta({ terminal_output: { terminal_id: 'own', data: 'one ' } }),
      meta({ terminal_output_delta: { terminal_id: 'own', data: 'two' } }),
      meta({ terminal_exit: { terminal_id: 'own', exit_code: 3, signal: null } }),
    );
    assert.deepEqual(tool(session, 'c1').content, [{ kind: 'terminal', terminalId: 'own' }]);
    const { output, exit } = session.transcript.terminals.own ?? {};
    assert.deepEqual({ output, code: exit?.code }, { output: 'one two', code: 3 });
    assert.equal(bench.terminals.created.length, 0);
  });

  it('#11 terminals released before the call is completed, and a wait that is cancelled', async () => {
    const session = await begin({ prompts: [[{ do: 'terminal', command: 'ls' }], cancelledWait] });
    const turn = bench.say(session);
    await until('the terminal', () => bench.terminals.created.length === 1);
    bench.terminals.created[0]?.write('a.txt');
    bench.terminals.created[0]?.end({ code: 0, signal: undefined });
    await turn;
    assert.equal(bench.terminals.created[0]?.isReleased, true);
    assert.equal(session.transcript.terminals.t1?.output, 'a.txt');
    assert.equal(tool(session, 'run-t1').status, 'completed');
    await bench.say(session);
    await until('the answer to the wait', () => bench.answersSent().some(({ id }) => id === 'wait'));
    assert.match(
      JSON.stringify(bench.answersSent().find(({ id }) => id === 'wait')),
      /"error":\{"code":-32800/,
    );
  });

  it('#12 fs/read_text_file of a missing file is answered with its own code, and the file can be created', async () => {
    const path = '/workspace/new.txt';
    const session = await ran(
      { do: 'readFile', path, save: 'a' },
      { do: 'writeFile', path, content: 'new', save: 'w' },
      { do: 'text', text: 'code $saved.a.error.code' },
    );
    assert.equal(saidIn(session), 'code -32002');
    assert.equal(bench.files.files.get(path), 'new');
  });

  it('#12 gemini, which cannot take that answer, gets an empty text for a missing file', async () => {
    const session = await begin({
      results: { initialize: { agentInfo: { name: 'gemini-cli', version: '0.61.0' } } },
      prompts: [
        [
          { do: 'readFile', path: '/workspace/new.txt', save: 'a' },
          { do: 'text', text: 'content "$saved.a.content"' },
        ],
      ],
    });
    await bench.say(session);
    assert.equal(saidIn(session), 'content ""');
  });

  it('#13 fs/write_text_file after an approved edit, and the same once more', async () => {
    const write: Step = { do: 'writeFile', path: '/workspace/a.txt', content: 'new' };
    await ran(write, write);
    assert.equal(bench.files.files.get('/workspace/a.txt'), 'new');
    assert.deepEqual(bench.log.warnings, []);
  });

  it('#14 probing for files that are not there is cheap and quiet', async () => {
    const names = ['AGENTS.md', '.kimi/AGENTS.md', 'agents.md'];
    const session = await ran(
      ...names.map((name): Step => ({ do: 'readFile', path: `/workspace/${name}`, save: 'a' })),
    );
    assert.equal(bench.answersSent().filter((message) => 'error' in message).length, names.length);
    assert.deepEqual(bench.log.warnings, []);
    assert.deepEqual(kinds(session), ['user']);
  });

  it('#15 a command that is completed without any output', async () => {
    const session = await ran(
      { do: 'toolCall', call: { toolCallId: 'c1', title: 'ls', kind: 'execute', status: 'in_progress' } },
      { do: 'toolUpdate', call: { toolCallId: 'c1', status: 'completed', content: [] } },
    );
    assert.deepEqual(pick(tool(session, 'c1'), 'status', 'content'), { status: 'completed', content: [] });
    assert.deepEqual(bench.log.warnings, []);
  });

  it('#16 several options of the same kind in one request', async () => {
    const options = [option('always_a', 'allow_always'), option('always_b', 'allow_always'), option('once')];
    const session = await begin({ prompts: [[{ do: 'permission', options }]] });
    const turn = bench.say(session);
    await until('the question', () => openPermissions(session.transcript).length === 1);
    const shown = openPermissions(session.transcript)[0]?.permission.options.map(({ id }) => id);
    assert.deepEqual(shown, ['always_a', 'always_b', 'once']);
    await bench.answer(session, 'always_b');
    assert.equal((await turn).text, 'answer: always_b');
  });

  it('#17 a rejected permission ends the turn as cancelled or as end_turn', async () => {
    const ask = (id: string): Step => ({ do: 'permission', call: { toolCallId: id, title: id } });
    const session = await begin({ prompts: [[ask('a'), { do: 'stop', reason: 'cancelled' }], [ask('b')]] });
    for (const [id, stopReason] of [
      ['a', 'cancelled'],
      ['b', 'end_turn'],
    ] as const) {
      const turn = bench.say(session);
      await bench.answer(session, 'reject');
      assert.equal((await turn).stopReason, stopReason);
      assert.equal(tool(session, id).status, 'rejected');
      assert.equal(session.transcript.turn.state, 'idle');
    }
  });
});

const cancelledWait: readonly Step[] = [
  {
    do: 'request',
    method: 'terminal/create',
    params: { sessionId: '$sessionId', command: 'sleep' },
    save: 't',
  },
  {
    do: 'request',
    method: 'terminal/wait_for_exit',
    params: { sessionId: '$sessionId', terminalId: '$saved.t.terminalId' },
    id: 'wait',
    noWait: true,
  },
  { do: 'notify', method: '$/cancel_request', params: { requestId: 'wait' } },
];
