import assert from 'node:assert/strict';
import { ParleyError } from '../../../src/core/base/errors';
import { closeIdleSessions } from '../../../src/core/session/idle';
import type { Session } from '../../../src/core/session/session';
import { storedTranscript } from '../../../src/core/transcripts/storedTranscript';
import type { Entry } from '../../../src/shared/transcript/model';
import { openPermissions, textOf } from '../../../src/shared/transcript/select';
import type { JsonObject, Scenario, Step } from '../../support/scriptedAgent/steps';
import { SessionBench } from '../../support/sessionBench';
import { until } from '../../support/until';

const text = (value: string): readonly [{ kind: 'text'; text: string }] => [{ kind: 'text', text: value }];
const said = (session: Session): string => JSON.stringify(session.transcript.entries);
const chunk = (value: string): { sessionUpdate: string; content: { type: string; text: string } } => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: value },
});

const heard = (value: string): ReturnType<typeof chunk> => ({
  ...chunk(value),
  sessionUpdate: 'user_message_chunk',
});

/** Asks whether it may, and waits for the answer. */
const question: readonly Step[] = [
  {
    do: 'permission',
    call: { toolCallId: 'c1', title: 'Run' },
    options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
  },
];
const answered = async (session: Session, turn: Promise<unknown>): Promise<void> => {
  await until('the question', () => openPermissions(session.transcript).length > 0);
  const [open] = openPermissions(session.transcript);
  session.answerPermission(open?.permission.requestId ?? '', 'yes');
  await turn;
};

/** Capabilities laid over the scripted agent's own. */
const able = (
  agentCapabilities: Record<string, boolean | Record<string, Record<string, never>>>,
): Scenario['results'] => ({
  initialize: { agentCapabilities },
});
const unable = able({ loadSession: false, sessionCapabilities: {} });

