import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isGroupAlive, isProcessAlive, signalGroup } from '../../../src/core/process/processGroup';
import { stopProcess } from '../../../src/core/process/stopProcess';
import { livingOf } from '../../support/processTable';

const LONG_MS = 20_000;

describe('stopProcess', () => {
  const started: ChildProcessWithoutNullStreams[] = [];
  const strays: number[] = [];

  function start(script: string, detached = true): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, ['-e', script], { detached });
    started.push(child);
    return child;
  }

  async function firstLine(child: ChildProcessWithoutNullStreams): Promise<string> {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return line;
  }

  afterEach(() => {
    strays.splice(0).forEach((pid) => signalGroup(pid, 'SIGKILL'));
    for (const { pid } of started.splice(0)) {
      if (pid !== undefined) {
        signalGroup(pid, 'SIGKILL');
      }
    }
  });

  it('lets an agent end by itself when its input ends', async () => {
    const child = start(`process.stdin.resume().on('end', () => process.exit(7)); console.log('up')`);
    await firstLine(child);
    await stopProcess(child, { inputGraceMs: LONG_MS });
    assert.equal(child.exitCode, 7);
    assert.equal(child.signalCode, null);
  });

  it('terminates an agent that ignores the end of its input', async () => {
    const child = start(`setInterval(() => {}, 1000); console.log('up')`);
    await firstLine(child);
    await stopProcess(child, { inputGraceMs: 20, termGraceMs: LONG_MS });
    assert.equal(child.signalCode, 'SIGTERM');
  });

  it('kills an agent that ignores TERM', async () => {
    const child = start(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`);
    await firstLine(child);
    await stopProcess(child, { inputGraceMs: 20, termGraceMs: 50 });
    assert.equal(child.signalCode, 'SIGKILL');
  });

  it('kills a grandchild that ignores TERM, also when the leader has already ended', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid)`;
    const child = start(`
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: ['ignore', 'inherit', 'ignore'] });
      process.stdin.resume().on('end', () => process.exit(0));
    `);
    const grandchild = Number(await firstLine(child));
    child.stdin.end();
    await once(child, 'exit');
    assert.ok(isProcessAlive(grandchild));
    assert.ok(child.pid !== undefined && isGroupAlive(child.pid));
    await stopProcess(child, { inputGraceMs: LONG_MS, termGraceMs: 50 });
    assert.ok(!isGroupAlive(child.pid));
  });

  for (const [how, first, end] of [
    ['ends by itself', `process.stdin.resume().on('end', () => process.exit(0))`, ''],
    ['is terminated', `setInterval(() => {}, 1000)`, ''],
    [
      'is killed with it',
      `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`,
      `process.on('SIGTERM', () => {})`,
    ],
  ] as const) {
    it(`ends what has a session of its own when its parent ${how}`, async function () {
      if (process.platform !== 'linux') {
        this.skip();
      }
      const stray = `${end}; setInterval(() => {}, 1000); console.log(process.pid)`;
      const child = start(`
        const { spawn } = require('node:child_process');
        const stdio = ['ignore', 'inherit', 'ignore'];
        spawn(process.execPath, ['-e', ${JSON.stringify(stray)}], { stdio, detached: true });
        ${first};
      `);
      const pid = Number(await firstLine(child));
      strays.push(pid);
      assert.ok(isGroupAlive(pid), 'it leads a group of its own');
      await stopProcess(child, { inputGraceMs: 200, termGraceMs: 200 });
      assert.deepEqual(livingOf([pid, child.pid ?? 0]), []);
    });
  }

  it('ends a child that leads no group', async () => {
    const child = start(`setInterval(() => {}, 1000); console.log('up')`, false);
    await firstLine(child);
    await stopProcess(child, { inputGraceMs: 20, termGraceMs: LONG_MS });
    assert.equal(child.signalCode, 'SIGTERM');
  });

  it('joins a stop that is under way and is harmless afterwards', async () => {
    const child = start(`process.stdin.resume().on('end', () => process.exit(0)); console.log('up')`);
    await firstLine(child);
    const first = stopProcess(child, { inputGraceMs: LONG_MS });
    assert.equal(stopProcess(child), first);
    await first;
    await stopProcess(child);
    assert.equal(child.exitCode, 0);
  });

  it('has nothing to do for a child that never started', async () => {
    const child = spawn('parley-no-such-program', { detached: true });
    const failed = once(child, 'error');
    await stopProcess(child);
    await failed;
    assert.equal(child.pid, undefined);
  });
});
