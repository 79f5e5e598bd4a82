import { lstat, readlink, realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { FileProblem } from '../ports';

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * Where a path really leads, with all links followed and in the file system's own spelling. Of what does not exist
 * yet, the nearest folder that does decides; a link to something that does not exist is followed too, because
 * writing to it would make that.
 */
export async function realPath(file: string, linksLeft = MAX_LINKS): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const code = codeOf(error);
    // Anything else than absence, and nobody knows where it leads.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      throw new FileProblem(code === 'ENAMETOOLONG' ? 'invalid' : 'failed', `${file}: ${code}`);
    }
  }
  const parent = path.dirname(file);
  if (parent === file) {
    return file;
  }
  const place = path.join(await realPath(parent, linksLeft), path.basename(file));
  const target = await linkTarget(place);
  if (target === undefined) {
    return place;
  }
  if (linksLeft === 0) {
    throw new FileProblem('invalid', `${file} leads round in circles.`);
  }
  return realPath(path.resolve(path.dirname(place), target), linksLeft - 1);
}

async function linkTarget(file: string): Promise<string | undefined> {
  try {
    return (await lstat(file)).isSymbolicLink() ? await readlink(file) : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
