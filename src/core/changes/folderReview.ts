import {
  editFile,
  keepParts,
  onlyHunks,
  undoParts,
  versionNow,
  type FileChange,
  type PartSelection,
  type Reviewed,
} from './fileChange';
import { isSame } from './fileVersion';
import { journal, type FolderParts } from './folderParts';
import type { Checkpoint, Review, ReviewedFile } from './folderState';
import type { ChangeSelection, FileVersion, ReviewResult } from './model';
import { findRenames } from './pendingFiles';
import type { RestorableFile } from './restorePoint';

const MOST_REVIEWS = 20;

export interface ReviewMark {
  readonly id: string;
  readonly at: number;
}

/** What a review makes of one file. */
interface Decision {
  readonly path: string;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
  readonly change: FileChange | undefined;
}

export function keepSelected(
  parts: FolderParts,
  selection: ChangeSelection,
  mark: ReviewMark,
): Promise<Omit<ReviewResult, 'id'>> {
  return review(parts, selection, mark, keepParts);
}

export function undoSelected(
  parts: FolderParts,
  selection: ChangeSelection,
  mark: ReviewMark,
  isForced: boolean,
): Promise<Omit<ReviewResult, 'id'>> {
  return review(parts, selection, mark, (change, part) => undoParts(change, part, isForced));
}

export async function restoreFiles(
  parts: FolderParts,
  { pending }: Checkpoint,
  files: readonly RestorableFile[],
  mark: ReviewMark,
  discardsUserEdits: boolean,
): Promise<Omit<ReviewResult, 'id'>> {
  const wanted = files.filter(({ isConflict }) => discardsUserEdits || !isConflict);
  const groups = wanted.map(({ path, now, restored, original }): readonly Decision[] => {
    const after = discardsUserEdits ? original : restored;
    const change = editFile(parts.state.changes.get(path), now, after, { kind: 'review' }, parts.newId);
    return [{ path, before: now, after, change: change && stillPending(change, pending, path) }];
  });
  const conflicts = files.filter((file) => !wanted.includes(file)).map(({ path }) => path);
  return carryOut(parts, groups, conflicts, mark);
}

/** What is left of later changes is the restore's own doing: only what was to be reviewed then still is. */
function stillPending(
  change: FileChange,
  pending: Checkpoint['pending'],
  path: string,
): FileChange | undefined {
  if (pending === undefined) {
    return change;
  }
  const ids = pending[path];
  return ids === undefined ? undefined : onlyHunks(change, ids);
}

/** Unless one of its files has changed since, or was reviewed again. */
export function canTakeBack(
  { state: { reviews } }: FolderParts,
  review: Review,
  disk: ReadonlyMap<string, FileVersion | undefined>,
): boolean {
  const later = reviews.slice(reviews.indexOf(review) + 1).flatMap(({ files }) => files);
  return review.files.every(
    ({ path, after }) => isSame(disk.get(path), after) && later.every((file) => file.path !== path),
  );
}

/** False when a file was changed in the meantime: then the rest can still be taken back. */
export async function takeBack(parts: FolderParts, review: Review): Promise<boolean> {
  const { reviews } = parts.state;
  const { paths, error } = await writeAll(
    parts,
    review.files.map(({ path, before, after, change }) => ({ path, before: after, after: before, change })),
  );
  const left = review.files.filter(({ path }) => !paths.has(path));
  reviews.splice(reviews.indexOf(review), 1, ...(left.length > 0 ? [{ ...review, files: left }] : []));
  if (error !== undefined) {
    throw error;
  }
  return left.length === 0;
}

async function review(
  parts: FolderParts,
  selection: ChangeSelection,
  mark: ReviewMark,
  decide: (change: FileChange, part: PartSelection) => Reviewed,
): Promise<Omit<ReviewResult, 'id'>> {
  const { state } = parts;
  const conflicts: string[] = [];
  const groups: Decision[][] = [];
  for (const { paths, part } of selectedGroups(state.changes, selection)) {
    const reviewed = paths.flatMap((path) => {
      const change = state.changes.get(path);
      return change === undefined ? [] : [{ path, change, result: decide(change, part) }];
    });
    const hasConflict = reviewed.some(({ result }) => result.hasConflict);
    if (hasConflict) {
      conflicts.push(...paths.slice(0, 1));
    }
    if (hasConflict && paths.length > 1) {
      // One file under two names: all of it or nothing.
      continue;
    }
    groups.push(
      reviewed
        .filter(({ result }) => result.isTouched)
        .map(({ path, change, result }) => ({
          path,
          before: versionNow(change),
          after: result.version,
          change: result.change,
        })),
    );
  }
  return carryOut(parts, groups, conflicts, mark);
}

