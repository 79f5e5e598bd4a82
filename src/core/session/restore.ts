import { setTimeout as delay } from 'node:timers/promises';
import type { AgentConnection } from '../agent/agentConnection';
import type { OpenedSession } from '../agent/agentSession';
import { promptCount } from '../../shared/transcript/select';
import { ParleyError } from '../base/errors';
import type { Session } from './session';

/** How long to wait for a replay that is not whole when the agent says it is done (real-agents: Gemini). */
const LATE_REPLAY_MS = 5000;
const QUIET_MS = 300;
const NOT_FOUND = -32002;
const STILL_READABLE = 'Its transcript stays readable, and you can continue in a new session.';

/**
 * Brings a session back with the best means the agent has: its own history, else our transcript with the agent's
 * memory. Throws `sessionNotFound` when the agent knows it no more or has neither; then our transcript is all there is.
 */
export async function restoreSession(session: Session, connection: AgentConnection): Promise<void> {
  const { capabilities } = connection.info;
  const { agentSessionId, agentName } = session.record;
  if (!capabilities.load && !capabilities.resume) {
    const reason = `${agentName} cannot bring sessions back.`;
    session.markReadOnly('disconnected', reason);
    throw new ParleyError('sessionNotFound', reason, { detail: STILL_READABLE });
  }
  try {
    session.attach(
      connection,
      capabilities.load
        ? await load(session, connection)
        : await connection.resumeSession(agentSessionId, session),
    );
  } catch (error) {
    if (ParleyError.is(error) && error.rpcCode === NOT_FOUND) {
      session.markReadOnly('error', error.message);
      throw new ParleyError('sessionNotFound', error.message, { cause: error, detail: STILL_READABLE });
    }
    throw error;
  }
}

/**
 * The history is shown at once when it is whole.
 */
async function load(session: Session, connection: AgentConnection): Promise<OpenedSession> {
  const stored = promptCount(session.transcript);
  session.beginReplay();
  try {
    const opened = await connection.loadSession(session.record.agentSessionId, session);
    if (session.replayedPrompts < stored) {
      await lateReplay(session);
    }
    session.endReplay(isHistory(session, stored) ? 'keep' : 'discard');
    return opened;
  } catch (error) {
    session.endReplay('discard');
    throw error;
  }
}

/** A greeting is not the history: with less than half of what we have, what we have stays. */
function isHistory(session: Session, storedPrompts: number): boolean {
  const { replayedEntries } = session;
  const hasMost = replayedEntries * 2 >= session.transcript.entries.length;
  return replayedEntries > 0 && (session.replayedPrompts >= storedPrompts || hasMost);
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
