import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { ProcessLedger } from '../../../src/core/process/processLedger';
import { listLog } from './listLog';

/** An extension host that starts an agent, which ignores the end of its input, and is then killed. */
const [directory = '', agentScript = ''] = process.argv.slice(2);
const agent = spawn(process.execPath, ['-e', agentScript], {
  detached: true,
  stdio: ['ignore', 'pipe', 'ignore'],
});
if (agent.pid !== undefined) {
  void new ProcessLedger(directory, listLog().log).add(agent.pid, 'agent');
}
agent.stdout.once('data', () => writeSync(1, `${agent.pid ?? 0}\n`));
