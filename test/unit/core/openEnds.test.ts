import assert from 'node:assert/strict';
import { closeIdleSessions } from '../../../src/core/session/idle';
import type { Session } from '../../../src/core/session/session';
import type { ElicitationEntry, UserEntry } from '../../../src/shared/transcript/model';
import { openPermissions } from '../../../src/shared/transcript/select';
import type { BenchOptions } from '../../support/sessionBench';
import type { JsonObject, Scenario, Step } from '../../support/scriptedAgent/steps';
import { until } from '../../support/until';
import { ObservationBench, option, saidIn } from './observationBench';

const page = (elicitationId: string): JsonObject => ({
  sessionId: '$sessionId',
  mode: 'url',
  elicitationId,
  url: 'https://example.com/consent',
  message: 'Please agree',
});
const complete = (elicitationId: string): Step => ({
  do: 'notify',
  method: 'elicitation/complete',
  params: { elicitationId },
});

describe('what agents say at and after the end of things', () => {
  let bench: ObservationBench;

  const begin = async (scenario: Scenario, options?: BenchOptions): Promise<Session> => {
    bench = new ObservationBench(scenario, options);
    return bench.start();
  };
  const question = (session: Session): ElicitationEntry | undefined =>
    session.transcript.entries.find((entry) => entry.kind === 'elicitation');
  const prompt = (session: Session): UserEntry | undefined =>
    session.transcript.entries.find((entry) => entry.kind === 'user');

  afterEach(async () => {
    await bench.dispose();
  });

  describe('tokens of a turn', () => {
    const tokensAfter = async (result: JsonObject): Promise<number | undefined> => {
      const session = await begin({ results: { 'session/prompt': result } });
      await bench.say(session);
      assert.equal(session.transcript.usage, undefined);
      return prompt(session)?.end?.tokens;
    };

    it('come from the answer to the prompt', async () => {
      assert.equal(await tokensAfter({ usage: { totalTokens: 2520, inputTokens: 2400 } }), 2520);
    });

    it('come from the older form', async () => {
      const quota = { token_count: { inputTokens: 30, outputTokens: 12 } };
      assert.equal(await tokensAfter({ _meta: { quota } }), 42);
    });

    it('are left out when they make no sense', async () => {
      assert.equal(await tokensAfter({ usage: { totalTokens: 'many' }, _meta: { quota: [] } }), undefined);
    });

    it('are there after a reload', async () => {
      const session = await begin({ results: { 'session/prompt': { usage: { totalTokens: 7 } } } });
      await bench.say(session);
      await bench.pool.stopAll();
      bench.reload();
      const again = bench.sessions.require(session.id);
      await bench.sessions.loadTranscript(again);
      assert.equal(prompt(again)?.end?.tokens, 7);
    });
  });

  describe('a page that is complete', () => {
    it('is marked so after the user has opened it', async () => {
      const session = await begin({
        prompts: [
          [
            { do: 'request', method: 'elicitation/create', params: page('p1'), save: 'p' },
            complete('other'),
            complete('p1'),
            complete('p1'),
            { do: 'text', text: '$saved.p.action' },
          ],
        ],
      });
      const done = bench.say(session);
      await until('the question', () => question(session) !== undefined);
      session.answerElicitation(question(session)?.id ?? '', { action: 'accept', content: {} });
      await done;
      assert.equal(question(session)?.outcome, 'completed');
      assert.equal(saidIn(session), 'accept');
    });

    it('counts as cancelled when the user would not have it opened', async () => {
      const session = await begin(
        {
          prompts: [
            [
              { do: 'request', method: 'elicitation/create', params: page('p1'), save: 'p' },
              { do: 'text', text: '$saved.p.action' },
            ],
          ],
        },
        { refusesPages: true },
      );
      const done = bench.say(session);
      await until('the question', () => question(session) !== undefined);
      session.answerElicitation(question(session)?.id ?? '', { action: 'accept', content: {} });
      session.answerElicitation(question(session)?.id ?? '', { action: 'accept', content: {} });
      await done;
      assert.equal(question(session)?.outcome, 'cancelled');
      assert.equal(saidIn(session), 'cancel');
      assert.equal(bench.opened.length, 1);
    });

    it('closes a question that nobody has answered', async () => {
      const session = await begin({
        prompts: [
          [
            { do: 'request', method: 'elicitation/create', params: page('p1'), noWait: true, id: 'q' },
            complete('p1'),
            { do: 'waitFor', cancel: true },
          ],
        ],
      });
      const done = bench.say(session);
      await until('the completion', () => question(session)?.outcome === 'completed');
      assert.equal(session.isWaiting, false);
      await until('the answer', () => bench.answersSent().some(({ id }) => id === 'q'));
      assert.deepEqual(bench.opened, []);
      await session.cancel();
      await done;
    });
  });

  describe('questions of sub-agents', () => {
    const ask = (sessionId: string): Step => ({
      do: 'request',
      method: 'session/request_permission',
      params: { sessionId, toolCall: { toolCallId: 'below', title: 'Below' }, options: [option('yes')] },
      save: 'p',
    });
    const told: Step = { do: 'text', text: '$saved.p.outcome.optionId' };

    it('are asked in the only conversation there is', async () => {
      const session = await begin({ prompts: [[ask('child-1'), told]] });
      const done = bench.say(session);
      await bench.answer(session, 'yes');
      await done;
      assert.equal(saidIn(session), 'yes');
    });

    it('are asked in the conversation that announced them', async () => {
      const child = (sessionId: string): JsonObject => ({ sessionUpdate: 'subagent_update', sessionId });
      const session = await begin({
        prompts: [[{ do: 'update', update: child('child-1') }, ask('child-1'), told]],
      });
      const other = await bench.start();
      const done = bench.say(session);
      await bench.answer(session, 'yes');
      await done;
      assert.equal(saidIn(session), 'yes');
      assert.equal(openPermissions(other.transcript).length, 0);
    });

    it('are refused when nobody can tell whose they are', async () => {
      const session = await begin({ prompts: [[ask('child-1'), { do: 'text', text: 'went on' }]] });
      await bench.start();
      await bench.say(session);
      assert.equal(saidIn(session), 'went on');
      assert.match(JSON.stringify(bench.answersSent()), /"code":-32002/);
    });
  });

  it('an agent whose pages of sessions go in a circle is asked for each once', async () => {
    const session = await begin({
      listPages: [[{ sessionId: 'x' }], [{ sessionId: 'y' }]],
      listCircle: true,
    });
    const asked = (): number =>
      bench.agent.received().filter(({ method }) => method === 'session/list').length;
    await until('the list at the start', () => bench.sessions.foreign(session.record.agentKey).length > 0);
    const before = asked();
    await bench.sessions.refreshForeign(session.record.agentKey);
    // The first page has no cursor, so it comes once more with one.
    assert.equal(asked() - before, 3);
  });

  it('a conversation that is continued goes along with the first prompt after a reload too', async () => {
    const session = await begin({ prompts: [[{ do: 'text', text: 'the secret is 42' }]] });
    await bench.say(session);
    const next = await bench.sessions.continueInNew(session.id);
    await bench.pool.stopAll();
    bench.reload();
    const again = bench.sessions.require(next.id);
    await bench.say(again);
    const sent = bench.agent.received().filter(({ method }) => method === 'session/prompt');
    assert.match(JSON.stringify(sent.at(-1)), /the secret is 42/);
    assert.equal(again.record.continues, undefined);
  });

  it('an agent that waits for a sign-in is ended after the idle time', async () => {
    bench = new ObservationBench({ authRequired: ['session/new'] });
    await assert.rejects(bench.start());
    const idle = { timeoutMs: () => 60_000, now: Date.now };
    await closeIdleSessions(bench.sessions, idle);
    assert.equal(bench.pool.running.length, 1);
    await closeIdleSessions(bench.sessions, { ...idle, timeoutMs: () => Number.MIN_VALUE });
    assert.equal(bench.pool.running.length, 0);
  });
});
