import { asError, ParleyError } from '../base/errors';
import { withinLimit } from '../base/withinLimit';
import type { Logger } from '../base/log';
import type { Session } from './session';

/** What is waited for around the work of an agent, by whoever has to see the files in between. */
export interface SessionHooks {
  /** Before the prompt is sent. */
  beforeTurn(session: Session, turnId: number): Promise<void>;
  /** After the agent's last word. Gives the number of files that are different, when it is known. */
  afterTurn(session: Session, turnId: number): Promise<number | undefined>;
  /** Before the agent gets the answer to a question. */
  beforeAnswer(session: Session): Promise<void>;
  deleted(sessionId: string): void;
}

const HOOK_LIMIT_MS = 15_000;

/** Calls hooks such that one that fails or hangs costs what it was for, and never a prompt. */
export class GuardedHooks {
  private readonly ended = new WeakMap<object, Promise<number | undefined>>();

  constructor(
    private readonly hooks: SessionHooks | undefined,
    private readonly log: Logger,
    private readonly limitMs = HOOK_LIMIT_MS,
  ) {}

  async beforeTurn(session: Session, turnId: number): Promise<void> {
    await this.guard('before a turn', this.hooks?.beforeTurn(session, turnId));
  }

  /** However often a turn is said to have ended, the hook runs once. */
  afterTurn(session: Session, turn: { readonly id: number }): Promise<number | undefined> {
    const known = this.ended.get(turn);
    if (known !== undefined) {
      return known;
    }
    const end = this.guard('after a turn', this.hooks?.afterTurn(session, turn.id));
    this.ended.set(turn, end);
    return end;
  }

  async beforeAnswer(session: Session): Promise<void> {
    await this.guard('before an answer', this.hooks?.beforeAnswer(session));
  }

  private async guard<T>(when: string, work: Promise<T> | undefined): Promise<T | undefined> {
    if (work === undefined) {
      return undefined;
    }
    try {
      return await withinLimit(
        work,
        this.limitMs,
        () => new ParleyError('agentTimeout', `not done after ${this.limitMs / 1000} s`),
      );
    } catch (error) {
      this.log.warn(`Files could not be looked at ${when}: ${asError(error).message}`);
      return undefined;
    }
  }
}
