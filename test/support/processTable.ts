import { readdirSync, readFileSync } from 'node:fs';

/**
 * Which processes are alive that have one of these ids or belong to the process group that such a process leads.
 * Zombies are dead. Reads /proc by itself, so that it does not share a mistake with the code under test.
 */
export function livingOf(pids: readonly number[]): readonly number[] {
  const wanted = new Set(pids);
  if (process.platform !== 'linux') {
    return pids.filter((pid) => canSignal(pid) || canSignal(-pid));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const group = livingGroup(pid);
      return group !== undefined && (wanted.has(pid) || wanted.has(group));
    });
}

function livingGroup(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may hold anything: state, parent, group.
    const [, state, group] = /\) (\S) \d+ (\d+) [^)]*$/.exec(stat) ?? [];
    return state === 'Z' || state === 'X' ? undefined : Number(group);
  } catch {
    return undefined;
  }
}

function canSignal(target: number): boolean {
  try {
    process.kill(target, 0);
    return true;
  } catch {
    return false;
  }
}
