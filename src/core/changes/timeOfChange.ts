import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isInside } from '../files/pathRules';
import type { ChangedAt } from './comparison';

/** The times of files lag a little behind the clock. */
const LAG_MS = 50;

/**
 * When a file changed that is different from what it was at `since`. One that is gone has no time, and one that was
 * moved with its folder an older one: the nearest folder that has changed since then tells.
 */
export async function timeOfChange(
  path: string,
  folder: string,
  since: number,
  changedAt: ChangedAt,
): Promise<number | undefined> {
  const own = await changedAt(path);
  if (own !== undefined && own >= since - LAG_MS) {
    return own;
  }
  for (let parent = dirname(path); isInside(folder, parent); parent = dirname(parent)) {
    const at = await changedAt(parent);
    if (at !== undefined && at >= since - LAG_MS) {
      return at;
    }
  }
  return own;
}

export async function ctimeOf(path: string): Promise<number | undefined> {
  return (await statOf(path))?.ctimeMs;
}

export async function birthTimeOf(path: string): Promise<number | undefined> {
  return (await statOf(path))?.birthtimeMs;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch {
    return undefined;
  }
}
