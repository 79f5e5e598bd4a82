import { basename, dirname } from 'node:path';
import { isInside } from '../files/pathRules';
import { versionNow } from './fileChange';
import { isSame } from './fileVersion';
import type { FileOperation, FolderParts } from './folderParts';
import type { FolderState, KnownSnapshot } from './folderState';
import type { Author, FileVersion, SnapshotDifference, SnapshotFile, SnapshotId } from './model';

/** When a file or its place last changed; `undefined` without it. */
export type ChangedAt = (path: string) => Promise<number | undefined>;
export type AuthorOf = (path: string) => Author | Promise<Author>;

const user: Author = { kind: 'user' };

/** What is different in the new snapshot from what was known, as far as it matters to a review. */
export async function compareSnapshot(
  parts: FolderParts,
  snapshot: KnownSnapshot,
  authorOf: AuthorOf,
  changedAt: ChangedAt,
): Promise<readonly FileOperation[]> {
  const { state, snapshots, folder, files, log } = parts;
  const differing = await differences(parts, snapshot);
  const candidates = await findCandidates(parts, snapshot, differing, authorOf, changedAt);
  const contents = await readContents(parts, candidates);
  const operations: FileOperation[] = [];
  const unread = new Map<string, FileVersion | undefined>();
  const unshown = new Map<string, FileVersion | undefined>();
  for (const { path, author, difference } of candidates) {
    const read = async (id: SnapshotId, file: SnapshotFile | undefined): Promise<FileVersion | undefined> => {
      if (difference !== undefined) {
        return file && contents.get(file);
      }
      return isInside(folder, path) ? snapshots.read(folder, id, path) : undefined;
    };
    try {
      const inSnapshot = await read(snapshot.id, difference?.now);
      const now = inSnapshot ?? (await files.read(path));
      const known = await knownVersion(parts, path, (id) => read(id, difference?.old));
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
        operations.push({ path, old, now, author });
      }
    } catch (error) {
      log.warn(`${path} cannot be compared: ${String(error)}`);
      if (state.known.has(path)) {
        unread.set(path, state.known.get(path));
      }
    }
  }
  state.known.clear();
  // An agent may come back to these, and no snapshot tells how they were.
  for (const [path, now] of state.running.size > 0 ? unshown : []) {
    state.known.set(path, now);
  }
  unread.forEach((version, path) => state.known.set(path, version));
  state.snapshot = snapshot;
  return operations;
}

interface Candidate {
  readonly path: string;
  readonly author: Author;
  readonly difference: SnapshotDifference | undefined;
}

/**
 * The user's own files are read only where they touch what is under review: of a branch with thousands of other files
 * their names are enough.
 */
async function findCandidates(
  { state }: FolderParts,
  snapshot: KnownSnapshot,
  differing: Differences,
  authorOf: AuthorOf,
  changedAt: ChangedAt,
): Promise<readonly Candidate[]> {
  const last = state.snapshot;
  const skipped = new Set([...snapshot.skipped, ...(last?.skipped ?? [])]);
  const reviewed = new Set([
    ...state.journal.map(({ path }) => path),
    ...state.reviews.flatMap(({ files }) => files.map(({ path }) => path)),
  ]);
  const mayHaveSurfaced = [...differing.keys()].some((path) => basename(path) === '.gitignore');
  // The user may have renamed a file that is under review.
  const mayHaveMoved = [...differing].some(([path, to]) => state.changes.has(path) && to?.now === undefined);
  const candidates: Candidate[] = [];
  for (const path of [...new Set([...differing.keys(), ...state.known.keys(), ...state.unseen])].sort()) {
    if (skipped.has(path) && isUntold(state, path)) {
      continue;
    }
    const difference = differing.get(path);
    const isNew = difference !== undefined && difference.old === undefined && isUntold(state, path);
    const isOlder =
      isNew && mayHaveSurfaced && last !== undefined && (await isFrom(path, last.at, changedAt));
    const author = isOlder ? user : await authorOf(path);
    const isOfInterest = author.kind === 'agent' || !isUntold(state, path) || reviewed.has(path);
    if (isOfInterest || state.unseen.has(path) || (isNew && mayHaveMoved)) {
      candidates.push({ path, author, difference });
    }
  }
  return candidates;
}

/** All at once: with a git for each file, a change of branch would take minutes. */
async function readContents(
  { state, snapshots, folder }: FolderParts,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<SnapshotFile, FileVersion>> {
  const files = candidates.flatMap(({ path, difference }) => {
    const old = isUntold(state, path) ? difference?.old : undefined;
    return [old, difference?.now].filter((file) => file !== undefined);
  });
  return files.length === 0 ? new Map() : snapshots.readAll(folder, files);
}

/** The same for single files, by what is on disk. */
export async function comparePaths(
  parts: FolderParts,
  paths: Iterable<string>,
  authorOf: AuthorOf,
): Promise<readonly FileOperation[]> {
  const { state, files, log } = parts;
  const operations: FileOperation[] = [];
  for (const path of paths) {
    try {
      const now = await files.read(path);
      const known = await knownVersion(parts, path);
      const isOld = known === unknown || (known === undefined && isUntold(state, path));
      const old = isOld ? now : known;
      state.known.set(path, now);
      if (!isSame(old, now)) {
        operations.push({ path, old, now, author: await authorOf(path) });
      }
    } catch (error) {
      log.warn(`${path} cannot be compared: ${String(error)}`);
    }
  }
  return operations;
}

/** It is there and the last snapshot does not have it: either it is new, or git ignores it. */
export async function isUnexplained(parts: FolderParts, path: string): Promise<boolean> {
  const { state, files, log } = parts;
  try {
    return (
      isUntold(state, path) &&
      (await knownVersion(parts, path)) === undefined &&
      (await files.read(path)) !== undefined
    );
  } catch (error) {
    log.warn(`${path} cannot be compared: ${String(error)}`);
    return false;
  }
}

function isUntold({ changes, known }: FolderState, path: string): boolean {
  return !known.has(path) && !changes.has(path);
}

const unknown = Symbol('unknown');

async function knownVersion(
  { state, snapshots, folder }: FolderParts,
  path: string,
  read: (snapshot: SnapshotId) => Promise<FileVersion | undefined> = (id) => snapshots.read(folder, id, path),
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
  return read(state.snapshot.id);
}

/** Without the last snapshot, the paths of what is under review alone. */
type Differences = ReadonlyMap<string, SnapshotDifference | undefined>;

async function differences(
  { state, snapshots, folder, log }: FolderParts,
  snapshot: KnownSnapshot,
): Promise<Differences> {
  if (state.snapshot?.id === snapshot.id) {
    return new Map();
  }
  if (state.snapshot !== undefined) {
    try {
      const found = await snapshots.compare(folder, state.snapshot.id, snapshot.id);
      return new Map(found.map((difference) => [difference.path, difference]));
    } catch (error) {
      log.warn(`The last snapshot of ${folder} is gone: ${String(error)}`);
      // Without it, only what was known of single files can be compared.
      state.snapshot = undefined;
    }
  }
  return new Map([...state.changes.keys()].map((path) => [path, undefined]));
}

/** For a file that is gone, its folder tells. */
async function changeTimeOf(path: string, changedAt: ChangedAt): Promise<number | undefined> {
  return (await changedAt(path)) ?? (await changedAt(dirname(path)));
}

export async function isFrom(path: string, time: number, changedAt: ChangedAt): Promise<boolean> {
  const at = await changeTimeOf(path, changedAt);
  return at !== undefined && at <= time;
}
