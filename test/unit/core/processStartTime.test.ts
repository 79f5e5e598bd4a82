import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processStartTime, processStartTimeSync } from '../../../src/core/process/processStartTime';

describe('processStartTime', () => {
  it('is the same each time for a living process, and differs between processes', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
    assert.ok(child.pid !== undefined);
    const first = await processStartTime(child.pid);
    assert.ok(first !== undefined && first !== '');
    assert.equal(await processStartTime(child.pid), first);
    assert.equal(processStartTimeSync(child.pid), first);
    assert.notEqual(await processStartTime(process.pid), first);
    child.stdin.end();
    await once(child, 'exit');
    assert.equal(await processStartTime(child.pid), undefined);
  });

  it('is undefined for a process that is not there', async () => {
    assert.equal(await processStartTime(2 ** 30), undefined);
  });
});
