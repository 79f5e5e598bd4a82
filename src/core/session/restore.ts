import { setTimeout as delay } from 'node:timers/promises';
import type { AgentConnection } from '../agent/agentConnection';
import type { OpenedSession } from '../agent/agentSession';
import { ParleyError } from '../base/errors';
import type { Session } from './session';

/** How long to wait for a replay that is not whole when the agent says it is done (real-agents: Gemini). */
const LATE_REPLAY_MS = 5000;
const QUIET_MS = 300;

/**
 * Brings a session back with the best means the agent has: its own history, else our transcript with the agent's
 * memory. Throws `sessionNotFound` when it has neither; then our transcript is all there is.
 */
export async function restoreSession(session: Session, connection: AgentConnection): Promise<void> {
  const { capabilities } = connection.info;
  const { agentSessionId, agentName } = session.record;
  if (capabilities.load) {
    session.attach(connection, await load(session, connection));
    return;
  }
  if (capabilities.resume) {
    session.attach(connection, await connection.resumeSession(agentSessionId, session));
    return;
  }
  const reason = `${agentName} cannot bring sessions back.`;
  session.markReadOnly(reason);
  throw new ParleyError(
    'sessionNotFound',
    `${reason} The transcript stays readable; continue in a new session.`,
  );
}

/** The history is shown at once when it is whole; if it never comes, what we have stored stays. */
async function load(session: Session, connection: AgentConnection): Promise<OpenedSession> {
  session.beginReplay();
  try {
    const opened = await connection.loadSession(session.record.agentSessionId, session);
    if (session.replayedPrompts < session.record.turnCount) {
      await lateReplay(session);
    }
    session.endReplay(session.replayedEntries > 0 ? 'keep' : 'discard');
    return opened;
  } catch (error) {
    session.endReplay('discard');
    throw error;
  }
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
