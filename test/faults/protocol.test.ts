import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../src/core/session/session';
import type { Json, JsonObject, Step } from '../support/scriptedAgent/steps';
import { until } from '../support/until';
import { assertNothingOpen, fault, say, script, type FaultBench } from './faultBench';

const chunk = (text: string): JsonObject => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});

const line = (sessionId: string, text: string): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: chunk(text) } })}\n`;

const shows = (session: Session, text: string): boolean =>
  JSON.stringify(session.transcript.entries.slice(1)).includes(text);

/** Everything that was not a request or notification: what the agent got as answers to its lines. */
const answersTo = (bench: FaultBench): readonly JsonObject[] =>
  bench.agent.received().filter((message) => 'error' in message || 'result' in message);

/** Says these things in a turn that must end well all the same. */
async function survives(bench: FaultBench, ...steps: readonly Step[]): Promise<Session> {
  const session = await bench.start();
  const { text } = await bench.sessions.prompt(session.id, script(...steps, { do: 'text', text: 'fine' }));
  assert.match(text, /fine$/);
  assertNothingOpen(session);
  assert.equal(session.record.status, 'active');
  assert.equal((await bench.sessions.prompt(session.id, say('next'))).text, 'next');
  return session;
}

describe('an agent that writes what is no message', () => {
  fault('prints garbage', {
    run: async (bench) => {
      const garbage = [
        'Debugger attached.',
        '',
        '{"jsonrpc":',
        '[1,2]',
        '42',
        'null',
        '{}',
        '\u001b[31mred',
        '"text"',
      ];
      await survives(bench, { do: 'raw', text: `${garbage.join('\n')}\n` });
      const logged = bench.log.warnings.filter((warning) => warning.includes('Not a message'));
      // The empty line is worth no words.
      assert.equal(logged.length, garbage.length - 1);
      assert.ok(logged.some((warning) => warning.includes('Debugger attached.')));
      assert.deepEqual(answersTo(bench), []);
    },
  });

  fault('prints garbage before it is asked anything', {
    scenario: {
      on: {
        start: [
          { do: 'raw', text: 'Welcome to the agent\n\n> ' },
          { do: 'raw', text: '\n' },
        ],
      },
    },
    run: async (bench) => {
      await survives(bench);
      assert.ok(bench.log.warnings.some((warning) => warning.includes('Welcome to the agent')));
    },
  });

  fault('writes a message in two halves, cut within a letter', {
    run: async (bench) => {
      const session = await bench.start();
      const bytes = Buffer.from(line('$', 'a ü b').replace('$', session.record.agentSessionId));
      const cut = bytes.indexOf(Buffer.from('ü')) + 1;
      const halves = [bytes.subarray(0, cut), bytes.subarray(cut)].map((half) => half.toString('base64'));
      const go = join(bench.scratch, 'go');
      const turn = bench.sessions.prompt(
        session.id,
        script(
          { do: 'text', text: 'first ' },
          { do: 'raw', base64: halves[0] ?? '' },
          { do: 'waitFor', file: go },
          { do: 'raw', base64: halves[1] ?? '' },
        ),
      );
      await until('the text before it', () => shows(session, 'first'));
      writeFileSync(go, '');
      assert.equal((await turn).text, 'first a ü b');
    },
  });

  fault('ends in the middle of a line', {
    run: async (bench) => {
      const session = await bench.start();
      const half = line('$sessionId', 'never seen').slice(0, -20);
      await bench.failsTurn(
        session,
        script({ do: 'text', text: 'seen' }, { do: 'raw', text: half }, { do: 'exit', code: 1 }),
        /exited with code 1/,
      );
      assert.ok(shows(session, 'seen'));
      assert.equal(shows(session, 'never seen'), false);
      await bench.disconnects(session, /code 1/);
      await bench.comesBack(session);
    },
  });

  fault('writes a line of 40 MB', {
    run: async (bench) => {
      const session = await bench.start();
      const other = await bench.start('healthy');
      await bench.failsTurn(
        session,
        script({ do: 'text', text: 'before' }, { do: 'longLine', megabytes: 40 }),
        /more than 32 MB/,
      );
      assert.ok(shows(session, 'before'));
      await bench.disconnects(session, /more than 32 MB/);
      assert.equal((await bench.sessions.prompt(other.id, say('not my fault'))).text, 'not my fault');
      await bench.comesBack(session);
    },
  });

  fault('writes a line of 8 MB', {
    run: async (bench) => {
      const session = await bench.start();
      const { text } = await bench.sessions.prompt(session.id, script({ do: 'longLine', megabytes: 8 }));
      assert.equal(text.length, 8 * 1024 * 1024);
    },
  });

  fault('writes invalid UTF-8', {
    run: async (bench) => {
      const session = await bench.start();
      const [head = '', tail = ''] = line(session.record.agentSessionId, 'caf|e').split('|');
      const broken = Buffer.concat([Buffer.from(head), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from(tail)]);
      const { text } = await bench.sessions.prompt(
        session.id,
        script(
          { do: 'raw', base64: Buffer.from([0xff, 0xfe, 0x00, 0x0a]).toString('base64') },
          { do: 'raw', base64: broken.toString('base64') },
          { do: 'text', text: ' fine' },
        ),
      );
      assert.equal(text, 'caf\ufffd(\ufffde fine');
    },
  });
});

describe('an agent that sends updates at the wrong time', () => {
  fault('for sessions that nobody knows', {
    run: async (bench) => {
      const unknown = Array.from({ length: 50 }, (_, index): Step => {
        return { do: 'update', update: chunk('lost'), sessionId: `unknown-${index}` };
      });
      const session = await survives(bench, ...unknown);
      assert.equal(shows(session, 'lost'), false);
      assert.equal(bench.sessions.all().length, 1);
    },
  });

  fault('without a session, content or sense', {
    run: async (bench) => {
      const odd: readonly Json[] = [
        null,
        7,
        'text',
        [],
        {},
        { sessionUpdate: 3 },
        { sessionUpdate: 'hologram' },
      ];
      const noSession = { jsonrpc: '2.0', method: 'session/update', params: { update: chunk('lost') } };
      const noParams = { jsonrpc: '2.0', method: 'session/update' };
      const session = await survives(
        bench,
        ...odd.map((update): Step => ({ do: 'update', update })),
        { do: 'raw', text: `${JSON.stringify(noSession)}\n${JSON.stringify(noParams)}\n` },
        { do: 'update', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'smell', x: 1 } } },
        { do: 'update', update: { sessionUpdate: 'tool_call', toolCallId: 5, content: 'x', locations: 3 } },
        { do: 'update', update: { sessionUpdate: 'plan', entries: 'none' } },
      );
      assert.equal(shows(session, 'lost'), false);
    },
  });

  fault('before the answer to session/new', {
    scenario: {
      name: 'early',
      on: { 'session/new': [{ do: 'text', text: 'a word before', sessionId: 'early-s1' }] },
    },
    run: async (bench) => {
      const session = await bench.start();
      assert.match(JSON.stringify(session.transcript.entries), /a word before/);
      await bench.comesBack(session);
    },
  });

  fault('after the turn has ended', {
    run: async (bench) => {
      const session = await bench.start();
      const { text } = await bench.sessions.prompt(
        session.id,
        script({ do: 'text', text: 'in time' }, { do: 'respond' }, { do: 'text', text: 'too late' }),
      );
      assert.equal(text, 'in time');
      await until('the late text', () => shows(session, 'too late'));
      assertNothingOpen(session);
      await bench.comesBack(session);
    },
  });

  fault('after the session was closed', {
    run: async (bench) => {
      const closed = await bench.start();
      const open = await bench.start();
      await bench.sessions.prompt(closed.id, say('before'));
      await bench.sessions.close(closed.id);
      const late = closed.record.agentSessionId;
      const { text } = await bench.sessions.prompt(
        open.id,
        script(
          { do: 'text', text: 'ghost', sessionId: late },
          {
            do: 'toolCall',
            call: { toolCallId: 'g1', title: 'Ghost', status: 'in_progress' },
            sessionId: late,
          },
          {
            do: 'request',
            method: 'session/request_permission',
            params: ghostQuestion(late),
            save: 'answer',
          },
          { do: 'text', text: 'fine' },
        ),
      );
      assert.equal(text, 'fine');
      assert.equal(shows(closed, 'ghost'), false);
      assert.equal(closed.record.status, 'closed');
      assertNothingOpen(closed);
      assert.equal(answersTo(bench).filter((answer) => 'error' in answer).length, 1);
    },
  });
});

describe('an agent that answers wrongly', () => {
  fault('with ids that nobody asked with', {
    run: async (bench) => {
      await survives(
        bench,
        ...[9999, -1, 1.5, 'no-such-id', null].map((id): Step => ({
          do: 'raw',
          text: `${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`,
        })),
        { do: 'raw', text: '{"jsonrpc":"2.0","id":9999,"error":{"code":-32603,"message":"whose?"}}\n' },
        { do: 'raw', text: '{"jsonrpc":"2.0","result":{}}\n{"jsonrpc":"2.0","id":{"a":1},"result":{}}\n' },
      );
    },
  });

  fault('only with a wrong id, and is cancelled', {
    limits: { silenceMs: 60_000, cancelMs: 20 },
    run: async (bench) => {
      const session = await bench.start();
      const turn = bench.sessions.prompt(
        session.id,
        script(
          { do: 'text', text: 'done?' },
          { do: 'respond', id: 4711, result: { stopReason: 'end_turn' } },
        ),
      );
      turn.catch(() => undefined);
      await until('its text', () => shows(session, 'done?'));
      assert.equal(session.isRunning, true);
      await session.cancel();
      await until('the offer of force', () => shows(session, 'forceStop'));
      await bench.sessions.restartAgent(session.id);
      assert.equal((await turn).stopReason, 'cancelled');
      await bench.comesBack(session);
    },
  });

  fault('twice, and three times', {
    run: async (bench) => {
      const session = await bench.start();
      for (const times of [2, 3]) {
        const { text, stopReason } = await bench.sessions.prompt(
          session.id,
          script({ do: 'text', text: `${times} times` }, { do: 'respond', times }),
        );
        assert.deepEqual([text, stopReason], [`${times} times`, 'end_turn']);
      }
      assert.equal(session.record.turnCount, 2);
      await bench.comesBack(session);
    },
  });

  fault('with a second answer while the next prompt runs', {
    run: async (bench) => {
      const session = await bench.start();
      const go = join(bench.scratch, 'go');
      await bench.sessions.prompt(
        session.id,
        script(
          { do: 'respond' },
          { do: 'waitFor', file: go },
          { do: 'respond', result: { stopReason: 'refusal' } },
        ),
      );
      const second = bench.sessions.prompt(
        session.id,
        script({ do: 'text', text: 'working' }, { do: 'waitFor', cancel: true }),
      );
      await until('the second turn', () => shows(session, 'working'));
      writeFileSync(go, '');
      // Comes after the stray answer on the same pipe.
      const other = await bench.start();
      await bench.sessions.prompt(other.id, say('marker'));
      assert.equal(session.isRunning, true);
      await session.cancel();
      assert.equal((await second).stopReason, 'cancelled');
    },
  });

  fault('with an answer that has neither result nor sense', {
    run: async (bench) => {
      const session = await bench.start();
      const results: readonly Json[] = [null, 7, 'yes', [], {}, { stopReason: 5 }, { stopReason: 'tired' }];
      for (const result of results) {
        const turn = await bench.sessions.prompt(session.id, script({ do: 'respond', result }));
        assert.equal(typeof turn.stopReason, 'string');
        assertNothingOpen(session);
      }
      await bench.comesBack(session);
    },
  });

  fault('to session/new without an id', {
    scenario: { on: { 'session/new': [{ do: 'respond', result: {} }] } },
    run: async (bench) => {
      const error = await bench.rejects(bench.start(), 'requestFailed');
      assert.match(error.message, /scripted opened a session without an id/);
      assert.deepEqual(bench.sessions.all(), []);
    },
  });

  fault('with the same session id twice', {
    scenario: { on: { 'session/new': [{ do: 'respond', result: { sessionId: 'same' } }] } },
    run: async (bench) => {
      const first = await bench.start();
      const second = await bench.start();
      assert.notEqual(first.id, second.id);
      assert.equal((await bench.sessions.prompt(second.id, say('two'))).text, 'two');
    },
  });

  fault('and asks with the same request id twice', {
    run: async (bench) => {
      const read = { method: 'fs/read_text_file', params: { sessionId: '$sessionId', path: '/a.txt' } };
      bench.files.files.set('/a.txt', 'inside');
      await survives(
        bench,
        { do: 'request', ...read, id: 'twin', noWait: true },
        { do: 'request', ...read, id: 'twin', save: 'a' },
        { do: 'request', method: 'no/such/method', save: 'b' },
        { do: 'request', method: 'fs/read_text_file', params: 'nonsense', save: 'c' },
        {
          do: 'request',
          method: 'session/request_permission',
          params: { sessionId: '$sessionId' },
          save: 'd',
        },
        { do: 'notify', method: 'no/such/notification', params: [1] },
      );
    },
  });
});

function ghostQuestion(sessionId: string): JsonObject {
  const options = [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }];
  return { sessionId, toolCall: { toolCallId: 'g1', title: 'Ghost' }, options };
}
