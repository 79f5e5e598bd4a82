import { basename, dirname } from 'node:path';
import { isInside } from '../files/pathRules';
import { versionNow } from './fileChange';
import { isSame } from './fileVersion';
import type { FileOperation, FolderParts } from './folderParts';
import type { KnownSnapshot } from './folderState';
import type { Author, FileVersion } from './model';

/** When a file or its place last changed; `undefined` without it. */
export type ChangedAt = (path: string) => Promise<number | undefined>;
export type AuthorOf = (path: string) => Author | Promise<Author>;

const user: Author = { kind: 'user' };

/** What is different in the new snapshot from what was known. */
export async function compareSnapshot(
  parts: FolderParts,
  snapshot: KnownSnapshot,
  authorOf: AuthorOf,
  changedAt: ChangedAt,
): Promise<readonly FileOperation[]> {
  const { state, snapshots, folder, files } = parts;
  const last = state.snapshot;
  const differing = await differingPaths(parts, snapshot);
  const mayHaveSurfaced = differing.some((path) => basename(path) === '.gitignore');
  const paths = new Set([...differing, ...state.known.keys(), ...state.unseen]);
  const operations: FileOperation[] = [];
  const unshown = new Map<string, FileVersion | undefined>();
  for (const path of [...paths].sort()) {
    const isPending = state.changes.has(path);
    const isLarge = snapshot.skipped.includes(path) || last?.skipped.includes(path) === true;
    if (isLarge && !isPending && !state.known.has(path)) {
      continue;
    }
    const inSnapshot = isInside(folder, path) ? await snapshots.read(folder, snapshot.id, path) : undefined;
    const now = inSnapshot ?? (await files.read(path));
    const known = await knownVersion(parts, path);
    const old = known === unknown ? now : known;
    if (inSnapshot === undefined && state.known.has(path)) {
      unshown.set(path, now);
    }
    if (inSnapshot === undefined && now !== undefined) {
      state.unseen.add(path);
    } else {
      state.unseen.delete(path);
    }
    if (!isSame(old, now)) {
      const author = await authorOf(path);
      const isOlder =
        mayHaveSurfaced &&
        old === undefined &&
        last !== undefined &&
        (await isFrom(path, last.at, changedAt));
      operations.push({ path, old, now, author: isOlder ? user : author });
    }
  }
  state.known.clear();
  // An agent may come back to these, and no snapshot tells how they were.
  for (const [path, now] of state.running.size > 0 ? unshown : []) {
    state.known.set(path, now);
  }
  state.snapshot = snapshot;
  return operations;
}

/** The same for single files, by what is on disk. */
export async function comparePaths(
  parts: FolderParts,
  paths: Iterable<string>,
  authorOf: AuthorOf,
): Promise<readonly FileOperation[]> {
  const { state, files } = parts;
  const operations: FileOperation[] = [];
  for (const path of paths) {
    const isOld = await isUnexplained(parts, path);
    const now = await files.read(path);
    const known = await knownVersion(parts, path);
    const old = known === unknown || isOld ? now : known;
    state.known.set(path, now);
    if (!isSame(old, now)) {
      operations.push({ path, old, now, author: await authorOf(path) });
    }
  }
  return operations;
}

/** It is there and the last snapshot does not have it: either it is new, or git ignores it. */
export async function isUnexplained(parts: FolderParts, path: string): Promise<boolean> {
  const { state, files } = parts;
  return (
    !state.known.has(path) &&
    !state.changes.has(path) &&
    (await knownVersion(parts, path)) === undefined &&
    (await files.read(path)) !== undefined
  );
}

const unknown = Symbol('unknown');

async function knownVersion(
  { state, snapshots, folder }: FolderParts,
  path: string,
): Promise<FileVersion | undefined | typeof unknown> {
  const change = state.changes.get(path);
  if (change !== undefined) {
    return versionNow(change);
  }
  if (state.known.has(path)) {
    return state.known.get(path);
  }
  // What the user has let an agent write elsewhere is known from the disk alone.
  if (state.snapshot === undefined || state.snapshot.skipped.includes(path) || !isInside(folder, path)) {
    return unknown;
  }
  return snapshots.read(folder, state.snapshot.id, path);
}

async function differingPaths(
  { state, snapshots, folder, log }: FolderParts,
  snapshot: KnownSnapshot,
): Promise<readonly string[]> {
  if (state.snapshot?.id === snapshot.id) {
    return [];
  }
  if (state.snapshot !== undefined) {
    try {
      return await snapshots.compare(folder, state.snapshot.id, snapshot.id);
    } catch (error) {
      log.warn(`The last snapshot of ${folder} is gone: ${String(error)}`);
      // Without it, only what was known of single files can be compared.
      state.snapshot = undefined;
    }
  }
  return [...state.changes.keys()];
}

/** For a file that is gone, its folder tells. */
async function changeTimeOf(path: string, changedAt: ChangedAt): Promise<number | undefined> {
  return (await changedAt(path)) ?? (await changedAt(dirname(path)));
}

export async function isFrom(path: string, time: number, changedAt: ChangedAt): Promise<boolean> {
  const at = await changeTimeOf(path, changedAt);
  return at !== undefined && at <= time;
}
