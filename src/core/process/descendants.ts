import { readChildren, readProcStat } from './linuxProc';

/**
 * What a process has started, whichever groups and sessions it is in. To be collected before any of it ends: then
 * nobody tells any more whose children the others were. Where there is no /proc, it stays empty.
 */
export class Descendants {
  /** With their start times: an id may be given to a stranger later. */
  private readonly known = new Map<number, string>();

  collect(ancestor: number | undefined): void {
    const children = readChildren();
    const waiting = [...this.living(), ...(ancestor === undefined ? [] : [ancestor])];
    for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
      for (const child of children.get(pid) ?? []) {
        const stat = this.known.has(child) ? undefined : readProcStat(child);
        if (stat !== undefined) {
          this.known.set(child, stat.startTicks);
          waiting.push(child);
        }
      }
    }
  }

  living(): readonly number[] {
    return [...this.known].flatMap(([pid, start]) => (readProcStat(pid)?.startTicks === start ? [pid] : []));
  }

  /** But for a group that is signalled by itself: many programs take a second signal for impatience. */
  signal(name: NodeJS.Signals, exceptGroup: number): void {
    for (const pid of this.living().filter((each) => readProcStat(each)?.group !== exceptGroup)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has just ended.
      }
    }
  }
}
