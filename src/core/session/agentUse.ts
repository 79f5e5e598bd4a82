import type { AgentPool } from '../agents/agentPool';
import { ParleyError } from '../base/errors';

/** Knows which agents are needed, and ends those that are not. */
export class AgentUse {
  /** How many are opening a session of an agent right now. */
  private readonly users = new Map<string, number>();

  /** Agents kept for a sign-in, with the time they were last wanted. */
  private readonly waiting = new Map<string, number>();

  constructor(
    private readonly pool: AgentPool,
    /** Whether a session of that agent is live. */
    private readonly isServing: (agentKey: string) => boolean,
    private readonly now: () => number,
  ) {}

  /** While the work goes on the agent is needed, though no session of it is live yet. */
  async during<T>(agentKey: string, work: () => Promise<T>): Promise<T> {
    this.count(agentKey, 1);
    let failure: unknown;
    try {
      return await work();
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      this.count(agentKey, -1);
      // An agent that waits for the user to sign in is still wanted.
      if (ParleyError.is(failure, 'authRequired')) {
        this.waiting.set(agentKey, this.now());
      } else {
        await this.stopIfUnused(agentKey);
      }
    }
  }

  async stopIfUnused(agentKey: string): Promise<void> {
    this.waiting.delete(agentKey);
    if (!this.isServing(agentKey) && (this.users.get(agentKey) ?? 0) === 0) {
      await this.pool.stop(agentKey);
    }
  }

  /** Of those that wait for a sign-in, the ones that nobody has wanted since then. */
  async stopAbandoned(since: number): Promise<void> {
    const abandoned = [...this.waiting].filter(([, wantedAt]) => wantedAt <= since);
    await Promise.all(abandoned.map(([agentKey]) => this.stopIfUnused(agentKey)));
  }

  private count(agentKey: string, change: number): void {
    this.users.set(agentKey, (this.users.get(agentKey) ?? 0) + change);
  }
}
