import type { AgentConnection } from '../agent/agentConnection';
import { ParleyError } from '../base/errors';
import type { Logger } from '../base/log';
import type { Session } from './session';

/** Brings a session back with the best means the agent has: its own history, or ours with the agent's memory. */
export async function restoreSession(
  session: Session,
  connection: AgentConnection,
  log: Logger,
): Promise<void> {
  const { capabilities } = connection.info;
  const { agentSessionId, agentName } = session.record;
  if (capabilities.load) {
    session.beginReplay();
    try {
      const opened = await connection.loadSession(agentSessionId, session);
      session.endReplay(session.replayedEntries > 0 ? 'keep' : 'discard');
      session.attach(connection, opened);
    } catch (error) {
      session.endReplay('discard');
      throw error;
    }
    return;
  }
  if (capabilities.resume) {
    session.attach(connection, await connection.resumeSession(agentSessionId, session));
    return;
  }
  log.info(`${agentName} cannot load or resume sessions`);
  throw new ParleyError(
    'sessionNotFound',
    `${agentName} cannot bring this session back. Its transcript stays readable.`,
  );
}
