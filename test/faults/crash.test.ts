import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Session } from '../../src/core/session/session';
import { openPermissions } from '../../src/shared/transcript/select';
import { livingOf } from '../support/processTable';
import type { Step } from '../support/scriptedAgent/steps';
import { until } from '../support/until';
import { fault, resuming, say, script } from './faultBench';

const tool = (session: Session, id: string): string | undefined => {
  const entry = session.transcript.entries.find((candidate) => candidate.id === id);
  return entry?.kind === 'tool' ? entry.status : undefined;
};

describe('an agent that crashes', () => {
  fault('before session/new', {
    scenario: { on: { initialize: [{ do: 'respond' }, { do: 'exit', code: 5 }] } },
    run: async (bench) => {
      const error = await bench.rejects(bench.start(), 'agentExited');
      assert.match(error.message, /scripted exited with code 5/);
      assert.deepEqual(bench.sessions.all(), []);
      await bench.startsOnceFixed();
    },
  });

  const duringNew: readonly (readonly [string, Step, RegExp])[] = [
    ['exits', { do: 'exit', code: 6 }, /scripted exited with code 6/],
    ['is killed', { do: 'signal', signal: 'SIGKILL' }, /scripted was ended by SIGKILL/],
  ];
  for (const [how, step, message] of duringNew) {
    fault(`during session/new (${how})`, {
      scenario: { on: { 'session/new': [{ do: 'stderr', text: 'out of memory\n' }, step] } },
      run: async (bench) => {
        const error = await bench.rejects(bench.start(), 'agentExited');
        assert.match(error.message, message);
        assert.match(error.detail ?? '', /out of memory/);
        assert.deepEqual(bench.sessions.all(), []);
        await bench.startsOnceFixed();
      },
    });
  }

  fault('right after session/new', {
    scenario: { on: { 'session/new': [{ do: 'respond' }, { do: 'exit', code: 7 }] } },
    run: async (bench) => {
      const session = await bench.start();
      await bench.disconnects(session, /scripted exited with code 7/);
      bench.agent.change(resuming());
      await bench.comesBack(session);
    },
  });

  fault('while idle, between two turns', {
    run: async (bench) => {
      const session = await bench.start();
      await bench.sessions.prompt(
        session.id,
        script({ do: 'text', text: 'done' }, { do: 'respond' }, { do: 'signal', signal: 'SIGKILL' }),
      );
      await bench.disconnects(session, /scripted was ended by SIGKILL/);
      await bench.comesBack(session);
    },
  });

  fault('in the middle of its answer', {
    run: async (bench) => {
      const session = await bench.start();
      const notice = await bench.failsTurn(
        session,
        script(
          { do: 'thought', text: 'let me see' },
          { do: 'text', text: 'The answer is' },
          { do: 'toolCall', call: { toolCallId: 'c1', title: 'Look', status: 'in_progress' } },
          { do: 'stderr', text: 'Segmentation fault\n' },
          { do: 'signal', signal: 'SIGSEGV' },
        ),
        /scripted was ended by SIGSEGV/,
      );
      assert.match(notice.detail ?? '', /Segmentation fault/);
      assert.deepEqual(
        notice.actions.map((action) => action.command),
        ['restartAgent', 'showLog'],
      );
      const kinds = session.transcript.entries.map((entry) => entry.kind);
      assert.deepEqual(kinds, ['user', 'thought', 'agent', 'tool', 'notice']);
      await bench.disconnects(session, /SIGSEGV/);
      await bench.comesBack(session);
    },
  });

  fault('with everything it wrote before it still to be read', {
    run: async (bench) => {
      const session = await bench.start();
      await bench.failsTurn(
        session,
        script({ do: 'flood', count: 2000, text: 'line' }, { do: 'exit', code: 8 }),
        /exited with code 8/,
      );
      assert.match(JSON.stringify(session.transcript.entries), /line 1999/);
    },
  });

  fault('with an open permission', {
    run: async (bench) => {
      const session = await bench.start();
      const go = join(bench.scratch, 'go');
      const turn = bench.sessions.prompt(
        session.id,
        script(
          { do: 'permission', call: { toolCallId: 'c1', title: 'Delete' }, noWait: true },
          { do: 'waitFor', method: 'session/cancel', file: go },
          { do: 'exit', code: 1 },
        ),
      );
      turn.catch(() => undefined);
      await until('the question', () => openPermissions(session.transcript).length === 1);
      const [question] = openPermissions(session.transcript);
      const pid = bench.pids.at(-1);
      assert.ok(question !== undefined && pid !== undefined);
      process.kill(pid, 'SIGKILL');
      await bench.rejects(turn, 'agentExited');
      await bench.disconnects(session, /SIGKILL/);
      assert.notEqual(tool(session, 'c1'), 'completed');
      // The user clicks on what the window has not taken away yet.
      session.answerPermission(question.permission.requestId, 'allow');
      await bench.comesBack(session);
    },
  });

  fault('with an open form', {
    run: async (bench) => {
      const session = await bench.start();
      const params = {
        sessionId: '$sessionId',
        mode: 'form',
        message: 'Which colour?',
        requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } },
      };
      const turn = bench.sessions.prompt(
        session.id,
        script({ do: 'request', method: 'elicitation/create', params }),
      );
      turn.catch(() => undefined);
      await until('the form', () => session.isWaiting);
      process.kill(bench.pids.at(-1) ?? 0, 'SIGKILL');
      await bench.rejects(turn, 'agentExited');
      await bench.disconnects(session, /SIGKILL/);
      const form = session.transcript.entries.find((entry) => entry.kind === 'elicitation');
      assert.equal(form?.outcome, 'withdrawn');
    },
  });

  fault('with an open terminal', {
    run: async (bench) => {
      const session = await bench.start();
      const turn = bench.sessions.prompt(
        session.id,
        script({ do: 'terminal', command: 'sleep', args: ['9'] }),
      );
      turn.catch(() => undefined);
      await until('the tool call', () => tool(session, 'run-t1') !== undefined);
      const [terminal] = bench.terminals.created;
      terminal?.write('half a line');
      process.kill(bench.pids.at(-1) ?? 0, 'SIGKILL');
      await bench.rejects(turn, 'agentExited');
      await bench.disconnects(session, /SIGKILL/);
      await until('the terminal is released', () => terminal?.isReleased === true);
      // What it had written stays readable.
      assert.match(JSON.stringify(session.transcript.terminals), /half a line/);
      await bench.comesBack(session);
    },
  });

  fault('with prompts waiting in the queue', {
    run: async (bench) => {
      const session = await bench.start();
      const [block] = script({ do: 'waitFor', cancel: true });
      bench.sessions.submit(session.id, block?.kind === 'text' ? block.text : '');
      await until('the turn', () => session.isRunning);
      bench.sessions.submit(session.id, 'say the second thing');
      process.kill(bench.pids.at(-1) ?? 0, 'SIGKILL');
      await bench.disconnects(session, /SIGKILL/);
      assert.deepEqual(
        bench.queues.of(session.id).map((queued) => queued.text),
        ['say the second thing'],
      );
    },
  });

  fault('under two sessions', {
    run: async (bench) => {
      const first = await bench.start();
      const second = await bench.start();
      assert.equal(bench.pids.length, 1);
      await bench.sessions.prompt(second.id, say('hello'));
      await bench.failsTurn(first, script({ do: 'exit', code: 4 }), /exited with code 4/);
      await bench.disconnects(first, /code 4/);
      await bench.disconnects(second, /code 4/);
      await Promise.all([bench.comesBack(first), bench.comesBack(second)]);
      assert.equal(bench.pids.length, 2);
    },
  });

  fault('again and again, each time it is brought back', {
    run: async (bench) => {
      const session = await bench.start();
      for (const code of [11, 12, 13]) {
        await bench.failsTurn(session, script({ do: 'exit', code }), new RegExp(`exited with code ${code}`));
      }
      await bench.comesBack(session);
      assert.equal(bench.pids.length, 4);
    },
  });

  fault('while it brings a session back', {
    run: async (bench) => {
      const session = await bench.start();
      await bench.sessions.prompt(session.id, say('remember me'));
      await bench.pool.stopAll();
      await until('disconnected', () => session.record.status === 'disconnected');
      bench.agent.change({
        on: {
          'session/resume': [
            { do: 'text', text: 'half a replay' },
            { do: 'exit', code: 2 },
          ],
        },
      });
      await bench.rejects(bench.sessions.prompt(session.id, say('again')), 'agentExited');
      assert.equal(session.record.status, 'error');
      assert.match(session.record.statusReason ?? '', /exited with code 2/);
      const text = JSON.stringify(session.transcript.entries);
      assert.match(text, /remember me/);
      assert.doesNotMatch(text, /half a replay/);
      bench.agent.change(resuming());
      await bench.comesBack(session);
    },
  });
});

describe('an agent that is only half alive', () => {
  fault('closes its output and lives on', {
    run: async (bench) => {
      const session = await bench.start();
      await bench.failsTurn(
        session,
        script({ do: 'text', text: 'bye' }, { do: 'closeOutput' }, { do: 'never' }),
        /closed its connection|exited/,
      );
      await bench.disconnects(session, /closed its connection|exited/);
      await until('it is ended', () => livingOf(bench.pids).length === 0);
      await bench.comesBack(session);
    },
  });

  fault('ends while a process it started keeps its output open', {
    run: async (bench) => {
      const session = await bench.start();
      const pidFile = join(bench.scratch, 'sleeper.pid');
      await bench.failsTurn(
        session,
        script({ do: 'spawnSleeper', pidFile, holdsOutput: true }, { do: 'exit', code: 3 }),
        /exited with code 3/,
      );
      const sleeper = bench.grandchild(pidFile);
      await bench.disconnects(session, /code 3/);
      await until('the process it started is ended too', () => livingOf([sleeper]).length === 0);
      await bench.comesBack(session);
    },
  });
});
