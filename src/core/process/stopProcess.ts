import type { ChildProcess } from 'node:child_process';
import { Descendants } from './descendants';
import { becomesTrue, isGroupAlive, isProcessAlive, killWindowsTree, signalGroup } from './processGroup';

const GRACE_MS = 2000;
const KILLED_MS = 1000;

export interface StopOptions {
  /** Between the end of its input and TERM. */
  readonly inputGraceMs?: number;
  /** Between TERM and KILL. */
  readonly termGraceMs?: number;
}

const stopping = new WeakMap<ChildProcess, Promise<void>>();

/**
 * Ends an agent and everything it started: closes stdin (ACP agents exit on end of input), then terminates,
 * then kills. Never rejects; a second call joins the first. The child must have been spawned with `detached`
 * on POSIX, which makes it the leader of its own process group.
 */
export function stopProcess(child: ChildProcess, options: StopOptions = {}): Promise<void> {
  const stopped = stopping.get(child) ?? stop(child, options);
  stopping.set(child, stopped);
  return stopped;
}

async function stop(child: ChildProcess, options: StopOptions): Promise<void> {
  const { pid } = child;
  // A child that could not be started has nothing to end; its 'error' event is for the spawner.
  if (pid === undefined) {
    return;
  }
  const inputGraceMs = options.inputGraceMs ?? GRACE_MS;
  if (process.platform === 'win32') {
    endInput(child);
    if (!(await becomesTrue(() => hasExited(child), inputGraceMs))) {
      await killWindowsTree(pid);
      await becomesTrue(() => hasExited(child), KILLED_MS);
    }
    return;
  }
  const started = new Descendants();
  const collect = (): void => started.collect(hasExited(child) ? undefined : pid);
  const isAllGone = (): boolean => isGone(child, pid) && started.living().length === 0;
  collect();
  endInput(child);
  await becomesTrue(() => hasExited(child), inputGraceMs);
  for (const [name, limitMs] of [
    ['SIGTERM', options.termGraceMs ?? GRACE_MS],
    // Limited: what hangs in the kernel cannot be killed, and nobody is helped by waiting for it.
    ['SIGKILL', KILLED_MS],
  ] as const) {
    if (isAllGone()) {
      return;
    }
    collect();
    signal(child, pid, name);
    started.signal(name, pid);
    await becomesTrue(isAllGone, limitMs);
  }
}

function endInput(child: ChildProcess): void {
  // The pipe may break while the last bytes are written; that it ends is what we want.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end();
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function isGone(child: ChildProcess, pid: number): boolean {
  if (!hasExited(child)) {
    return false;
  }
  // A process that has the id of a child we saw end is a stranger's, and then so is its group.
  return isProcessAlive(pid) || !isGroupAlive(pid);
}

function signal(child: ChildProcess, pid: number, name: NodeJS.Signals): void {
  // Without a group of its own, at least the child itself is ended.
  if (!signalGroup(pid, name) && !hasExited(child)) {
    child.kill(name);
  }
}
