import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { hasLivingMember } from './linuxProc';

const POLL_MS = 20;

/** True while a process with that id, or one that only another user may signal, is there. */
export function isProcessAlive(pid: number): boolean {
  return canSignal(pid);
}

/**
 * True while anything is left of the POSIX process group that `pid` led. An id is not given away while a
 * group carries it, so a group whose leader has ended is still the one that was started.
 */
export function isGroupAlive(pid: number): boolean {
  if (!canSignal(-pid)) {
    return false;
  }
  // The dead that nobody has reaped yet can still be signalled; in containers they may stay for long.
  return process.platform !== 'linux' || (hasLivingMember(pid) ?? true);
}

/** False when there was nothing to signal. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Windows has no groups to signal: ends the process and what descends from it. */
export function killWindowsTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/T', '/F', '/PID', String(pid)], { windowsHide: true }, () => resolve());
  });
}

/** Waits for a condition; gives up, with false, after `limitMs`. */
export async function becomesTrue(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() >= end) {
      return false;
    }
    await delay(POLL_MS);
  }
  return true;
}

function canSignal(target: number): boolean {
  try {
    process.kill(target, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
