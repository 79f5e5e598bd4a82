import { editFile, isMixed, versionBefore, versionNow, type FileChange } from './fileChange';
import { isSame } from './fileVersion';
import type { FolderParts } from './folderParts';
import type { Checkpoint, JournalEntry } from './folderState';
import type { FileVersion, RestoredFile } from './model';

/** A file that agents changed since a checkpoint. */
export interface RestorableFile extends RestoredFile {
  /** Exactly what it was then, without the user's edits since. */
  readonly original: FileVersion | undefined;
}

/**
 * Everything that was done to the files since the checkpoint is done again in thought, to tell what of it was
 * the agents'. What the user has kept in between makes no difference here.
 */
export async function filesSince(
  parts: FolderParts,
  checkpoint: Checkpoint,
): Promise<readonly RestorableFile[]> {
  const entries = parts.state.journal.filter(({ sequence }) => sequence >= checkpoint.sequence);
  const paths = new Set(entries.filter(({ author }) => author.kind === 'agent').map(({ path }) => path));
  const files: RestorableFile[] = [];
  for (const path of [...paths].sort()) {
    const file = await fileSince(
      parts,
      checkpoint,
      path,
      entries.filter((entry) => entry.path === path),
    );
    if (file !== undefined) {
      files.push(file);
    }
  }
  return files;
}

async function fileSince(
  parts: FolderParts,
  checkpoint: Checkpoint,
  path: string,
  entries: readonly JournalEntry[],
): Promise<RestorableFile | undefined> {
  const { versions, newId } = parts;
  const original = await originalOf(parts, checkpoint, path, entries);
  let now = original;
  let change: FileChange | undefined;
  for (const { before, after, author } of entries) {
    const old = await versions.getOptional(before);
    if (!isSame(now, old)) {
      // Not recorded, because no agent had touched it yet.
      change = editFile(change, now, old, { kind: 'user' }, newId);
    }
    now = await versions.getOptional(after);
    change = editFile(change, old, now, author, newId);
  }
  const current = await currentOf(parts, path);
  if (!isSame(current, now)) {
    change = editFile(change, now, current, { kind: 'user' }, newId);
  }
  if (change === undefined) {
    return undefined;
  }
  const isConflict = isMixed(change);
  const withUserEdits = versionBefore(change);
  const restored = isConflict ? original : withUserEdits;
  return {
    path,
    kind: kindOf(current, restored),
    hasUserEdits: isConflict || !isSame(withUserEdits, original),
    isConflict,
    now: current,
    restored,
    original,
  };
}

/** Snapshots do not show what git ignores; then it is what the first change found. */
async function originalOf(
  { snapshots, folder, versions, log }: FolderParts,
  { snapshot }: Checkpoint,
  path: string,
  entries: readonly JournalEntry[],
): Promise<FileVersion | undefined> {
  const first = await versions.getOptional(entries[0]?.before);
  if (snapshot === undefined) {
    return first;
  }
  try {
    return (await snapshots.read(folder, snapshot, path)) ?? first;
  } catch (error) {
    log.warn(`The snapshot of a checkpoint in ${folder} cannot be read: ${String(error)}`);
    return first;
  }
}

async function currentOf({ state, files }: FolderParts, path: string): Promise<FileVersion | undefined> {
  const change = state.changes.get(path);
  if (change !== undefined) {
    return versionNow(change);
  }
  return state.known.has(path) ? state.known.get(path) : files.read(path);
}

function kindOf(now: FileVersion | undefined, restored: FileVersion | undefined): RestoredFile['kind'] {
  if (now === undefined) {
    return 'created';
  }
  return restored === undefined ? 'deleted' : 'edited';
}
