import { constants } from 'node:os';

/** @typedef {{ later: () => Promise<void> | void, now: () => void }} Cleanup */

/** @type {Set<Cleanup>} */
const cleanups = new Set();
const ORPHAN_CHECK_MS = 500;
const parent = process.ppid;
let isWatching = false;
let isStopping = false;

/**
 * Runs when this process is asked to end (Ctrl+C, TERM, a closed terminal), newest first.
 *
 * @param {() => Promise<void> | void} later The orderly way; may take a few seconds.
 * @param {() => void} now The last resort, when the process exits without having been asked.
 * @returns {() => void} Call it when there is nothing to clean up any more.
 */
export function onEnd(later, now) {
  watch();
  const cleanup = { later, now };
  cleanups.add(cleanup);
  return () => {
    cleanups.delete(cleanup);
  };
}

/** @returns {boolean} Whether this process has been asked to end. */
export function isEnding() {
  return isStopping;
}

function watch() {
  if (isWatching) {
    return;
  }
  isWatching = true;
  process.on('exit', () => {
    for (const cleanup of newestFirst()) {
      cleanup.now();
    }
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      void stop(128 + constants.signals[signal]);
    });
  }
  // npm passes a signal on to its shell, and the shell to nobody: under npm, losing the parent is the signal.
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => {
      if (process.ppid !== parent && !isStopping) {
        void stop(128 + constants.signals.SIGTERM);
      }
    }, ORPHAN_CHECK_MS).unref();
  }
}

/** @param {number} exitCode */
async function stop(exitCode) {
  if (isStopping) {
    process.exit(exitCode);
  }
  isStopping = true;
  for (const cleanup of newestFirst()) {
    try {
      await cleanup.later();
    } catch (error) {
      console.error(error);
    }
  }
  process.exit(exitCode);
}

function newestFirst() {
  return [...cleanups].reverse();
}
