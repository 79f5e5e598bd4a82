import type { AgentConnection } from '../agent/agentConnection';
import type { ListedSession } from '../agent/agentSession';

const MAX_LISTED = 500;

/** What agents said of the sessions they have, ours and others. */
export class ForeignSessions {
  private readonly listed = new Map<string, readonly ListedSession[]>();

  /** Those that `isOurs` does not know. */
  of(agentKey: string, isOurs: (agentSessionId: string) => boolean): readonly ListedSession[] {
    return (this.listed.get(agentKey) ?? []).filter(({ agentSessionId }) => !isOurs(agentSessionId));
  }

  async refresh(agentKey: string, workdir: string, connection: AgentConnection): Promise<void> {
    const found: ListedSession[] = [];
    for await (const session of connection.listSessions(workdir)) {
      found.push(session);
      if (found.length >= MAX_LISTED) {
        break;
      }
    }
    this.listed.set(agentKey, found);
  }
}
