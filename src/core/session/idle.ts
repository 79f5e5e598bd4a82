import { toDisposable, type IDisposable } from '../base/lifecycle';
import type { Sessions } from './sessions';

const CHECK_MS = 60_000;
/** After that long without activity a session counts as idle; nothing else changes. */
const IDLE_AFTER_MS = 5 * 60_000;

export interface IdleOptions {
  /** 0 means never. */
  timeoutMs(): number;
  now(): number;
}

/** Closes sessions that nobody has used for long, so that their agents can end. Check it every minute. */
export function watchIdleSessions(sessions: Sessions, options: IdleOptions): IDisposable {
  const timer = setInterval(() => void closeIdleSessions(sessions, options), CHECK_MS);
  timer.unref();
  return toDisposable(() => clearInterval(timer));
}

export async function closeIdleSessions(sessions: Sessions, options: IdleOptions): Promise<void> {
  const timeoutMs = options.timeoutMs();
  if (timeoutMs > 0) {
    await sessions.stopAbandoned(timeoutMs);
  }
  for (const session of sessions.all()) {
    if (!session.isLive || session.isRunning || session.isWaiting) {
      continue;
    }
    const quietMs = options.now() - session.lastUsedAt;
    if (timeoutMs > 0 && quietMs >= timeoutMs) {
      await sessions.close(session.id, 'idle_timeout');
    } else if (quietMs >= IDLE_AFTER_MS && session.record.status === 'active') {
      session.update({ status: 'idle' });
    }
  }
}
