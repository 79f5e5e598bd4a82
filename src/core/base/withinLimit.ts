import { setTimeout as delay } from 'node:timers/promises';

/** Rejects with the error of `onLimit` when the work takes longer; the work itself goes on. */
export async function withinLimit<T>(work: Promise<T>, limitMs: number, onLimit: () => Error): Promise<T> {
  const timer = new AbortController();
  const limit = delay(limitMs, undefined, { signal: timer.signal }).then(
    () => Promise.reject(onLimit()),
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work, limit]);
  } finally {
    timer.abort();
  }
}
