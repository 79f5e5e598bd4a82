import { readFileSync, readdirSync } from 'node:fs';

export interface ProcStat {
  readonly parent: number;
  readonly group: number;
  /** Since boot, in clock ticks. */
  readonly startTicks: string;
}

/** What Linux's /proc says of a living process; undefined when there is none, or only a zombie. */
export function readProcStat(pid: number): ProcStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is the name in parentheses and may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const startTicks = fields[19];
  if (state === undefined || state === 'Z' || state === 'X' || startTicks === undefined) {
    return undefined;
  }
  return { parent: Number(parent), group: Number(group), startTicks };
}

/** Whether a living process is in the group; undefined where /proc cannot tell. */
export function hasLivingMember(group: number): boolean | undefined {
  return processIds()?.some((pid) => readProcStat(pid)?.group === group);
}

/** The ids of all living processes by that of their parent; empty where there is no /proc. */
export function readChildren(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const pid of processIds() ?? []) {
    const parent = readProcStat(pid)?.parent;
    if (parent !== undefined) {
      children.set(parent, [...(children.get(parent) ?? []), pid]);
    }
  }
  return children;
}

function processIds(): readonly number[] | undefined {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return undefined;
  }
}
