import { setTimeout as delay } from 'node:timers/promises';
import type { AgentConnection } from '../agent/agentConnection';
import type { OpenedSession } from '../agent/agentSession';
import { promptCount } from '../../shared/transcript/select';
import { ParleyError } from '../base/errors';
import { tellsNothingNew } from './replayedHistory';
import type { Session } from './session';

/** How long to wait for a replay that is not whole when the agent says it is done (real-agents: Gemini). */
const LATE_REPLAY_MS = 5000;
const QUIET_MS = 300;
const NOT_FOUND = -32002;
const STILL_READABLE = 'Its transcript stays readable, and you can continue in a new session.';

/**
 * Brings a session back with the best means the agent has: our transcript with the agent's memory, else the agent's
 * own history. Throws `sessionNotFound` when the agent knows it no more or has neither; then our transcript is all
 * there is.
 */
export async function restoreSession(session: Session, connection: AgentConnection): Promise<void> {
  const { capabilities } = connection.info;
  const { agentName } = session.record;
  if (!capabilities.load && !capabilities.resume) {
    const reason = `${agentName} cannot bring sessions back.`;
    session.markReadOnly('disconnected', reason);
    throw new ParleyError('sessionNotFound', reason, { detail: STILL_READABLE });
  }
  try {
    session.attach(connection, await reopen(session, connection));
  } catch (error) {
    if (ParleyError.is(error) && error.rpcCode === NOT_FOUND) {
      session.markReadOnly('error', error.message);
      throw new ParleyError('sessionNotFound', error.message, { cause: error, detail: STILL_READABLE });
    }
    throw error;
  }
}

/** Our transcript knows more than any history; without one, or when resuming fails, the history is better than none. */
async function reopen(session: Session, connection: AgentConnection): Promise<OpenedSession> {
  const { capabilities } = connection.info;
  if (!capabilities.load) {
    return resume(session, connection);
  }
  if (!capabilities.resume || session.transcript.entries.length === 0) {
    return load(session, connection);
  }
  try {
    return await resume(session, connection);
  } catch (error) {
    if (ParleyError.is(error, 'requestFailed')) {
      return load(session, connection);
    }
    throw error;
  }
}

function resume(session: Session, connection: AgentConnection): Promise<OpenedSession> {
  return takingHistory(session, () => connection.resumeSession(session.record.agentSessionId, session));
}

function load(session: Session, connection: AgentConnection): Promise<OpenedSession> {
  const stored = promptCount(session.transcript);
  return takingHistory(session, async () => {
    const opened = await connection.loadSession(session.record.agentSessionId, session);
    if (promptCount(session.replayed) < stored) {
      await lateReplay(session);
    }
    return opened;
  });
}

/** The history is shown at once when it is whole, and never when the session does not come back after all. */
async function takingHistory(session: Session, open: () => Promise<OpenedSession>): Promise<OpenedSession> {
  session.beginReplay();
  try {
    const opened = await open();
    session.endReplay(isWorthTaking(session) ? 'take' : 'keepOurs');
    return opened;
  } catch (error) {
    session.endReplay('forget');
    throw error;
  }
}

/** A greeting is not the history: with less than half of what we have, what we have stays. */
function isWorthTaking({ transcript: ours, replayed }: Session): boolean {
  const isHistory =
    promptCount(replayed) >= promptCount(ours) || replayed.entries.length * 2 >= ours.entries.length;
  return isHistory && !tellsNothingNew(ours, replayed);
}

async function lateReplay(session: Session): Promise<void> {
  const end = performance.now() + LATE_REPLAY_MS;
  let seen = session.replayedEvents;
  let quietSince = performance.now();
  while (performance.now() < end && performance.now() - quietSince < QUIET_MS) {
    await delay(20);
    if (session.replayedEvents !== seen) {
      seen = session.replayedEvents;
      quietSince = performance.now();
    }
  }
}
