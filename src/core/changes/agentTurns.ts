import type { FolderState, RunningTurn } from './folderState';
import type { Author } from './model';

/** Agents say a little late that they begin, and what they started may still write when they say that it is done. */
const BEFORE_MS = 1000;
const AFTER_MS = 3000;

/** Whose a change is that nobody saw being made, by the time of it; without a time, as if it were made at work. */
export type Judge = (changedAt: number | undefined) => Author;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** When the agent of a turn did something that can write, as far as it says so. */
interface Work {
  readonly startedAt: number;
  readonly spans: Span[];
  readonly open: Map<string, number>;
  readonly ended: Set<string>;
}

/** Which agents work in one folder, and so whose a change is that nobody saw being made. */
export class AgentTurns {
  private heard = 0;
  private readonly work = new Map<string, Work>();

  constructor(
    private readonly running: FolderState['running'],
    private readonly now: () => number,
  ) {}

  get isAnyRunning(): boolean {
    return this.running.size > 0;
  }

  /**
   * As things are now, also for a look that comes later. An agent that waits for an answer does nothing. One that has
   * told of its tool calls did nothing outside of them: that was the user with some other tool. Of one that tells
   * nothing, everything counts as its own.
   */
  judge(): Judge {
    const turns = [...this.running]
      .filter(([, { isWaiting }]) => !isWaiting)
      .sort(([, one], [, other]) => other.heard - one.heard)
      .map(([sessionId, { turnId }]) => ({ sessionId, turnId, work: this.work.get(sessionId) }));
    return (changedAt) => {
      const author =
        turns.find(({ work }) => isTold(work) && isAtWork(work, changedAt)) ??
        turns.find(({ work }) => !isTold(work));
      return author === undefined
        ? { kind: 'user' }
        : { kind: 'agent', sessionId: author.sessionId, turnId: author.turnId };
    };
  }

  start(sessionId: string, turnId: number): void {
    this.running.set(sessionId, { turnId, isWaiting: false, heard: ++this.heard });
    this.work.set(sessionId, { startedAt: this.now(), spans: [], open: new Map(), ended: new Set() });
  }

  end(sessionId: string, turnId: number): void {
    if (this.running.get(sessionId)?.turnId === turnId) {
      this.running.delete(sessionId);
      this.work.delete(sessionId);
    }
  }

  workStarted(sessionId: string, key: string): void {
    this.hear(sessionId);
    const work = this.work.get(sessionId);
    if (work?.open.has(key) === false) {
      work.open.set(key, this.now());
      work.ended.delete(key);
    }
  }

  /** What was not known to have started may have done so at any time since the last that was known. */
  workEnded(sessionId: string, key: string): void {
    this.hear(sessionId);
    const work = this.work.get(sessionId);
    // More may be told of it after its end.
    if (work?.ended.has(key) === false) {
      const from = work.open.get(key) ?? work.spans.at(-1)?.to ?? work.startedAt;
      work.open.delete(key);
      work.ended.add(key);
      work.spans.push({ from, to: this.now() });
    }
  }

  setWaiting(sessionId: string, isWaiting: boolean): void {
    this.update(sessionId, (turn) => ({ ...turn, isWaiting }));
  }

  turnOf(sessionId: string): number | undefined {
    return this.running.get(sessionId)?.turnId;
  }

  private hear(sessionId: string): void {
    this.update(sessionId, (turn) => ({ ...turn, heard: ++this.heard }));
  }

  private update(sessionId: string, change: (turn: RunningTurn) => RunningTurn): void {
    const turn = this.running.get(sessionId);
    if (turn !== undefined) {
      this.running.set(sessionId, change(turn));
    }
  }
}

function isTold(work: Work | undefined): work is Work {
  return work !== undefined && work.spans.length + work.open.size > 0;
}

function isAtWork({ spans, open }: Work, time: number | undefined): boolean {
  return (
    time === undefined ||
    [...open.values()].some((from) => time >= from - BEFORE_MS) ||
    spans.some(({ from, to }) => time >= from - BEFORE_MS && time <= to + AFTER_MS)
  );
}
