import type { FolderState, RunningTurn } from './folderState';
import type { Author } from './model';

/** Which agents work in one folder, and so whose a change is that nobody saw being made. */
export class AgentTurns {
  private heard = 0;

  constructor(private readonly running: FolderState['running']) {}

  get isAnyRunning(): boolean {
    return this.running.size > 0;
  }

  /** Of several agents, the one that was heard of last; the user while all of them wait for an answer. */
  get author(): Author {
    const [first] = [...this.running]
      .filter(([, { isWaiting }]) => !isWaiting)
      .sort(([, one], [, other]) => other.heard - one.heard);
    return first === undefined
      ? { kind: 'user' }
      : { kind: 'agent', sessionId: first[0], turnId: first[1].turnId };
  }

  start(sessionId: string, turnId: number): void {
    this.running.set(sessionId, { turnId, isWaiting: false, heard: ++this.heard });
  }

  end(sessionId: string, turnId: number): void {
    if (this.running.get(sessionId)?.turnId === turnId) {
      this.running.delete(sessionId);
    }
  }

  hear(sessionId: string): void {
    this.update(sessionId, (turn) => ({ ...turn, heard: ++this.heard }));
  }

  setWaiting(sessionId: string, isWaiting: boolean): void {
    this.update(sessionId, (turn) => ({ ...turn, isWaiting }));
  }

  turnOf(sessionId: string): number | undefined {
    return this.running.get(sessionId)?.turnId;
  }

  private update(sessionId: string, change: (turn: RunningTurn) => RunningTurn): void {
    const turn = this.running.get(sessionId);
    if (turn !== undefined) {
      this.running.set(sessionId, change(turn));
    }
  }
}
