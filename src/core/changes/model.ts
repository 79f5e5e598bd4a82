import type { Event } from '../base/emitter';
import type { IDisposable } from '../base/lifecycle';
import type { ReportedEdit } from './reportedEdit';

/** A file as it was at one moment. Absence is `undefined` wherever a version is optional. */
export interface FileVersion {
  readonly content: Uint8Array;
  readonly mode: FileMode;
}

export type FileMode = 'file' | 'executable' | 'link';

/** Who made a change: an agent in a turn of a session, or the user, with the editor or with any other tool. */
export type Author = { readonly kind: 'agent'; readonly sessionId: string; readonly turnId: number } | User;
export interface User {
  readonly kind: 'user';
}

/**
 * One place where an agent changed a text. Lines are 0-based and keep their line ends. Outside of all hunks the
 * text before and the text now are the same.
 */
export interface Hunk {
  /** Stable as long as the hunk is: survives edits elsewhere in the file and reloads. */
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: number;
  readonly beforeStart: number;
  readonly before: readonly string[];
  readonly nowStart: number;
  readonly now: readonly string[];
  /** The user has edited inside of it since: undoing it would take their text along. */
  readonly isMixed: boolean;
}

export type ChangeKind = 'created' | 'edited' | 'deleted' | 'renamed';

/** A file with changes of agents that the user has neither kept nor undone. */
export interface PendingFile {
  /** Absolute. */
  readonly path: string;
  /** The workspace folder that it belongs to. */
  readonly folder: string;
  readonly kind: ChangeKind;
  /** Of a renamed file. */
  readonly previousPath: string | undefined;
  readonly sessionIds: readonly string[];
  readonly added: number;
  readonly removed: number;
  /** Not a text, or a change of its mode: kept or undone as a whole, then `hunks` is empty. */
  readonly isWhole: boolean;
  readonly isBinary: boolean;
  readonly isMixed: boolean;
  /** In the order of the file. */
  readonly hunks: readonly Hunk[];
}

/** What to keep or undo. Without `path` all files, without `hunkId` all of the file, without `sessionId` of all sessions. */
export interface ChangeSelection {
  readonly sessionId?: string;
  readonly path?: string;
  readonly hunkId?: string;
}

export interface ReviewResult {
  /** To take it back by; undefined when nothing was done. */
  readonly id: string | undefined;
  readonly files: readonly string[];
  /** Left alone, because the user's own text is in them. `force` takes it along. */
  readonly conflicts: readonly string[];
}

/** What restoring the files to before a prompt would do. */
export interface RestorePreview {
  readonly files: readonly RestoredFile[];
}

export interface RestoredFile {
  readonly path: string;
  readonly kind: 'created' | 'edited' | 'deleted';
  /** The user has edited it since, and that stays. */
  readonly hasUserEdits: boolean;
  /** The user's edits and the agent's are in the same lines: left alone unless the user's are to go too. */
  readonly isConflict: boolean;
  readonly now: FileVersion | undefined;
  readonly restored: FileVersion | undefined;
}

/**
 * How changes can be seen. `writesOnly` without a git program, or in a folder that is too large: what agents write
 * through the editor or report. `partly` when nobody can tell how files were that agents
 * have changed: too large, or not readable.
 */
export type Tracking =
  | { readonly kind: 'full' }
  | { readonly kind: 'writesOnly'; readonly folder: string; readonly reason: string }
  | { readonly kind: 'partly'; readonly paths: readonly string[] };

/** Every change of agents in this window, whichever way they wrote. */
export interface Changes extends IDisposable {
  readonly onDidChange: Event<void>;
  readonly tracking: Tracking;
  pending(sessionId?: string): readonly PendingFile[];
  /** The text or bytes without the agents' pending changes, for diffs. */
  before(path: string): Promise<FileVersion | undefined>;

  keep(selection: ChangeSelection): Promise<ReviewResult>;
  undo(selection: ChangeSelection, options?: { readonly force?: boolean }): Promise<ReviewResult>;
  /**
   * Takes a keep, undo or restore back, without an id the last one. False when it is not known, or its files have
   * changed or were reviewed again since.
   */
  undoReview(id?: string): Promise<boolean>;
  /** The one that would be taken back; undefined when there is none. */
  readonly lastReview: string | undefined;

  /** Files in which agents changed something in this turn, for the line at its end. */
  changedIn(sessionId: string, turnId: number): readonly string[];
  hasCheckpoint(sessionId: string, turnId: number): boolean;
  previewRestore(sessionId: string, turnId: number): Promise<RestorePreview>;
  restore(
    sessionId: string,
    turnId: number,
    options?: { readonly discardUserEdits?: boolean },
  ): Promise<ReviewResult>;

