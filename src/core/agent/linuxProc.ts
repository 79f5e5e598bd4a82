import { readFileSync, readdirSync } from 'node:fs';

export interface ProcStat {
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
  const [state, , group] = fields;
  const startTicks = fields[19];
  if (state === undefined || state === 'Z' || state === 'X' || startTicks === undefined) {
    return undefined;
  }
  return { group: Number(group), startTicks };
}

/** Whether a living process is in the group; undefined where /proc cannot tell. */
export function hasLivingMember(group: number): boolean | undefined {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return undefined;
  }
  return names.some((name) => /^\d+$/.test(name) && readProcStat(Number(name))?.group === group);
}
