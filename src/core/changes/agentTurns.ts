import { isInside } from '../files/pathRules';
import type { FolderState, RunningTurn } from './folderState';
import type { AgentWork, Author } from './model';

/** Agents say a little late that they begin, and what they started may still write when they say that it is done. */
const BEFORE_MS = 1000;
const AFTER_MS = 3000;

/**
 * Whose a change is that nobody saw being made, by its place and time; without a time, as if it were made at work.
 */
export type Judge = (path: string, changedAt: number | undefined) => Author;

/** Something that an agent has told of. */
interface Call {
  readonly key: string;
  readonly from: number;
  /** Undefined while it goes on. */
  to: number | undefined;
  paths: AgentWork['paths'];
}

/** What the agent of a turn does, as far as it says so. */
interface Work {
  readonly startedAt: number;
  readonly calls: Call[];
  /** It has told of a call only at the end of it, and may do so again. */
  isLate: boolean;
}

interface KnownTurn {
  readonly sessionId: string;
  readonly turnId: number;
  readonly tells: boolean;
  /** Undefined after a restart. */
  readonly work: Work | undefined;
  readonly until: number;
}

/** Which agents work in one folder, and so whose a change is that nobody saw being made. */
export class AgentTurns {
  private heard = 0;
  private readonly work = new Map<string, Work>();
  /** Turns that have ended before anybody could look at what they did. */
  private unseen: readonly KnownTurn[] = [];

  constructor(
    private readonly running: FolderState['running'],
    private readonly now: () => number,
  ) {}

  get isAnyRunning(): boolean {
    return this.running.size > 0;
  }

  /** Agents are in a turn, and known to change nothing at this moment. */
  get isQuiet(): boolean {
    return (
      this.isAnyRunning &&
      [...this.running].every(
        ([sessionId, { isWaiting, tells }]) =>
          isWaiting || (tells && isBetweenCalls(this.work.get(sessionId))),
      )
    );
  }

  /**
   * As things are now, also for a look that comes later. An agent that waits for an answer does nothing. One that
   * tells of its tool calls does nothing outside of them, and in one that reads neither: that was the user with some
   * other tool. Of one that never tells, everything counts as its own.
   */
  judge(): Judge {
    const running = [...this.running]
      .filter(([, { isWaiting }]) => !isWaiting)
      .sort(([, one], [, other]) => other.heard - one.heard)
      .map(([sessionId, turn]) => this.known(sessionId, turn, Infinity));
    const turns = [...running, ...this.unseen];
    return (path, changedAt) => {
      const author =
        turns.find(({ tells, work }) => tells && isAtWork(work, path, changedAt)) ??
        turns.find((turn) => !turn.tells && isDuring(turn, changedAt));
      return author === undefined
        ? { kind: 'user' }
        : { kind: 'agent', sessionId: author.sessionId, turnId: author.turnId };
    };
  }

  start(sessionId: string, turnId: number, tells: boolean): void {
    this.running.set(sessionId, { turnId, isWaiting: false, heard: ++this.heard, tells });
    this.work.set(sessionId, { startedAt: this.now(), calls: [], isLate: false });
  }

  end(sessionId: string, turnId: number, isSeen: boolean): void {
    const turn = this.running.get(sessionId);
    if (turn?.turnId === turnId) {
      if (!isSeen) {
        const known = this.known(sessionId, turn, this.now());
        known.work?.calls.forEach((call) => (call.to ??= known.until));
        this.unseen = [...this.unseen, known];
      }
      this.running.delete(sessionId);
      this.work.delete(sessionId);
    }
  }

  /** Somebody has looked. */
  forgetEnded(): void {
    this.unseen = [];
  }

  /** More may be told of it while it goes on. Gives the files that were not named before. */
  workStarted(sessionId: string, { key, paths }: AgentWork): readonly string[] {
    this.hear(sessionId);
    const work = this.work.get(sessionId);
    if (work === undefined) {
      return [];
    }
    const call = callOf(work, key);
    if (call === undefined || call.to !== undefined) {
      work.calls.push({ key, from: this.now(), to: undefined, paths });
      return paths ?? [];
    }
    const known = call.paths ?? [];
    call.paths = paths;
    return (paths ?? []).filter((path) => !known.includes(path));
  }

  /** What was not known to have started is part of what goes on, or may have done so since the last that was known. */
  workEnded(sessionId: string, { key, paths }: AgentWork): void {
    this.hear(sessionId);
    const work = this.work.get(sessionId);
    if (work === undefined) {
      return;
    }
    const call = callOf(work, key);
    if (call === undefined) {
      const open = work.calls.find((other) => other.to === undefined && canChange(other));
      const last = work.calls.findLast((other) => other.to !== undefined && canChange(other));
      const from = open?.from ?? last?.to ?? work.startedAt;
      work.calls.push({ key, from, to: this.now(), paths });
      work.isLate ||= open === undefined;
    } else if (call.to === undefined) {
      call.to = this.now();
      call.paths = paths;
    }
  }

  setWaiting(sessionId: string, isWaiting: boolean): void {
    this.update(sessionId, (turn) => ({ ...turn, isWaiting }));
  }

  turnOf(sessionId: string): number | undefined {
    return this.running.get(sessionId)?.turnId;
  }

  startedAt(sessionId: string): number {
    return this.work.get(sessionId)?.startedAt ?? Infinity;
  }

  private known(sessionId: string, { turnId, tells }: RunningTurn, until: number): KnownTurn {
    return { sessionId, turnId, tells, work: this.work.get(sessionId), until };
  }

  private hear(sessionId: string): void {
    this.update(sessionId, (turn) => ({ ...turn, heard: ++this.heard, tells: true }));
  }

  private update(sessionId: string, change: (turn: RunningTurn) => RunningTurn): void {
    const turn = this.running.get(sessionId);
    if (turn !== undefined) {
      this.running.set(sessionId, change(turn));
    }
  }
}

function isBetweenCalls(work: Work | undefined): boolean {
  return (
    work !== undefined &&
    !work.isLate &&
    work.calls.every((call) => call.to !== undefined || !canChange(call))
  );
}

function callOf({ calls }: Work, key: string): Call | undefined {
  return calls.findLast((call) => call.key === key);
}

function canChange({ paths }: Call): boolean {
  return paths?.length !== 0;
}

function isDuring({ work, until }: KnownTurn, time: number | undefined): boolean {
  return (
    work === undefined ||
    time === undefined ||
    (time >= work.startedAt - BEFORE_MS && time <= until + AFTER_MS)
  );
}

function isAtWork(work: Work | undefined, path: string, time: number | undefined): boolean {
  return (work?.calls ?? []).some(
    ({ from, to, paths }) =>
      (paths === undefined || paths.some((named) => isInside(named, path))) &&
      (time === undefined || (time >= from - BEFORE_MS && time <= (to ?? Infinity) + AFTER_MS)),
  );
}
