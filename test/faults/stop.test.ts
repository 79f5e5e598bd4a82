import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Session } from '../../src/core/session/session';
import { livingOf } from '../support/processTable';
import type { ScriptedAgentCommand } from '../support/scriptedAgent/scenario';
import { until } from '../support/until';
import { assertNothingOpen, fault, say, script } from './faultBench';

const quickLimits = { silenceMs: 60_000, cancelMs: 20 };

const offersForce = (session: Session): boolean =>
  session.transcript.entries.some(
    (entry) => entry.kind === 'notice' && entry.actions.some((action) => action.command === 'forceStop'),
  );

const endEvents = (agent: ScriptedAgentCommand): readonly unknown[] =>
  agent.received().flatMap((message) => ('event' in message ? [message.event] : []));

describe('an agent that does not stop', () => {
  fault('ignores cancel until it is forced', {
    limits: quickLimits,
    run: async (bench) => {
      const session = await bench.start();
      const turn = bench.sessions.prompt(
        session.id,
        script({ do: 'ignore', what: 'cancel' }, { do: 'text', text: 'never stopping' }, { do: 'never' }),
      );
      turn.catch(() => undefined);
      await until('its text', () => JSON.stringify(session.transcript).includes('never stopping'));
      await session.cancel();
      await until('the offer of force', () => offersForce(session));
      assert.equal(session.isRunning, true);
      await bench.sessions.restartAgent(session.id);
      assert.equal((await turn).stopReason, 'cancelled');
      assertNothingOpen(session);
      assert.equal(session.record.status, 'active');
      assert.equal(bench.pids.length, 2);
      assert.deepEqual(livingOf(bench.pids.slice(0, 1)), []);
      await bench.comesBack(session);
    },
  });

  fault('ignores the end of its input', {
    run: async (bench) => {
      const session = await bench.start();
      await bench.sessions.prompt(session.id, script({ do: 'ignore', what: 'stdinEnd' }));
      await bench.sessions.close(session.id);
      assert.deepEqual(livingOf(bench.pids), []);
      assert.deepEqual(endEvents(bench.agent), ['stdinEnd', 'SIGTERM']);
      assert.equal(session.record.status, 'closed');
      assert.equal(session.record.closeReason, 'user');
    },
  });

  fault('ignores the end of its input and TERM', {
    run: async (bench) => {
      const session = await bench.start();
      await bench.sessions.prompt(
        session.id,
        script({ do: 'ignore', what: 'stdinEnd' }, { do: 'ignore', what: 'SIGTERM' }),
      );
      await bench.sessions.close(session.id);
      assert.deepEqual(livingOf(bench.pids), []);
      assert.deepEqual(endEvents(bench.agent), ['stdinEnd', 'SIGTERM']);
      assert.equal(session.record.status, 'closed');
    },
  });

  fault('never answers session/close', {
    scenario: { on: { 'session/close': [{ do: 'never' }] } },
    run: async (bench) => {
      const session = await bench.start();
      await bench.sessions.prompt(session.id, say('hello'));
      await bench.sessions.close(session.id);
      assert.equal(session.record.status, 'closed');
      assert.deepEqual(livingOf(bench.pids), []);
    },
  });

  fault('is closed in the middle of a turn that it does not end', {
    limits: quickLimits,
    run: async (bench) => {
      const session = await bench.start();
      const turn = bench.sessions.prompt(
        session.id,
        script({ do: 'ignore', what: 'cancel' }, { do: 'text', text: 'going on' }, { do: 'never' }),
      );
      turn.catch(() => undefined);
      await until('its text', () => JSON.stringify(session.transcript).includes('going on'));
      await bench.sessions.close(session.id);
      await turn.catch(() => undefined);
      assert.equal(session.record.status, 'closed');
      assertNothingOpen(session);
      assert.deepEqual(livingOf(bench.pids), []);
    },
  });
});