  /**
   * Called and awaited before the prompt is sent: whatever is different since the last turn is the user's. Whether
   * the agent is known to tell of its tool calls counts until it tells of one.
   */
  turnStarted(session: ChangingSession, turnId: number, tells?: boolean): Promise<void>;
  turnEnded(session: ChangingSession, turnId: number): Promise<void>;
  /**
   * Around everything of an agent that has a name: a tool call, a command. What changes at other times is the user's,
   * unless the agent never says what it does. Soon after the end the files are looked at, so that the view is right
   * while a long turn runs.
   */
  workStarted(session: ChangingSession, work: AgentWork): void;
  workEnded(session: ChangingSession, work: AgentWork): void;
  /** While an agent only waits for the user's answer, what changes is the user's. */
  waitingStarted(session: ChangingSession): Promise<void>;
  waitingEnded(session: ChangingSession): Promise<void>;
  /** Around every write that is known to be an agent's (`fs/write_text_file`). */
  agentWillWrite(session: ChangingSession, path: string): Promise<void>;
  agentDidWrite(session: ChangingSession, path: string): Promise<void>;
  /**
   * A file that the agent says it has changed, with its edits in their order, as far as it tells them. They count
   * where nobody has seen how the file was before.
   */
  agentReported(session: ChangingSession, path: string, edits: readonly ReportedEdit[]): Promise<void>;
  /** Around everything that the user does to files in the editor: saves, new files, renames, removals. */
  userWillChange(paths: readonly string[]): Promise<void>;
  userDidChange(paths: readonly string[]): Promise<void>;
  /**
   * The file system says so, a little later. While no agent does anything, that keeps what the user does with other
   * tools apart from what an agent makes of the same files next.
   */
  filesChanged(paths: readonly string[]): Promise<void>;
  /** Any other sign that files may have changed between turns: the window was focused, a commit was made. */
  refresh(): Promise<void>;
  sessionDeleted(sessionId: string): void;
}

export interface ChangingSession {
  readonly id: string;
  readonly workdir: string;
  /** All folders that its agent may work in. */
  readonly roots: readonly string[];
}

/** Something that an agent says it does. */
export interface AgentWork {
  readonly key: string;
  /** The only files that it may change, where that is known: none for what only reads. */
  readonly paths: readonly string[] | undefined;
}

/** Takes pictures of folders. Pictures are cheap when little has changed. */
export interface Snapshots {
  /** Throws `SnapshotUnavailable` when there is no git program or the folder is too much for it. */
  take(folder: string): Promise<Snapshot>;
  /** Differences between two pictures of one folder; in any order. */
  compare(folder: string, from: SnapshotId, to: SnapshotId): Promise<readonly SnapshotDifference[]>;
  read(folder: string, snapshot: SnapshotId, path: string): Promise<FileVersion | undefined>;
  readAll(folder: string, files: readonly SnapshotFile[]): Promise<ReadonlyMap<SnapshotFile, FileVersion>>;
  /** Keeps a picture from being cleaned up, under a name, until that is released. */
  retain(folder: string, snapshot: SnapshotId, name: string): Promise<void>;
  release(folder: string, name: string): Promise<void>;
  /** Of these files, those whose content is what the user's own repository has in HEAD. */
  committed(folder: string, paths: readonly string[]): Promise<readonly string[]>;
}

export type SnapshotId = string;

/** A file in a snapshot, to be read when its content is needed. */
export interface SnapshotFile {
  readonly id: string;
  readonly mode: FileMode;
}

export interface SnapshotDifference {
  /** Absolute. */
  readonly path: string;
  readonly old: SnapshotFile | undefined;
  readonly now: SnapshotFile | undefined;
}

export interface Snapshot {
  readonly id: SnapshotId;
  /** Files that cannot be tracked: too large, or not ours to read. */
  readonly skipped: readonly string[];
}

/** Reads and writes files as they are now, through the editor where one is open. */
export interface ChangeFiles {
  /** Not through links: a file in a folder that has become one is gone. */
  read(path: string): Promise<FileVersion | undefined>;
  /**
   * `undefined` removes the file, and the folders that this leaves empty if the agent made them. False, and nothing
   * is written, when the file is not `before` any more or something stands where one of its folders was.
   */
  replace(path: string, before: FileVersion | undefined, after: FileVersion | undefined): Promise<boolean>;
  /** The link or file that stands where a folder of this path was. */
  obstacleTo(path: string): Promise<string | undefined>;
}

export class SnapshotUnavailable extends Error {
  override readonly name = 'SnapshotUnavailable';
}
