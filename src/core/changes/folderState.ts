import type { FileChange } from './fileChange';
import type { FileVersion, SnapshotId } from './model';
import type { Editor } from './textChange';
import type { StoredVersion } from './versionStore';

/** All that is known about one folder. */
export interface FolderState {
  readonly changes: Map<string, FileChange>;
  /** Files whose content is known better than by the last snapshot, because they were written or looked at since. */
  readonly known: Map<string, FileVersion | undefined>;
  /** Pending files that snapshots do not show, for example because git ignores them. */
  readonly unseen: Set<string>;
  /** Pending files that were as in HEAD when the agent had changed them: no commit has kept these. */
  readonly atHead: Set<string>;
  readonly reviews: Review[];
  readonly journal: JournalEntry[];
  readonly checkpoints: Checkpoint[];
  readonly running: Map<string, RunningTurn>;
  snapshot: KnownSnapshot | undefined;
  nextSequence: number;
}

export interface KnownSnapshot {
  readonly id: SnapshotId;
  /** When it was begun. */
  readonly at: number;
  readonly skipped: readonly string[];
}

/** A keep, an undo or a restore, that can be taken back. */
export interface Review {
  readonly id: string;
  readonly at: number;
  readonly files: readonly ReviewedFile[];
}

export interface ReviewedFile {
  readonly path: string;
  readonly change: FileChange | undefined;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

/** Somebody changed a file. */
export interface JournalEntry {
  readonly sequence: number;
  readonly path: string;
  readonly author: Editor;
  readonly before: StoredVersion | undefined;
  readonly after: StoredVersion | undefined;
  readonly at: number;
}

export interface Checkpoint {
  readonly sessionId: string;
  readonly turnId: number;
  readonly snapshot: SnapshotId | undefined;
  /** What is in the journal from here on came after it. */
  readonly sequence: number;
  readonly at: number;
  /** The hunks that were to be reviewed then, by path; a change that is decided as a whole has none. */
  readonly pending: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface RunningTurn {
  readonly turnId: number;
  readonly isWaiting: boolean;
  /** The higher, the later it was heard of. */
  readonly heard: number;
  /** Its agent tells of its tool calls. */
  readonly tells: boolean;
}

export function emptyState(): FolderState {
  return {
    changes: new Map(),
    known: new Map(),
    unseen: new Set(),
    atHead: new Set(),
    reviews: [],
    journal: [],
    checkpoints: [],
    running: new Map(),
    snapshot: undefined,
    nextSequence: 1,
  };
}
