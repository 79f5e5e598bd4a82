import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ParleyError } from '../../src/core/base/errors';
import { livingOf } from '../support/processTable';
import { until } from '../support/until';
import { fault } from './faultBench';

describe('an agent that does not start', () => {
  fault('is missing', {
    agents: { missing: { command: 'no-such-program-anywhere' } },
    run: async (bench) => {
      const error = await bench.rejects(bench.start('missing'), 'agentNotFound');
      assert.match(error.message, /no-such-program-anywhere/);
      assert.match(`${error.message} ${error.detail ?? ''}`, /PATH/);
      assert.deepEqual(bench.sessions.all(), []);
      assert.deepEqual(bench.pids, []);
    },
  });

  fault('is not a program', {
    agents: { notes: { command: '${workspaceFolder}/notes.txt' } },
    run: async (bench) => {
      writeFileSync(join(bench.folder, 'notes.txt'), 'no program', { mode: 0o644 });
      const error = await bench.rejects(bench.start('notes'), 'agentNotFound');
      assert.match(error.message, /notes\.txt/);
      assert.deepEqual(bench.sessions.all(), []);
    },
  });

  fault('exits at once and says why on stderr', {
    scenario: {
      on: {
        start: [
          { do: 'stderr', text: 'no key\nset AGENT_KEY first\n' },
          { do: 'exit', code: 3 },
        ],
      },
    },
    run: async (bench) => {
      const error = await bench.rejects(bench.start(), 'agentExited');
      assert.match(error.message, /scripted exited with code 3/);
      assert.match(error.detail ?? '', /no key\nset AGENT_KEY first/);
      assert.equal(bench.pool.state(`scripted@${bench.folder}`).kind, 'failed');
      assert.deepEqual(bench.sessions.all(), []);
      await bench.startsOnceFixed();
    },
  });

  fault('exits at once after a last line without an end', {
    scenario: {
      on: {
        start: [
          { do: 'stderr', text: 'panic: no licence' },
          { do: 'exit', code: 101 },
        ],
      },
    },
    run: async (bench) => {
      const error = await bench.rejects(bench.start(), 'agentExited');
      assert.match(error.detail ?? '', /panic: no licence/);
    },
  });

  fault('never answers initialize', {
    startTimeoutMs: 1500,
    scenario: {
      on: { initialize: [{ do: 'stderr', text: 'still fetching the model\n' }, { do: 'never' }] },
    },
    run: async (bench) => {
      const error = await bench.rejects(bench.start(), 'agentTimeout');
      assert.match(error.message, /initialize/);
      assert.match(`${error.message} ${error.detail ?? ''}`, /still fetching the model/);
      assert.deepEqual(livingOf(bench.pids), []);
      assert.deepEqual(bench.sessions.all(), []);
      await bench.startsOnceFixed();
    },
  });

  fault('never answers initialize, and the window is closed meanwhile', {
    scenario: { on: { initialize: [{ do: 'never' }] } },
    run: async (bench) => {
      const starting = bench.start().catch((error: unknown) => error);
      await until('initialize was received', () => bench.agent.received().length > 0);
      await bench.pool.stopAll();
      assert.deepEqual(livingOf(bench.pids), []);
      assert.equal(
        ParleyError.is(await starting, 'agentTimeout'),
        false,
        'stopping waited for the time limit',
      );
    },
  });

  for (const protocolVersion of [0, 99]) {
    fault(`answers with version ${protocolVersion} of the protocol`, {
      scenario: { results: { initialize: { protocolVersion } } },
      run: async (bench) => {
        const error = await bench.rejects(bench.start(), 'protocolMismatch');
        assert.match(error.message, new RegExp(`version ${protocolVersion} .* Parley speaks 1`));
        assert.deepEqual(livingOf(bench.pids), []);
        await bench.startsOnceFixed();
      },
    });
  }

  fault('answers initialize with nothing', {
    scenario: { results: { initialize: null } },
    run: async (bench) => {
      await bench.rejects(bench.start(), 'protocolMismatch');
      await bench.startsOnceFixed();
    },
  });

  fault('answers initialize with an error', {
    scenario: { on: { initialize: [{ do: 'respondError', code: -32603, message: 'licence expired' }] } },
    run: async (bench) => {
      const error = await bench.rejects(bench.start(), 'requestFailed');
      assert.match(error.message, /licence expired/);
      assert.deepEqual(livingOf(bench.pids), []);
      await bench.startsOnceFixed();
    },
  });

  fault('fails for two sessions at once', {
    scenario: { on: { start: [{ do: 'exit', code: 9 }] } },
    run: async (bench) => {
      const starts = [bench.start(), bench.start()];
      await Promise.all(starts.map((start) => bench.rejects(start, 'agentExited')));
      assert.equal(bench.pids.length, 1);
      await bench.startsOnceFixed();
    },
  });
});
