import { AgentPool, type AgentDefinition } from '../agents/agentPool';
import type { SessionRecord } from './sessionRecord';

/** The record of a session that its agent has yet to open. */
export function newRecord(
  request: { readonly folder: string },
  definition: AgentDefinition,
  now: number,
): SessionRecord {
  return {
    sessionId: '',
    agentSessionId: '',
    agentId: definition.id,
    agentName: definition.name,
    agentKey: AgentPool.key(definition.id, request.folder),
    workdir: request.folder,
    status: 'active',
    turnCount: 0,
    createdAt: now,
    lastActiveAt: now,
  };
}

/** No agent survives a reload. */
export function asFoundAfterReload(record: SessionRecord): SessionRecord {
  return record.status === 'active' || record.status === 'idle'
    ? { ...record, status: 'disconnected' }
    : record;
}

/** Where the agent's process runs; a session's own folder may be one below. */
export function folderOf({ agentId, agentKey }: Pick<SessionRecord, 'agentId' | 'agentKey'>): string {
  return agentKey.slice(agentId.length + 1);
}
