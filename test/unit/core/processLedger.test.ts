import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGroupAlive, signalGroup } from '../../../src/core/process/processGroup';
import { formatLedger, parseLedger } from '../../../src/core/process/ledgerFile';
import { ProcessLedger } from '../../../src/core/process/processLedger';
import { processStartTime } from '../../../src/core/process/processStartTime';
import { listLog } from './listLog';

describe('processLedger', function () {
  this.timeout(20_000);
  let directory: string;
  let lines: string[];
  let ledger: ProcessLedger;
  const groups: number[] = [];

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'parley-ledger-')), 'processes');
    const { log, lines: logged } = listLog();
    lines = logged;
    ledger = new ProcessLedger(directory, log, 300);
  });

  afterEach(async () => {
    for (const pid of groups.splice(0)) {
      signalGroup(pid, 'SIGKILL');
    }
    await rm(join(directory, '..'), { recursive: true });
  });

  async function start(): Promise<{
    readonly child: ChildProcess;
    readonly pid: number;
    readonly startTime: string;
  }> {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      detached: true,
      stdio: 'ignore',
    });
    await once(child, 'spawn');
    assert.ok(child.pid !== undefined);
    groups.push(child.pid);
    const startTime = await processStartTime(child.pid);
    assert.ok(startTime !== undefined);
    return { child, pid: child.pid, startTime };
  }

  /** The ledger of a host that has ended. */
  async function leave(processes: readonly { pid: number; startTime: string }[]): Promise<void> {
    const host = await start();
    host.child.kill('SIGKILL');
    await once(host.child, 'exit');
    await mkdir(directory, { recursive: true });
    const entries = processes.map(({ pid, startTime }) => ({ pid, startTime, command: 'agent' }));
    await writeFile(
      join(directory, 'agents-1-gone.json'),
      formatLedger({ host: { pid: host.pid, startTime: host.startTime }, processes: entries }),
    );
  }

  /** Runs a host whose agent prints a line when it is up; kills the host, and only that. */
  async function killedHost(agentScript: string): Promise<number> {
    const script = join(__dirname, 'hostUntilKilled.ts');
    const host = spawn(process.execPath, ['--import=tsx', script, directory, agentScript], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [data] = (await once(host.stdout, 'data')) as [Buffer];
    const agent = Number(data.toString());
    groups.push(agent);
    host.kill('SIGKILL');
    await once(host, 'exit');
    assert.equal(host.signalCode, 'SIGKILL');
    assert.ok(isGroupAlive(agent));
    return agent;
  }

  it('ends the agent of a host that was killed', async () => {
    const agent = await killedHost(`setInterval(() => {}, 1000); console.log('up')`);
    assert.equal(await ledger.sweep(), 1);
    assert.ok(!isGroupAlive(agent));
    assert.deepEqual(await readdir(directory), []);
    assert.match(lines.join('\n'), new RegExp(`^info Ending process ${agent} \\(agent\\)`));
  });

  it('ends an agent and its child that ignore TERM', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
    const agent = await killedHost(
      `${stubborn} require('node:child_process').spawn(process.execPath,
        ['-e', ${JSON.stringify(`${stubborn} console.log('up')`)}], { stdio: ['ignore', 'inherit', 'ignore'] })`,
    );
    assert.equal(await ledger.sweep(), 1);
    assert.ok(!isGroupAlive(agent));
  });

  it('never touches a process with another start time', async () => {
    const stranger = await start();
    await leave([{ pid: stranger.pid, startTime: `${stranger.startTime}0` }]);
    assert.equal(await ledger.sweep(), 0);
    assert.ok(isGroupAlive(stranger.pid));
    assert.equal(stranger.child.signalCode, null);
    assert.deepEqual(await readdir(directory), []);
  });

  it('never touches the agents of a host that lives', async () => {
    const agent = await start();
    const other = new ProcessLedger(directory, listLog().log);
    await other.add(agent.pid, 'agent');
    assert.equal(await ledger.sweep(), 0);
    assert.ok(isGroupAlive(agent.pid));
    assert.equal((await readdir(directory)).length, 1);
  });

  it('takes a host for gone when another process has its id', async () => {
    const agent = await start();
    await mkdir(directory);
    await writeFile(
      join(directory, 'agents-2-reused.json'),
      formatLedger({
        host: { pid: process.pid, startTime: 'another' },
        processes: [{ pid: agent.pid, startTime: agent.startTime, command: 'agent' }],
      }),
    );
    assert.equal(await ledger.sweep(), 1);
    assert.equal(agent.child.signalCode ?? (await once(agent.child, 'exit'))[1], 'SIGTERM');
  });

  it('has written a process when `add` returns, and forgets it when it has ended', async () => {
    const [first, second] = [await start(), await start()];
    void ledger.add(first.pid, 'one');
    void ledger.add(second.pid, 'two');
    const [name = ''] = await readdir(directory);
    const content = parseLedger(await readFile(join(directory, name), 'utf8'));
    assert.deepEqual(content, {
      host: { pid: process.pid, startTime: await processStartTime(process.pid) },
      processes: [
        { pid: first.pid, startTime: first.startTime, command: 'one' },
        { pid: second.pid, startTime: second.startTime, command: 'two' },
      ],
    });
    ledger.remove(first.pid);
    ledger.remove(second.pid);
    assert.deepEqual(await readdir(directory), []);
  });

  it('does not mind a missing directory, junk, and files of others', async () => {
    assert.equal(await ledger.sweep(), 0);
    await mkdir(directory);
    await writeFile(join(directory, 'agents-3-x.json'), '{"host"');
    await writeFile(join(directory, 'other.json'), '{}');
    assert.equal(await ledger.sweep(), 0);
    assert.deepEqual(await readdir(directory), ['other.json']);
    assert.equal(lines.length, 1);
  });

  for (const pid of [0, 1, -1, 1.5, '7']) {
    it(`does not take ${JSON.stringify(pid)} for the id of a process`, () => {
      const processes = [{ pid, startTime: 'x', command: '' }];
      const text = JSON.stringify({ version: 1, host: { pid: 9, startTime: 'y' }, processes });
      assert.deepEqual(parseLedger(text)?.processes, []);
    });
  }
});
