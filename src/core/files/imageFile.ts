import { readFile, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { locate } from './pathGuard';
import { isInside, isRemote, normalPath } from './pathRules';

const MAX_IMAGE_BYTES = 4 * 1024 * 1024;
/** No SVG: it can hold anything that a page can. */
const types: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** An image that an answer shows, as a `data:` address; undefined unless it is one, small, and in one of the folders. */
export async function imageAddress(
  file: string,
  workdir: string,
  folders: readonly string[],
): Promise<string | undefined> {
  const type = types[path.extname(file).toLowerCase()];
  if (type === undefined) {
    return undefined;
  }
  try {
    const named = normalPath(path.resolve(workdir, file));
    // A mere look at another machine would tell it who the user is.
    if (isRemote(named) && !folders.some((folder) => isInside(folder, named))) {
      return undefined;
    }
    const { real, root } = await locate(named, folders);
    const found = root === undefined ? undefined : await stat(real);
    if (found?.isFile() !== true || found.size > MAX_IMAGE_BYTES) {
      return undefined;
    }
    return `data:${type};base64,${await readFile(real, 'base64')}`;
  } catch {
    // It is not there, or may not be read: the link to it remains.
    return undefined;
  }
}