describe('an agent that starts processes of its own', () => {
  fault('leaves one behind when it is closed', {
    run: async (bench) => {
      const session = await bench.start();
      const pidFile = join(bench.scratch, 'sleeper.pid');
      await bench.sessions.prompt(session.id, script({ do: 'spawnSleeper', pidFile }));
      const sleeper = bench.grandchild(pidFile);
      assert.deepEqual(livingOf([sleeper]), [sleeper]);
      await bench.sessions.close(session.id);
      assert.deepEqual(livingOf([sleeper, ...bench.pids]), []);
    },
  });

  fault('leaves one behind that ignores TERM', {
    run: async (bench) => {
      const session = await bench.start();
      const pidFile = join(bench.scratch, 'sleeper.pid');
      await bench.sessions.prompt(session.id, script({ do: 'spawnSleeper', pidFile, ignoresTerm: true }));
      const sleeper = bench.grandchild(pidFile);
      await bench.sessions.close(session.id);
      assert.deepEqual(livingOf([sleeper, ...bench.pids]), []);
    },
  });

  fault('leaves one behind when it crashes', {
    run: async (bench) => {
      const session = await bench.start();
      const pidFile = join(bench.scratch, 'sleeper.pid');
      await bench.failsTurn(
        session,
        script({ do: 'spawnSleeper', pidFile }, { do: 'exit', code: 3 }),
        /exited with code 3/,
      );
      const sleeper = bench.grandchild(pidFile);
      await until('it is ended too', () => livingOf([sleeper]).length === 0);
      await bench.comesBack(session);
    },
  });

  fault('crashes and leaves a stubborn one behind while the window closes', {
    run: async (bench) => {
      const session = await bench.start();
      const pidFile = join(bench.scratch, 'sleeper.pid');
      await bench.failsTurn(
        session,
        script({ do: 'spawnSleeper', pidFile, ignoresTerm: true }, { do: 'exit', code: 3 }),
        /exited with code 3/,
      );
      const sleeper = bench.grandchild(pidFile);
      assert.deepEqual(livingOf([sleeper]), [sleeper]);
      // The check at the end of every fault closes the window and looks at once.
    },
  });
});

describe('an agent that stops reading', () => {
  /** More than the pipe and all buffers take. */
  const bigPrompt = 'x'.repeat(4 * 1024 * 1024);

  fault('is forced to stop while a prompt is stuck in the pipe', {
    limits: quickLimits,
    run: async (bench) => {
      const session = await bench.start();
      await bench.sessions.prompt(session.id, script({ do: 'respond' }, { do: 'stopReading' }));
      const turn = bench.sessions.prompt(session.id, [{ kind: 'text', text: bigPrompt }]);
      turn.catch(() => undefined);
      await until('the turn', () => session.isRunning);
      const cancelled = session.cancel();
      await until('the offer of force', () => offersForce(session));
      await bench.sessions.restartAgent(session.id);
      await cancelled;
      assert.equal((await turn).stopReason, 'cancelled');
      assertNothingOpen(session);
      await bench.comesBack(session);
    },
  });

  fault('is closed while a prompt is stuck in the pipe', {
    limits: quickLimits,
    run: async (bench) => {
      const session = await bench.start();
      await bench.sessions.prompt(session.id, script({ do: 'respond' }, { do: 'stopReading' }));
      const turn = bench.sessions.prompt(session.id, [{ kind: 'text', text: bigPrompt }]);
      turn.catch(() => undefined);
      await until('the turn', () => session.isRunning);
      await bench.sessions.close(session.id);
      await turn.catch(() => undefined);
      assert.equal(session.record.status, 'closed');
      assertNothingOpen(session);
      assert.deepEqual(livingOf(bench.pids), []);
    },
  });

  fault('is given up by the heartbeat', {
    run: async (bench) => {
      const session = await bench.start();
      await bench.sessions.prompt(session.id, script({ do: 'respond' }, { do: 'stopReading' }));
      const turn = bench.sessions.prompt(session.id, [{ kind: 'text', text: bigPrompt }]);
      turn.catch(() => undefined);
      await until('the turn', () => session.isRunning);
      bench.pool.checkHealth();
      assert.equal(session.isLive, true);
      bench.pool.checkHealth();
      await bench.rejects(turn, 'agentExited');
      await bench.disconnects(session, /stopped reading/);
      await until('it is ended', () => livingOf(bench.pids).length === 0);
      await bench.comesBack(session);
    },
  });

  fault('asks a question and is cancelled with a stuck pipe', {
    limits: quickLimits,
    run: async (bench) => {
      const session = await bench.start();
      await bench.sessions.prompt(session.id, say('hello'));
      const turn = bench.sessions.prompt(
        session.id,
        script(
          { do: 'stopReading' },
          { do: 'permission', call: { toolCallId: 'c1', title: 'Delete' }, noWait: true },
          { do: 'never' },
        ),
      );
      turn.catch(() => undefined);
      await until('the question', () => session.isWaiting);
      // Fills the pipe with answers that nobody reads.
      const filling = bench.sessions
        .require(session.id)
        .connection?.steer(session.record.agentSessionId, [{ kind: 'text', text: bigPrompt }]);
      filling?.catch(() => undefined);
      void session.cancel();
      await until('the question is gone', () => !session.isWaiting);
      await bench.sessions.restartAgent(session.id);
      assert.equal((await turn).stopReason, 'cancelled');
      await bench.comesBack(session);
    },
  });
});
