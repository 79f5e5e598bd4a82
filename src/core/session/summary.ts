import type { SessionSummary } from '../../shared/protocol';
import type { AgentCapabilities } from '../agent/agentInfo';
import type { SessionRecord } from './sessionRecord';
import { titleOf } from './titles';

/** What views show of a session. Without an agent, nothing is known of what it takes. */
export function summarize(
  record: SessionRecord,
  isReadOnly: boolean,
  capabilities: AgentCapabilities | undefined,
): SessionSummary {
  return {
    sessionId: record.sessionId,
    title: titleOf(record),
    agentId: record.agentId,
    agentName: record.agentName,
    status: record.status,
    statusReason: record.statusReason,
    workdir: record.workdir,
    isReadOnly,
    canSteer: capabilities?.steering ?? false,
    lastActiveAt: record.lastActiveAt,
    accepts: {
      image: capabilities?.image ?? false,
      audio: capabilities?.audio ?? false,
      embeddedContext: capabilities?.embeddedContext ?? false,
    },
  };
}
