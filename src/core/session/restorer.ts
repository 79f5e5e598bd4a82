import type { AgentConnection } from '../agent/agentConnection';
import { asError, ParleyError } from '../base/errors';
import type { Logger } from '../base/log';
import { restoreSession } from './restore';
import type { Session } from './session';
import type { TranscriptLog } from './sessions';

export interface RestorerOptions {
  readonly transcripts: TranscriptLog;
  readonly log: Logger;
  /** Does the work with the session's agent, which is started if need be and kept until the work is done. */
  readonly restoring: (
    session: Session,
    work: (connection: AgentConnection) => Promise<void>,
  ) => Promise<void>;
  readonly onDidChange: (session: Session) => void;
}

interface Attempt {
  readonly done: Promise<void>;
  /** The session was closed meanwhile: what comes of the attempt is given back. */
  isCancelled: boolean;
}

/** Brings sessions back: their stored transcripts first, then their agents. One attempt at a time per session. */
export class Restorer {
  private readonly attempts = new Map<string, Attempt>();
  private readonly loads = new Map<string, Promise<void>>();

  constructor(private readonly options: RestorerOptions) {}

  isRestoring(sessionId: string): boolean {
    return this.attempts.has(sessionId);
  }

  /** What is in memory is all there is: nothing needs to be read for it. */
  isKnown(sessionId: string): void {
    this.loads.set(sessionId, Promise.resolve());
  }

  /** Makes sure an agent serves the session; several callers share one attempt. */
  async makeLive(session: Session): Promise<void> {
    if (session.isLive) {
      return;
    }
    const underWay = this.attempts.get(session.id);
    if (underWay !== undefined) {
      return underWay.done;
    }
    const attempt: Attempt = {
      done: this.loadTranscript(session).then(() => this.restore(session)),
      isCancelled: false,
    };
    this.attempts.set(session.id, attempt);
    this.options.onDidChange(session);
    try {
      await attempt.done;
    } finally {
      this.attempts.delete(session.id);
      this.options.onDidChange(session);
    }
  }

  /** The session is closed or deleted: an attempt that is under way must not bring it back. */
  cancel(sessionId: string): void {
    const attempt = this.attempts.get(sessionId);
    if (attempt !== undefined) {
      attempt.isCancelled = true;
    }
  }

  /** Reads the stored transcript, once. */
  loadTranscript(session: Session): Promise<void> {
    const load = this.loads.get(session.id) ?? this.read(session);
    this.loads.set(session.id, load);
    return load;
  }

  private async read(session: Session): Promise<void> {
    try {
      const stored = await this.options.transcripts.read(session.id);
      if (stored !== undefined) {
        session.restoreTranscript(stored.events);
      }
    } catch (error) {
      this.options.log.error(`The transcript of ${session.id} could not be read: ${asError(error).message}`);
    }
  }

  private async restore(session: Session): Promise<void> {
    try {
      await this.options.restoring(session, (connection) => restoreSession(session, connection));
    } catch (error) {
      if (!session.summary().isReadOnly) {
        session.detach('error', asError(error).message);
      }
      throw error;
    }
    if (this.attempts.get(session.id)?.isCancelled === true) {
      const { connection, record } = session;
      session.detach('closed', undefined, record.closeReason ?? 'user');
      await connection?.closeSession(record.agentSessionId);
      throw new ParleyError('sessionClosed', 'The session was closed.', { status: 'closed' });
    }
    // A history that was replayed is in the log a second time.
    await this.options.transcripts.compact(session.id);
  }
}