interface Group {
  /** The new path of a renamed file first. */
  readonly paths: readonly string[];
  readonly part: PartSelection;
}

function selectedGroups(
  changes: ReadonlyMap<string, FileChange>,
  { path: wanted, sessionId, hunkId }: ChangeSelection,
): readonly Group[] {
  const renames = findRenames(changes);
  const previous = new Set(renames.values());
  const groups: Group[] = [];
  for (const path of changes.keys()) {
    if (!previous.has(path)) {
      const previousPath = renames.get(path);
      const paths = previousPath === undefined ? [path] : [path, previousPath];
      if (wanted === undefined || paths.includes(wanted)) {
        groups.push({ paths, part: paths.length > 1 ? { sessionId } : { sessionId, hunkId } });
      }
    }
  }
  return groups;
}

/** Each group is one file, under all its names. */
async function carryOut(
  parts: FolderParts,
  groups: readonly (readonly Decision[])[],
  conflicts: readonly string[],
  { id, at }: ReviewMark,
): Promise<Omit<ReviewResult, 'id'>> {
  const { state } = parts;
  const possible = await possibleGroups(parts, groups);
  const decisions = possible.flat();
  const reviewed = new Map<string, ReviewedFile>();
  for (const { path, before, after } of decisions) {
    reviewed.set(path, { path, change: state.changes.get(path), before, after });
  }
  const { paths, changed, error } = await writeAll(parts, decisions);
  const files = [...reviewed.values()].filter(({ path }) => paths.has(path));
  if (files.length > 0) {
    state.reviews.push({ id, at, files });
    state.reviews.splice(0, state.reviews.length - MOST_REVIEWS);
  }
  if (error !== undefined) {
    throw error;
  }
  const left = groups.flatMap((group) => (possible.includes(group) ? [] : (group[0]?.path ?? [])));
  return {
    files: files.map(({ path }) => path),
    conflicts: [...new Set([...conflicts, ...left, ...changed])],
  };
}

/**
 * Without those that would be done by half: a file is not what was decided on any more, or something stands where
 * one of its folders was and does not go in the same review.
 */
async function possibleGroups(
  { files, log }: FolderParts,
  groups: readonly (readonly Decision[])[],
): Promise<readonly (readonly Decision[])[]> {
  const removed = new Set(groups.flat().flatMap(({ path, after }) => (after === undefined ? [path] : [])));
  const isPossible = async ({ path, before, after }: Decision): Promise<boolean> => {
    if (isSame(before, after)) {
      return true;
    }
    try {
      const obstacle = after === undefined ? undefined : await files.obstacleTo(path);
      return (obstacle === undefined || removed.has(obstacle)) && isSame(await files.read(path), before);
    } catch (error) {
      log.warn(`${path} could not be read: ${String(error)}`);
      return false;
    }
  };
  const possible: (readonly Decision[])[] = [];
  for (const group of groups) {
    const answers = await Promise.all(group.map(isPossible));
    if (!answers.includes(false)) {
      possible.push(group);
    }
  }
  return possible;
}

interface Written {
  readonly paths: ReadonlySet<string>;
  /** Left alone, because somebody wrote them at the same time. */
  readonly changed: readonly string[];
  readonly error: Error | undefined;
}

/** One file that cannot be written does not keep the others from it. */
async function writeAll(parts: FolderParts, decisions: readonly Decision[]): Promise<Written> {
  const { state, files, log } = parts;
  const paths = new Set<string>();
  const changed: string[] = [];
  let error: Error | undefined;
  // First what goes: a folder may have to become a file again, or a link a folder.
  const ordered = [...decisions].sort(
    (one, other) => Number(one.after !== undefined) - Number(other.after !== undefined),
  );
  for (const { path, before, after, change } of ordered) {
    try {
      if (!isSame(before, after)) {
        if (!(await files.replace(path, before, after))) {
          changed.push(path);
          continue;
        }
        state.known.set(path, after);
        await journal(parts, { path, old: before, now: after, author: { kind: 'review' } });
      }
      setChange(parts, path, change);
      paths.add(path);
    } catch (problem) {
      log.error(`${path} could not be written: ${String(problem)}`);
      error ??= problem instanceof Error ? problem : new Error(String(problem));
    }
  }
  return { paths, changed, error };
}

function setChange({ state }: FolderParts, path: string, change: FileChange | undefined): void {
  state.atHead.delete(path);
  if (change === undefined) {
    state.changes.delete(path);
  } else {
    state.changes.set(path, change);
  }
}