describe('the life of sessions', () => {
  let bench: SessionBench;

  const begin = async (scenario: Scenario): Promise<Session> => {
    bench = new SessionBench(scenario);
    return bench.start();
  };
  const sent = (method: string): number =>
    bench.agent.received().filter((message) => message.method === method).length;
  const comeBack = async (session: Session): Promise<Session> => {
    await bench.pool.stopAll();
    bench.reload();
    return bench.sessions.require(session.id);
  };

  afterEach(async () => {
    await bench.dispose();
  });

  describe('coming back', () => {
    it('loads the history and replaces what was stored, at once', async () => {
      const session = await begin({
        results: able({ loadSession: true }),
        prompts: [[{ do: 'text', text: 'live' }]],
        on: {
          'session/load': [
            { do: 'update', update: chunk('history 1') },
            { do: 'update', update: chunk(' and 2') },
          ],
        },
      });
      await bench.sessions.prompt(session.id, text('hi'));
      const again = await comeBack(session);
      let resets = 0;
      const seen: string[] = [];
      again.onDidReset(() => resets++);
      again.onDidDispatch((event) => seen.push(event.type));
      await bench.sessions.makeLive(again);
      assert.match(said(again), /history 1 and 2/);
      assert.doesNotMatch(said(again), /live/);
      assert.equal(seen.includes('messageChunk'), false);
      assert.equal(again.record.status, 'active');
      assert.equal(resets, 2);
    });

    it('waits for a history that is replayed after the answer to load', async () => {
      const session = await begin({
        results: able({ loadSession: true }),
        on: {
          'session/load': [
            { do: 'respond' },
            { do: 'delay', ms: 30 },
            { do: 'update', update: chunk('late history') },
          ],
        },
      });
      await bench.sessions.prompt(session.id, text('hi'));
      const again = await comeBack(session);
      await bench.sessions.makeLive(again);
      assert.match(said(again), /late history/);
    });

    it('waits for the rest of a history that had only begun', async () => {
      const session = await begin({
        results: able({ loadSession: true }),
        on: {
          'session/load': [
            { do: 'update', update: chunk('early ') },
            { do: 'respond' },
            { do: 'delay', ms: 30 },
            { do: 'update', update: chunk('late') },
          ],
        },
      });
      await bench.sessions.prompt(session.id, text('hi'));
      const again = await comeBack(session);
      await bench.sessions.makeLive(again);
      assert.match(said(again), /early late/);
    });

    it('closes what a history left open', async () => {
      const session = await begin({
        results: able({ loadSession: true }),
        on: {
          'session/load': [{ do: 'toolCall', call: { toolCallId: 'c1', title: 'Run', status: 'pending' } }],
        },
      });
      await bench.sessions.prompt(session.id, text('hi'));
      const again = await comeBack(session);
      await bench.sessions.makeLive(again);
      assert.match(said(again), /"status":"cancelled"/);
    });

    it('resumes with our own transcript where the agent offers it', async () => {
      const session = await begin({
        results: able({ loadSession: true, sessionCapabilities: { resume: {} } }),
        prompts: [[{ do: 'thought', text: 'hm' }, ...question, { do: 'text', text: 'done' }]],
        on: { 'session/load': [{ do: 'update', update: chunk('the agent’s account') }] },
      });
      await answered(session, bench.sessions.prompt(session.id, text('hi')));
      const { entries } = session.transcript;
      const again = await comeBack(session);
      await bench.sessions.makeLive(again);
      assert.deepEqual(again.transcript.entries, entries);
      assert.deepEqual([sent('session/resume'), sent('session/load')], [1, 0]);
    });

    it('loads what it cannot resume', async () => {
      const session = await begin({
        results: able({ loadSession: true, sessionCapabilities: { resume: {} } }),
        on: {
          'session/resume': [{ do: 'respondError', code: -32603, message: 'not today' }],
          'session/load': [{ do: 'update', update: chunk('from the agent') }],
        },
      });
      await bench.sessions.prompt(session.id, text('hi'));
      const again = await comeBack(session);
      await bench.sessions.makeLive(again);
      assert.equal(again.record.status, 'active');
      assert.match(said(again), /from the agent/);
    });

    it('loads a session of which nothing is stored', async () => {
      const session = await begin({
        results: able({ loadSession: true, sessionCapabilities: { resume: {} } }),
        on: { 'session/load': [{ do: 'update', update: chunk('from the agent') }] },
      });
      const again = await comeBack(session);
      await bench.sessions.makeLive(again);
      assert.match(said(again), /from the agent/);
    });

    it('keeps its own transcript when the history that is loaded says no more', async () => {
      const session = await begin({
        results: able({ loadSession: true }),
        prompts: [[...question, { do: 'text', text: 'all  done' }]],
        on: {
          'session/load': [
            { do: 'update', update: heard('hi') },
            { do: 'toolCall', call: { toolCallId: 'c1', title: 'Run', status: 'completed' } },
            { do: 'update', update: chunk('all done') },
            {
              do: 'update',
              update: {
                sessionUpdate: 'available_commands_update',
                availableCommands: [{ name: 'new', description: '' }],
              },
            },
          ],
        },
      });
      await answered(session, bench.sessions.prompt(session.id, text('hi')));
      session.addNotice({ text: 'only we know this', severity: 'info' });
      const { entries } = session.transcript;
      const again = await comeBack(session);
      await bench.sessions.makeLive(again);
      assert.deepEqual(again.transcript.entries, entries);
      assert.deepEqual(
        again.transcript.commands.map(({ name }) => name),
        ['new'],
      );
    });

    it('keeps turns and answers when the history that is loaded says more', async () => {
      const session = await begin({
        results: able({ loadSession: true }),
        prompts: [[...question, { do: 'text', text: 'half' }], [{ do: 'text', text: 'second' }]],
        on: {
          'session/load': [
            { do: 'update', update: heard('hi') },
            { do: 'toolCall', call: { toolCallId: 'c1', title: 'Run', status: 'completed' } },
            { do: 'update', update: chunk('half and the rest') },
            { do: 'update', update: heard('asked elsewhere') },
            { do: 'update', update: chunk('answered elsewhere') },
            { do: 'update', update: heard('go on') },
            { do: 'update', update: chunk('second') },
          ],
        },
      });
      await answered(session, bench.sessions.prompt(session.id, text('hi')));
      await bench.sessions.prompt(session.id, text('go on'));
      const before = session.transcript.entries;
      const facts = (entries: readonly Entry[]): unknown[] =>
        entries.flatMap((entry) =>
          entry.kind === 'user' && entry.turnId !== undefined
            ? [[entry.turnId, entry.at, entry.end, textOf(entry.blocks)]]
            : [],
        );
      const again = await comeBack(session);
      await bench.sessions.makeLive(again);
      const restored = again.transcript.entries;
      assert.match(said(again), /half and the rest.*asked elsewhere/);
      assert.deepEqual(facts(restored), facts(before));
      const permissions = restored.flatMap((entry) => (entry.kind === 'tool' ? entry.permissions : []));
      assert.deepEqual(permissions[0]?.outcome, { kind: 'selected', optionId: 'yes' });
      const stored = await bench.transcripts.read(session.id);
      assert.deepEqual(storedTranscript(stored?.events ?? [], 0).entries, restored);
    });

    it('resumes when the agent cannot load', async () => {
      const session = await begin({
        results: able({ loadSession: false, sessionCapabilities: { resume: {} } }),
        prompts: [[{ do: 'text', text: 'remembered' }]],
      });
      await bench.sessions.prompt(session.id, text('hi'));
      const again = await comeBack(session);
      await bench.sessions.prompt(session.id, text('more'));
      assert.match(said(again), /remembered.*more/);
      assert.equal(sent('session/resume'), 1);
      assert.equal(sent('session/load'), 0);
    });

    it('keeps the prompt and offers a new session when the agent can do neither', async () => {
      const session = await begin({ results: unable, prompts: [[{ do: 'text', text: 'the answer is 42' }]] });
      await bench.sessions.prompt(session.id, text('what is it'));
      const again = await comeBack(session);
      bench.sessions.submit(session.id, 'and why');
      await until(
        'the refusal',
        () => again.summary().isReadOnly && bench.queues.of(session.id).length === 1,
      );
      assert.match(said(again), /the answer is 42/);
      const next = await bench.sessions.continueInNew(session.id);
      await until('the turn', () => next.record.turnCount === 1 && !next.isRunning);
      const prompts = bench.agent.received().filter((message) => message.method === 'session/prompt');
      assert.match(JSON.stringify(prompts.at(-1)), /the answer is 42.*and why/);
      assert.equal(bench.queues.of(session.id).length, 0);
    });

    it('says why it failed and keeps the transcript readable', async () => {
      const session = await begin({
        results: able({ loadSession: true }),
        prompts: [[{ do: 'text', text: 'kept' }]],
        on: {
          'session/load': [
            { do: 'update', update: chunk('half') },
            { do: 'respondError', code: -32002, message: 'no such session' },
          ],
        },
      });
      await bench.sessions.prompt(session.id, text('hi'));
      const again = await comeBack(session);
      await assert.rejects(bench.sessions.makeLive(again), /no such session/);
      assert.equal(again.record.status, 'error');
      assert.equal(again.record.statusReason, 'no such session');
      assert.match(said(again), /kept/);
      assert.doesNotMatch(said(again), /half/);
    });

    it('lists a session that only its log still knows', async () => {
      const session = await begin({});
      const { record } = session;
      await bench.pool.stopAll();
      bench.memento.values.clear();
      bench.reload();
      assert.equal(bench.sessions.get(record.sessionId), undefined);
      bench.sessions.adoptStored([record, { sessionId: 3 }, 'junk']);
      assert.equal(bench.sessions.require(record.sessionId).record.status, 'disconnected');
      assert.equal(bench.sessions.all().length, 1);
    });
  });

  describe('session/ready', () => {
    for (const where of [{ session: { ready: true } }, { sessionCapabilities: { ready: {} } }]) {
      it(`is sent to an agent that advertises ${JSON.stringify(where)}`, async () => {
        const session = await begin({ results: able({ loadSession: true, ...where } as never) });
        await until('ready', () => sent('session/ready') === 1);
        const again = await comeBack(session);
        await bench.sessions.makeLive(again);
        await until('ready after load', () => sent('session/ready') === 2);
      });
    }

    it('is never sent to any other', async () => {
      const session = await begin({});
      await bench.sessions.prompt(session.id, text('hi'));
      assert.equal(sent('session/ready'), 0);
    });
  });

  describe('signing in', () => {
    const methods: readonly JsonObject[] = [
      { id: 'browser', name: 'Sign in with the browser' },
      { id: 'tty', name: 'Sign in in a terminal', type: 'terminal', args: [] },
    ];

    it('is an error of its own that offers the agent’s methods, and the start works after it', async () => {
      bench = new SessionBench({
        results: { initialize: { authMethods: methods } },
        authRequired: ['session/new'],
      });
      const failure = await bench.start().catch((error: unknown) => error);
      assert.ok(ParleyError.is(failure, 'authRequired'));
      assert.deepEqual(
        failure.signIn.map(({ id, type }) => [id, type]),
        [
          ['browser', 'agent'],
          ['tty', 'terminal'],
        ],
      );
      const { connection } = await bench.pool.acquire('scripted', bench.folder);
      await connection.authenticate('browser');
      const session = await bench.start();
      assert.equal((await bench.sessions.prompt(session.id, text('hi'))).stopReason, 'end_turn');
    });

    it('lets the agent ask where to sign in while it signs in', async () => {
      bench = new SessionBench({
        results: { initialize: { authMethods: methods } },
        authRequired: ['session/new'],
        on: {
          authenticate: [
            {
              do: 'request',
              method: 'elicitation/create',
              params: {
                mode: 'url',
                requestId: 1,
                elicitationId: 'e',
                url: 'https://sign.in/',
                message: 'Go',
              },
              save: 'e',
            },
          ],
        },
      });
      await bench.start().catch(() => undefined);
      const { connection } = await bench.pool.acquire('scripted', bench.folder);
      await connection.authenticate('browser');
      assert.deepEqual(bench.asked, ['https://sign.in/']);
      await bench.start();
    });

    it('shows a button for each method when a prompt needs it', async () => {
      bench = new SessionBench({
        results: { initialize: { authMethods: methods } },
        authRequired: ['session/prompt'],
      });
      const session = await bench.start();
      await assert.rejects(bench.sessions.prompt(session.id, text('hi')), (error) =>
        ParleyError.is(error, 'authRequired'),
      );
      const notice = session.transcript.entries.at(-1);
      assert.ok(notice?.kind === 'notice');
      assert.deepEqual(
        notice.actions
          .filter(({ command }) => command === 'signIn')
          .map(({ label, argument }) => [label, argument]),
        [['Sign in with the browser', 'browser']],
      );
      assert.match(notice.detail ?? '', /terminal/);
    });
  });

  describe('idle sessions', () => {
    it('are closed with their reason, and their agent ends', async () => {
      const session = await begin({});
      const later = (minutes: number): number => session.record.lastActiveAt + minutes * 60_000;
      await closeIdleSessions(bench.sessions, { timeoutMs: () => 30 * 60_000, now: () => later(10) });
      assert.equal(session.record.status, 'idle');
      await closeIdleSessions(bench.sessions, { timeoutMs: () => 30 * 60_000, now: () => later(31) });
      assert.equal(session.record.status, 'closed');
      assert.equal(session.record.closeReason, 'idle_timeout');
      assert.deepEqual(bench.pool.running, []);
    });

    it('stay when the limit is 0, and during a turn', async () => {
      const session = await begin({ prompts: [[{ do: 'waitFor', cancel: true }]] });
      const now = (): number => session.record.lastActiveAt + 1e9;
      await closeIdleSessions(bench.sessions, { timeoutMs: () => 0, now });
      assert.notEqual(session.record.status, 'closed');
      const turn = bench.sessions.prompt(session.id, text('hi'));
      await until('the turn', () => session.isRunning);
      await closeIdleSessions(bench.sessions, { timeoutMs: () => 60_000, now });
      assert.equal(session.isRunning, true);
      await session.cancel();
      await turn;
    });
  });

  it('opens a session that only the agent knows, and tells it apart until then', async () => {
    const session = await begin({
      name: 'list',
      results: able({ loadSession: true, sessionCapabilities: { list: {} } }),
      listPages: [
        [
          { sessionId: 'list-s1', cwd: '/x' },
          { sessionId: 'other-1', cwd: '/x', title: 'Elsewhere' },
        ],
        [{ sessionId: 'other-2', cwd: '/x' }],
      ],
      on: { 'session/load': [{ do: 'update', update: chunk('from elsewhere') }] },
    });
    const { agentKey } = session.record;
    await bench.sessions.refreshForeign(agentKey);
    assert.deepEqual(
      bench.sessions.foreign(agentKey).map(({ agentSessionId }) => agentSessionId),
      ['other-1', 'other-2'],
    );
    const opened = await bench.sessions.openForeign(agentKey, 'other-1');
    assert.equal(opened.title, 'Elsewhere');
    assert.match(said(opened), /from elsewhere/);
    assert.deepEqual(
      bench.sessions.foreign(agentKey).map(({ agentSessionId }) => agentSessionId),
      ['other-2'],
    );
  });

  it('forks a session with its past', async () => {
    const session = await begin({
      results: able({ loadSession: true, sessionCapabilities: { fork: {} } }),
      prompts: [[{ do: 'text', text: 'the past' }]],
    });
    await bench.sessions.prompt(session.id, text('hi'));
    const fork = await bench.sessions.fork(session.id);
    assert.notEqual(fork.id, session.id);
    assert.match(said(fork), /the past/);
    await bench.sessions.prompt(fork.id, text('again'));
    assert.doesNotMatch(said(session), /again/);
  });

  it('refuses one process more than allowed, and runs again when one is stopped', async () => {
    bench = new SessionBench({}, { maxProcesses: 1, agents: { other: { command: 'true' } } });
    const session = await bench.start();
    await assert.rejects(bench.start('other'), (error) => ParleyError.is(error, 'processLimit'));
    await bench.pool.stop(session.record.agentKey);
    await bench.start();
  });

  it('keeps an agent that another session is just opening when the last live one is closed', async () => {
    const session = await begin({ on: { 'session/new': [{ do: 'delay', ms: 50 }] } });
    const opening = bench.start();
    await bench.sessions.close(session.id);
    assert.equal((await opening).record.status, 'active');
  });

  it('does not come back from a restore when it is closed meanwhile', async () => {
    const session = await begin({
      results: able({ loadSession: true }),
      on: { 'session/load': [{ do: 'delay', ms: 50 }] },
    });
    await bench.sessions.prompt(session.id, text('hi'));
    const again = await comeBack(session);
    const restoring = bench.sessions.makeLive(again);
    await until('the load', () => sent('session/load') === 1);
    await bench.sessions.close(session.id);
    await assert.rejects(restoring, (error) => ParleyError.is(error, 'sessionClosed'));
    assert.equal(again.record.status, 'closed');
    assert.equal(again.isLive, false);
  });

  it('keeps the prompt that waits for a restore where a reload finds it', async () => {
    const session = await begin({
      results: able({ loadSession: true }),
      on: { 'session/load': [{ do: 'never' }] },
    });
    await bench.sessions.prompt(session.id, text('hi'));
    await comeBack(session);
    bench.sessions.submit(session.id, 'do not lose me');
    await until('the load', () => sent('session/load') === 1);
    const oldPool = bench.pool;
    bench.reload();
    assert.deepEqual(
      bench.queues.of(session.id).map((queued) => queued.text),
      ['do not lose me'],
    );
    await oldPool.stopAll();
  });

  it('goes on with the queue after a turn of other code', async () => {
    const session = await begin({ prompts: [[{ do: 'delay', ms: 30 }]] });
    const turn = bench.sessions.prompt(session.id, text('api'), 'api');
    await until('the turn', () => session.isRunning);
    bench.sessions.submit(session.id, 'chat');
    await turn;
    await until('the chat’s turn', () => session.record.turnCount === 2 && !session.isRunning);
  });

  it('tries again what failed, and nothing else', async () => {
    const session = await begin({
      prompts: [
        [{ do: 'text', text: 'fine' }],
        [{ do: 'respondError', code: -32603, message: 'no' }],
        [{ do: 'text', text: 'now' }],
      ],
    });
    await bench.sessions.prompt(session.id, text('first'));
    await bench.sessions.retry(session);
    assert.equal(session.record.turnCount, 1);
    await bench.sessions.prompt(session.id, text('second')).catch(() => undefined);
    await bench.sessions.retry(session);
    assert.equal(session.record.turnCount, 3);
    assert.match(said(session), /second.*second.*now/);
  });

  it('starts one process however many wait for the end of the last', async () => {
    const session = await begin({ on: { start: [{ do: 'ignore', what: 'stdinEnd' }] } });
    const stopping = bench.pool.stop(session.record.agentKey);
    await Promise.all([
      bench.pool.acquire('scripted', bench.folder),
      bench.pool.acquire('scripted', bench.folder),
      stopping,
    ]);
    assert.equal(bench.pids.length, 2);
  });

  it('gives up an agent that has stopped reading, though no event says so', async () => {
    const session = await begin({
      prompts: [[{ do: 'stopReading' }, { do: 'text', text: 'deaf' }, { do: 'never' }]],
    });
    const turn = bench.sessions.prompt(session.id, text('hi'));
    await until('the agent does not read', () => said(session).includes('deaf'));
    // More than a pipe takes.
    void session.setConfig('x', 'y'.repeat(1_000_000)).catch(() => undefined);
    await until('the pipe is full', () => {
      bench.pool.checkHealth();
      return !session.isLive;
    });
    await assert.rejects(turn, (error) => ParleyError.is(error, 'agentExited'));
    assert.equal(session.record.status, 'disconnected');
    assert.match(session.record.statusReason ?? '', /stopped reading/);
  });

  it('remembers the chosen mode and model', async () => {
    const options = [
      {
        id: 'm',
        name: 'Mode',
        category: 'mode',
        type: 'select',
        currentValue: 'ask',
        options: [{ value: 'ask', name: 'Ask' }],
      },
      {
        id: 'x',
        name: 'Model',
        category: 'model',
        type: 'select',
        currentValue: 'big',
        options: [{ value: 'big', name: 'Big' }],
      },
    ];
    const session = await begin({ results: { 'session/new': { configOptions: options } } });
    assert.deepEqual([session.record.modeId, session.record.modelId], ['ask', 'big']);
  });

  it('keeps a model of the older kind when the options change', async () => {
    const session = await begin({
      configOptions: [{ type: 'boolean', id: 'fast', name: 'Fast', currentValue: false }],
      results: {
        'session/new': {
          models: {
            currentModelId: 'small',
            availableModels: ['small', 'large'].map((modelId) => ({ modelId, name: modelId })),
          },
        },
      },
    });
    const values = (): unknown => session.transcript.config.map(({ id, input }) => [id, input.value]);
    await session.setConfig('model', 'large');
    await session.setConfig('fast', true);
    assert.deepEqual(values(), [
      ['mode', 'ask'],
      ['fast', true],
      ['model', 'large'],
    ]);
    await session.setConfig('model', 'small');
    assert.equal(sent('session/set_model'), 2);
  });

  it('keeps the queue over a reload', async () => {
    const session = await begin({ prompts: [[{ do: 'waitFor', cancel: true }]] });
    bench.sessions.submit(session.id, 'one');
    await until('the turn', () => session.isRunning);
    bench.sessions.submit(session.id, 'two');
    await comeBack(session);
    assert.deepEqual(
      bench.queues.of(session.id).map((queued) => queued.text),
      ['two'],
    );
  });

  it('sends now what waits, by cancelling what runs', async () => {
    const session = await begin({
      prompts: [[{ do: 'waitFor', cancel: true }], [{ do: 'text', text: 'second' }]],
    });
    bench.sessions.submit(session.id, 'one');
    await until('the turn', () => session.isRunning);
    bench.sessions.submit(session.id, 'two');
    const [queued] = bench.queues.of(session.id);
    assert.ok(queued !== undefined);
    await bench.sessions.sendNow(session.id, queued.id);
    await until('the second turn', () => session.record.turnCount === 2 && !session.isRunning);
    assert.match(said(session), /Stopped.*two.*second/);
  });
});
