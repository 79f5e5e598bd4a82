import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { readProcStat } from './linuxProc';

const run = promisify(execFile);
const LIMIT_MS = 10_000;

/**
 * When a living process was started, in words that are equal only for the same process; undefined when there
 * is no such process or nobody can tell. Ids are given away again, an id with its start time is not.
 */
export async function processStartTime(pid: number): Promise<string | undefined> {
  if (process.platform !== 'win32') {
    return processStartTimeSync(pid);
  }
  const script = `(Get-Process -Id ${pid} -ErrorAction Stop).StartTime.ToFileTimeUtc()`;
  try {
    const { stdout } = await run('powershell', ['-NoProfile', '-NonInteractive', '-Command', script], {
      timeout: LIMIT_MS,
      windowsHide: true,
    });
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    return undefined;
  }
}

/** Undefined on Windows, where the answer takes too long to wait for it. */
export function processStartTimeSync(pid: number): string | undefined {
  switch (process.platform) {
    case 'win32':
      return undefined;
    case 'linux':
      return linuxStartTime(pid);
    default:
      return posixStartTime(pid);
  }
}

/** Ticks count from boot: without the boot's id, a process of last week could look like one of today. */
function linuxStartTime(pid: number): string | undefined {
  const stat = readProcStat(pid);
  if (stat === undefined) {
    return undefined;
  }
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${stat.startTicks}`;
  } catch {
    return undefined;
  }
}

function posixStartTime(pid: number): string | undefined {
  try {
    const printed = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      // The same words wherever the user travels.
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      encoding: 'utf8',
      timeout: LIMIT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const started = printed.trim();
    return started === '' ? undefined : started;
  } catch {
    return undefined;
  }
}
