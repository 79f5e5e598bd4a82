import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, readFile, readlink, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, parse, relative, sep } from 'node:path';
import type { FileVersion } from './model';

/** The clock that files get their times from may go by ticks. */
const CLOCK_MS = 20;

/** A file byte for byte as it is on the disk. What is reached through a link is not in the folder. */
export async function readFileVersion(
  file: string,
  root: string | undefined,
): Promise<FileVersion | undefined> {
  const stat = await statOf(file);
  if (stat === undefined || (await obstacleTo(file, root)) !== undefined) {
    return undefined;
  }
  try {
    if (stat.isSymbolicLink()) {
      return { content: Buffer.from(await readlink(file)), mode: 'link' };
    }
    if (!stat.isFile()) {
      return undefined;
    }
    const isExecutable = process.platform !== 'win32' && (stat.mode & 0o111) !== 0;
    return { content: await readFile(file), mode: isExecutable ? 'executable' : 'file' };
  } catch (error) {
    if (isAbsent(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * What stands where one of the file's folders was, below `root`: a link or a file. Above it the user's own links are
 * none of our business; without a root, the whole path was without links when it was first seen.
 */
export async function obstacleTo(file: string, root: string | undefined): Promise<string | undefined> {
  const start = root ?? parse(file).root;
  let folder = start;
  for (const name of relative(start, dirname(file)).split(sep)) {
    folder = join(folder, name);
    const stat = folder === start ? undefined : await statOf(folder);
    if (stat?.isDirectory() === false) {
      return folder;
    }
  }
  return undefined;
}

/** With its folders. False when a folder with something in it is in the way. */
export async function writeFileVersion(file: string, { content, mode }: FileVersion): Promise<boolean> {
  await mkdir(dirname(file), { recursive: true });
  const before = await statOf(file);
  if (before?.isDirectory() === true && !(await removeFolder(file))) {
    return false;
  }
  if (before?.isSymbolicLink() === true || mode === 'link') {
    // Writing to a link writes to what it points to.
    await rm(file, { force: true });
  }
  if (mode === 'link') {
    await symlink(Buffer.from(content).toString(), file);
    return true;
  }
  await writeFile(file, content);
  if (process.platform !== 'win32') {
    const { mode: bits } = await lstat(file);
    // Who may read it may run it, as git does it.
    const wanted = mode === 'executable' ? bits | ((bits & 0o444) >> 2) : bits & ~0o111;
    if (wanted !== bits) {
      await chmod(file, wanted & 0o7777);
    }
  }
  return true;
}

/** Folders that a removal leaves empty go only if they are younger than this, so that an agent made them. */
export type FollowedSince = (folder: string) => number | undefined;

export async function removeFile(file: string, followedSince: FollowedSince): Promise<void> {
  await rm(file, { force: true });
  for (let folder = dirname(file); await isOfAgent(folder, followedSince); folder = dirname(folder)) {
    if (!(await removeFolder(folder))) {
      return;
    }
  }
}

async function isOfAgent(folder: string, followedSince: FollowedSince): Promise<boolean> {
  const since = followedSince(folder);
  const stat = since === undefined ? undefined : await statOf(folder);
  return since !== undefined && stat?.isDirectory() === true && stat.birthtimeMs >= since - CLOCK_MS;
}

/** False when something is in it. */
async function removeFolder(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch {
    return false;
  }
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (isAbsent(error)) {
      return undefined;
    }
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
