const IDLE_LIMIT_MS = 200;

/** Does the work when there is nothing else to do, but soon. Returns a function that calls it off. */
export function whenIdle(work: () => void): () => void {
  // The pages of component tests have no idle time.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: IDLE_LIMIT_MS });
  return () => cancelIdleCallback(handle);
}
