import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import * as path from 'node:path';
import { isRemote } from './pathRules';

/** As many as Linux follows. */
const MAX_LINKS = 40;
/** Longer ones lead nowhere on most disks, and each folder of them costs a look. */
const MAX_PATH_CHARS = 4096;

/**
 * What `realPath` tells, without waiting and without failing: what cannot be found out stays as it is spelled. For
 * decisions that have to be there at once.
 */
export function realPathNow(file: string, linksLeft = MAX_LINKS): string {
  // A look at another machine already tells it who the user is.
  if (isRemote(file) || file.length > MAX_PATH_CHARS) {
    return file;
  }
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    if (parent === file) {
      return file;
    }
    const place = path.join(realPathNow(parent, linksLeft), path.basename(file));
    const target = linksLeft > 0 ? linkTarget(place) : undefined;
    return target === undefined
      ? place
      : realPathNow(path.resolve(path.dirname(place), target), linksLeft - 1);
  }
}

function linkTarget(file: string): string | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? readlinkSync(file) : undefined;
  } catch {
    return undefined;
  }
}
