import { asBoolean, asNumber, asObject, asOneOf, asString } from '../../shared/json';

export type SessionStatus = 'active' | 'idle' | 'disconnected' | 'error' | 'closed';

/** What is known of a session besides its transcript. Times are milliseconds since 1970. */
export interface SessionRecord {
  readonly sessionId: string;
  /** The agent's own id; agents may give equal ones, ours never are. */
  readonly agentSessionId: string;
  readonly agentId: string;
  readonly agentName: string;
  /** `name@folder`: which process serves it. */
  readonly agentKey: string;
  readonly workdir: string;
  readonly status: SessionStatus;
  readonly statusReason?: string;
  readonly closeReason?: string;
  readonly turnCount: number;
  readonly createdAt: number;
  readonly lastActiveAt: number;
  readonly modelId?: string;
  readonly modeId?: string;
  readonly title?: string;
  /** The user named it: the agent's titles no longer count. */
  readonly hasCustomTitle?: boolean;
  readonly summary?: string;
  /** The session whose conversation goes along with the first prompt, until it was sent. */
  readonly continues?: string;
}

const statuses: readonly SessionStatus[] = ['active', 'idle', 'disconnected', 'error', 'closed'];

/**
 * Undefined when something is missing that a session cannot be without. By hand, because this is read on
 * activation, where a schema library would cost more than everything else.
 */
export function readSessionRecord(value: unknown): SessionRecord | undefined {
  const stored = asObject(value);
  const sessionId = asString(stored.sessionId);
  const agentSessionId = asString(stored.agentSessionId);
  const agentId = asString(stored.agentId);
  const agentName = asString(stored.agentName);
  const agentKey = asString(stored.agentKey);
  const workdir = asString(stored.workdir);
  const status = asOneOf(stored.status, statuses);
  const createdAt = asNumber(stored.createdAt);
  if (
    sessionId === undefined ||
    sessionId === '' ||
    agentSessionId === undefined ||
    agentId === undefined ||
    agentName === undefined ||
    agentKey === undefined ||
    workdir === undefined ||
    status === undefined ||
    createdAt === undefined
  ) {
    return undefined;
  }
  return withoutAbsent({
    sessionId,
    agentSessionId,
    agentId,
    agentName,
    agentKey,
    workdir,
    status,
    statusReason: asString(stored.statusReason),
    closeReason: asString(stored.closeReason),
    turnCount: asNumber(stored.turnCount) ?? 0,
    createdAt,
    lastActiveAt: asNumber(stored.lastActiveAt) ?? createdAt,
    modelId: asString(stored.modelId),
    modeId: asString(stored.modeId),
    title: asString(stored.title),
    hasCustomTitle: asBoolean(stored.hasCustomTitle),
    summary: asString(stored.summary),
    continues: asString(stored.continues),
  });
}

/** So that a record reads back equal to what was written. */
function withoutAbsent(record: SessionRecord): SessionRecord {
  const present = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as SessionRecord;
}
