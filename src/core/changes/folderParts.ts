import type { Logger } from '../base/log';
import { editFile, versionNow, type FileChange, type NewId } from './fileChange';
import { isSame } from './fileVersion';
import type { FolderState } from './folderState';
import type { Editor } from './textChange';
import type { ChangeFiles, FileVersion, Snapshots } from './model';
import type { StoredVersion, VersionStore } from './versionStore';

/** What all that deals with one folder works on. */
export interface FolderParts {
  readonly folder: string;
  readonly state: FolderState;
  readonly snapshots: Snapshots;
  readonly files: ChangeFiles;
  readonly versions: VersionStore;
  readonly newId: NewId;
  readonly now: () => number;
  readonly log: Logger;
}

/** One change of one file, by one author. */
export interface FileOperation {
  readonly path: string;
  readonly old: FileVersion | undefined;
  readonly now: FileVersion | undefined;
  readonly author: Editor;
}

export async function applyOperations(
  parts: FolderParts,
  operations: readonly FileOperation[],
): Promise<void> {
  const { state, newId } = parts;
  const moved = movedByUser(state, operations);
  const recorded = new Set(state.journal.map(({ path }) => path));
  for (const { path, old, now, author } of operations) {
    const change = state.changes.get(path);
    const back = author.kind === 'user' ? takeReturned(state, path, old, now) : undefined;
    const from = moved.get(path);
    const next = back ?? from ?? editFile(change, old, now, author, newId);
    if (next === undefined) {
      state.changes.delete(path);
      state.unseen.delete(path);
    } else {
      state.changes.set(path, next);
    }
    state.atHead.delete(path);
    // What nobody but the user has touched since the oldest checkpoint needs no record.
    if (author.kind === 'agent' || recorded.has(path)) {
      await journal(parts, { path, old, now, author });
    }
  }
}

export async function journal(
  { state, versions, now: clock }: FolderParts,
  { path, old, now, author }: FileOperation,
): Promise<void> {
  const before = await versions.putOptional(old);
  const after = await versions.putOptional(now);
  if (author.kind !== 'agent' && forgetReview(state, path, before, after)) {
    return;
  }
  state.journal.push({ sequence: state.nextSequence++, path, author, before, after, at: clock() });
}

/** A review that is taken back never was, unless a checkpoint has seen it. */
function forgetReview(
  { journal, checkpoints }: FolderState,
  path: string,
  before: StoredVersion | undefined,
  after: StoredVersion | undefined,
): boolean {
  const index = journal.findLastIndex((entry) => entry.path === path);
  const last = journal[index];
  if (
    last?.author.kind !== 'review' ||
    !isSameStored(last.before, after) ||
    !isSameStored(last.after, before) ||
    checkpoints.some(({ sequence }) => sequence > last.sequence)
  ) {
    return false;
  }
  journal.splice(index, 1);
  return true;
}

function isSameStored(one: StoredVersion | undefined, other: StoredVersion | undefined): boolean {
  return one?.hash === other?.hash && one?.mode === other?.mode;
}

/** The editor's own undo gave back what a review had taken: then it is to be decided again. */
function takeReturned(
  state: FolderState,
  path: string,
  old: FileVersion | undefined,
  now: FileVersion | undefined,
): FileChange | undefined {
  for (let index = state.reviews.length - 1; index >= 0; index--) {
    const review = state.reviews[index];
    const file = review?.files.find((candidate) => candidate.path === path);
    if (review === undefined || file === undefined) {
      continue;
    }
    if (file.change === undefined || !isSame(file.after, old) || !isSame(file.before, now)) {
      return undefined;
    }
    const files = review.files.filter((candidate) => candidate !== file);
    state.reviews.splice(index, 1, ...(files.length > 0 ? [{ ...review, files }] : []));
    return file.change;
  }
  return undefined;
}

/** Files that the user renamed take what agents did to them along. */
function movedByUser(state: FolderState, operations: readonly FileOperation[]): FolderState['changes'] {
  const moved: FolderState['changes'] = new Map();
  const gone = operations.filter(
    ({ path, now, author }) => now === undefined && author.kind === 'user' && state.changes.has(path),
  );
  for (const { path, old, now, author } of gone.length === 0 ? [] : operations) {
    if (old === undefined && now !== undefined && author.kind === 'user' && !state.changes.has(path)) {
      const index = gone.findIndex((candidate) => isSame(candidate.old, now));
      const change = state.changes.get(gone[index]?.path ?? '');
      if (change !== undefined && isSame(versionNow(change), now)) {
        moved.set(path, change);
        gone.splice(index, 1);
      }
    }
  }
  return moved;
}
