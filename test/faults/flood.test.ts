import assert from 'node:assert/strict';
import type { Step } from '../support/scriptedAgent/steps';
import { until } from '../support/until';
import { fault, say, script } from './faultBench';

const COUNT = 50_000;
/** Far fewer than a flood has chunks, far more than a host that only reads would have. */
const MIN_TURNS = 25;

/** Counts how often the event loop gets round to its timers. */
function countTurns(): { readonly count: () => number; stop(): void } {
  let count = 0;
  const timer = setInterval(() => (count += 1), 1);
  return { count: () => count, stop: () => clearInterval(timer) };
}

describe('an agent that floods', () => {
  fault('sends 50,000 updates in one turn', {
    run: async (bench) => {
      const session = await bench.start();
      const turns = countTurns();
      const { text } = await bench.sessions.prompt(
        session.id,
        script({ do: 'flood', count: COUNT, text: 'n' }),
      );
      turns.stop();
      const numbers = text.split('\n').slice(0, -1);
      assert.equal(numbers.length, COUNT);
      assert.equal(
        numbers.findIndex((number, index) => number !== `n ${index}`),
        -1,
        'out of order',
      );
      assert.ok(turns.count() >= MIN_TURNS, `only ${turns.count()} turns of the event loop`);
      await bench.comesBack(session);
    },
  });

  fault('is stopped in the middle, and another agent answers meanwhile', {
    run: async (bench) => {
      const session = await bench.start();
      const other = await bench.start('healthy');
      const turn = bench.sessions.prompt(session.id, script({ do: 'flood', count: 10_000_000 }));
      await until('the flood', () => session.transcript.entries.length > 1);
      assert.equal((await bench.sessions.prompt(other.id, say('I get through'))).text, 'I get through');
      assert.equal(session.isRunning, true);
      await session.cancel();
      assert.equal((await turn).stopReason, 'cancelled');
      await bench.comesBack(session);
    },
  });

  fault('updates one tool call 20,000 times and plans as often', {
    run: async (bench) => {
      const session = await bench.start();
      const turns = countTurns();
      const progress: Step = {
        do: 'update',
        times: 20_000,
        update: {
          sessionUpdate: 'tool_call_update',
          toolCallId: 'c1',
          title: 'Build',
          status: 'in_progress',
        },
      };
      const plan: Step = {
        do: 'update',
        times: 20_000,
        update: { sessionUpdate: 'plan', entries: [{ content: 'one', status: 'pending', priority: 'low' }] },
      };
      await bench.sessions.prompt(session.id, script(progress, plan, { do: 'text', text: 'done' }));
      turns.stop();
      const kinds = session.transcript.entries.map((entry) => entry.kind);
      assert.deepEqual(kinds, ['user', 'tool', 'plan', 'agent']);
      assert.ok(turns.count() >= MIN_TURNS, `only ${turns.count()} turns of the event loop`);
    },
  });

  fault('writes 20,000 lines to stderr and crashes', {
    run: async (bench) => {
      const session = await bench.start();
      const lines = Array.from({ length: 20_000 }, (_, index) => `trace ${index}`).join('\n');
      const notice = await bench.failsTurn(
        session,
        script({ do: 'stderr', text: `${lines}\n` }, { do: 'exit', code: 1 }),
        /exited with code 1/,
      );
      const kept = notice.detail?.split('\n') ?? [];
      assert.equal(kept.length, 50);
      assert.equal(kept.at(-1), 'trace 19999');
      await bench.comesBack(session);
    },
  });
});
