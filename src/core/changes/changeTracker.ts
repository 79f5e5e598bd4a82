import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { asObject, asString } from '../../shared/json';
import { Emitter } from '../base/emitter';
import type { Logger } from '../base/log';
import { ChangeStorageFolder, type ChangeStorage } from './changeStorage';
import { addCheckpoint, dropSession, findCheckpoint } from './checkpoints';
import type { ChangedAt } from './comparison';
import { versionBefore } from './fileChange';
import { FolderChanges, type FolderWorld } from './folderChanges';
import {
  canTakeBack,
  keepSelected,
  restoreFiles,
  takeBack,
  undoSelected,
  type ReviewMark,
} from './folderReview';
import type {
  Author,
  ChangeFiles,
  Changes,
  ChangeSelection,
  ChangingSession,
  FileVersion,
  PendingFile,
  RestorePreview,
  ReviewResult,
  Snapshots,
  Tracking,
} from './model';
import { findRenames } from './pendingFiles';
import { filesSince } from './restorePoint';

const TOOL_DELAY_MS = 300;

export interface TrackerOptions {
  readonly snapshots: Snapshots;
  readonly files: ChangeFiles;
  readonly log: Logger;
  /** The workspace folders. A session's folder is one of them, or inside of one. */
  readonly folders: () => readonly string[];
  readonly storageOf: (folder: string) => ChangeStorage;
  /** Folders that something is stored of. */
  readonly storedFolders: () => Promise<readonly string[]>;
  readonly newId?: () => string;
  readonly now?: () => number;
  readonly changedAt?: ChangedAt;
}

/** Where changes are stored below a directory, one folder for each. */
export function changeStorageIn(directory: string): Pick<TrackerOptions, 'storageOf' | 'storedFolders'> {
  const storageOf = (folder: string): ChangeStorage =>
    new ChangeStorageFolder(join(directory, createHash('sha256').update(folder).digest('hex').slice(0, 40)));
  const storedFolders = async (): Promise<readonly string[]> => {
    const names = await readdir(directory).catch(() => []);
    const folders: string[] = [];
    for (const name of names) {
      const text = await new ChangeStorageFolder(join(directory, name)).readState().catch(() => undefined);
      const folder = folderIn(text);
      if (folder !== undefined) {
        folders.push(folder);
      }
    }
    return folders;
  };
  return { storageOf, storedFolders };
}

/** Follows all folders of this window. */
export class ChangeTracker implements Changes {
  /** Settles when what earlier windows stored is loaded. */
  readonly loaded: Promise<void>;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly byFolder = new Map<string, FolderChanges>();
  private readonly toolTimers = new Map<FolderChanges, NodeJS.Timeout>();
  private readonly lastTurns = new Map<string, number>();
  private readonly world: FolderWorld;
  private lastReviewAt = 0;
  private isDisposed = false;

  constructor(private readonly options: TrackerOptions) {
    const { snapshots, files, log, newId, now, changedAt } = options;
    this.world = {
      snapshots,
      files,
      log,
      newId: newId ?? randomUUID,
      now: now ?? Date.now,
      changedAt: changedAt ?? changeTime,
    };
    this.loaded = this.load();
  }

  get tracking(): Tracking {
    for (const { folder, problem } of this.byFolder.values()) {
      if (problem !== undefined) {
        return { kind: 'writesOnly', folder, reason: problem };
      }
    }
    return { kind: 'full' };
  }

  get canUndoReview(): boolean {
    return this.lastReview() !== undefined;
  }

  pending(sessionId?: string): readonly PendingFile[] {
    const files = [...this.byFolder.values()].flatMap(({ pending }) => pending);
    return sessionId === undefined ? files : files.filter(({ sessionIds }) => sessionIds.includes(sessionId));
  }

  async before(path: string): Promise<FileVersion | undefined> {
    await this.loaded;
    const folder = this.folderOfPath(path);
    const changes = folder?.parts.state.changes;
    const change = changes?.get(path);
    if (folder === undefined || changes === undefined || change === undefined) {
      return this.options.files.read(path);
    }
    const previous = changes.get(findRenames(changes).get(path) ?? path);
    return versionBefore(previous ?? change);
  }

  keep(selection: ChangeSelection): Promise<ReviewResult> {
    return this.review((folder, mark) => keepSelected(folder.parts, selection, mark));
  }

  undo(selection: ChangeSelection, options?: { readonly force?: boolean }): Promise<ReviewResult> {
    return this.review((folder, mark) =>
      undoSelected(folder.parts, selection, mark, options?.force === true),
    );
  }

  async undoReview(): Promise<boolean> {
    await this.loaded;
    const id = this.lastReview()?.id;
    const concerned = [...this.byFolder.values()].filter(
      (folder) => id !== undefined && folder.parts.state.reviews.at(-1)?.id === id,
    );
    for (const folder of concerned) {
      const isPossible = await folder.run(async () => {
        await folder.look(folder.turns.author);
        const review = folder.parts.state.reviews.at(-1);
        const disk = new Map<string, FileVersion | undefined>();
        for (const { path } of review?.id === id ? (review?.files ?? []) : []) {
          disk.set(path, await this.options.files.read(path));
        }
        return review?.id === id && canTakeBack(folder.parts, disk);
      });
      if (!isPossible) {
        return false;
      }
    }
    for (const folder of concerned) {
      await folder.run(() => takeBack(folder.parts));
    }
    return concerned.length > 0;
  }

  changedIn(sessionId: string, turnId: number): readonly string[] {
    const paths = new Set<string>();
    for (const { parts } of this.byFolder.values()) {
      for (const { path, author } of parts.state.journal) {
        if (author.kind === 'agent' && author.sessionId === sessionId && author.turnId === turnId) {
          paths.add(path);
        }
      }
    }
    return [...paths].sort();
  }

  /** When the oldest turn that is remembered began in the folder of this path. */
  followedSince(path: string): number | undefined {
    return this.folderOfPath(path)?.parts.state.checkpoints[0]?.at;
  }

  hasCheckpoint(sessionId: string, turnId: number): boolean {
    return this.folderOfCheckpoint(sessionId, turnId) !== undefined;
  }

  async previewRestore(sessionId: string, turnId: number): Promise<RestorePreview> {
    await this.loaded;
    const folder = this.folderOfCheckpoint(sessionId, turnId);
    const files = await folder?.run(async () => {
      await folder.look(folder.turns.author);
      const point = findCheckpoint(folder.parts.state, sessionId, turnId);
      return point === undefined ? [] : filesSince(folder.parts, point);
    });
    return { files: files ?? [] };
  }

  async restore(
    sessionId: string,
    turnId: number,
    options?: { readonly discardUserEdits?: boolean },
  ): Promise<ReviewResult> {
    return this.review(async (folder, mark) => {
      const point = findCheckpoint(folder.parts.state, sessionId, turnId);
      if (point === undefined) {
        return { files: [], conflicts: [] };
      }
      const files = await filesSince(folder.parts, point);
      return restoreFiles(folder.parts, files, mark, options?.discardUserEdits === true);
    });
  }

  async turnStarted(session: ChangingSession, turnId: number): Promise<void> {
    await this.loaded;
    const folder = this.folderOf(session.workdir);
    const author = folder.turns.author;
    await folder.run(async () => {
      await folder.look(author);
      folder.turns.start(session.id, turnId);
      this.lastTurns.set(session.id, turnId);
      await addCheckpoint(folder.parts, session.id, turnId);
    });
    folder.followTurns();
  }

  async turnEnded(session: ChangingSession, turnId: number): Promise<void> {
    const folder = this.folderOf(session.workdir);
    await folder.run(async () => {
      await folder.look(folder.turns.author);
      folder.turns.end(session.id, turnId);
    });
    folder.followTurns();
  }

  toolEnded(session: ChangingSession): void {
    const folder = this.folderOf(session.workdir);
    folder.turns.hear(session.id);
    if (this.toolTimers.has(folder) || this.isDisposed) {
      return;
    }
    const timer = setTimeout(() => {
      this.toolTimers.delete(folder);
      void folder.run(() => folder.look(folder.turns.author)).catch(this.report);
    }, TOOL_DELAY_MS);
    this.toolTimers.set(folder, timer);
  }

  async waitingStarted(session: ChangingSession): Promise<void> {
    const folder = this.folderOf(session.workdir);
    const author = folder.turns.author;
    folder.turns.setWaiting(session.id, true);
    await folder.run(() => folder.look(author));
  }

  async waitingEnded(session: ChangingSession): Promise<void> {
    const folder = this.folderOf(session.workdir);
    const author = folder.turns.author;
    folder.turns.setWaiting(session.id, false);
    await folder.run(() => folder.look(author));
  }

  async agentWillWrite(session: ChangingSession, path: string): Promise<void> {
    await this.loaded;
    const folder = this.folderOfPath(path) ?? this.folderOf(session.workdir);
    await folder.run(() => folder.lookAt(path, folder.turns.author));
  }

  async agentDidWrite(session: ChangingSession, path: string): Promise<void> {
    await this.loaded;
    const folder = this.folderOfPath(path) ?? this.folderOf(session.workdir);
    folder.turns.hear(session.id);
    const turnId = folder.turns.turnOf(session.id) ?? this.lastTurns.get(session.id) ?? 0;
    const author: Author = { kind: 'agent', sessionId: session.id, turnId };
    await folder.run(() => folder.lookAt(path, author));
  }

  async userWillSave(path: string): Promise<void> {
    const folder = this.folderOfPath(path);
    if (folder?.turns.isAnyRunning === true) {
      await folder.run(() => folder.lookAt(path, folder.turns.author));
    }
  }

  async userDidSave(path: string): Promise<void> {
    const folder = this.folderOfPath(path);
    if (folder?.turns.isAnyRunning === true || folder?.parts.state.changes.has(path) === true) {
      await folder.run(() => folder.lookAt(path, { kind: 'user' }));
    } else if (folder?.parts.state.reviews.some(({ files }) => files.some((file) => file.path === path))) {
      await folder.run(() => folder.lookAt(path, { kind: 'user' }));
    }
  }

  async refresh(): Promise<void> {
    await this.loaded;
    for (const folder of this.byFolder.values()) {
      if (folder.parts.state.snapshot !== undefined || folder.pending.length > 0) {
        await folder.run(async () => {
          await folder.look(folder.turns.author);
          await folder.keepCommitted();
        });
      }
    }
  }

  sessionDeleted(sessionId: string): void {
    for (const folder of this.byFolder.values()) {
      void folder.run(() => dropSession(folder.parts, sessionId)).catch(this.report);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    for (const timer of this.toolTimers.values()) {
      clearTimeout(timer);
    }
    for (const folder of this.byFolder.values()) {
      folder.dispose();
    }
    this.changed.dispose();
  }

  private readonly report = (error: unknown): void => {
    this.options.log.error(error instanceof Error ? error : String(error));
  };

  private async load(): Promise<void> {
    for (const folder of await this.options.storedFolders()) {
      if (this.options.folders().includes(folder)) {
        await this.folderAt(folder).settled();
      }
    }
  }

  private async review(
    decide: (folder: FolderChanges, mark: ReviewMark) => Promise<ReviewResult>,
  ): Promise<ReviewResult> {
    await this.loaded;
    this.lastReviewAt = Math.max(this.world.now(), this.lastReviewAt + 1);
    const mark = { id: this.world.newId(), at: this.lastReviewAt };
    const files: string[] = [];
    const conflicts: string[] = [];
    for (const folder of this.byFolder.values()) {
      const result = await folder.run(async () => {
        await folder.look(folder.turns.author);
        return decide(folder, mark);
      });
      files.push(...result.files);
      conflicts.push(...result.conflicts);
    }
    return { files, conflicts };
  }

  private lastReview(): ReviewMark | undefined {
    const last = [...this.byFolder.values()].flatMap(({ parts }) => parts.state.reviews.slice(-1));
    return last.sort((one, other) => other.at - one.at)[0];
  }

  private folderOfCheckpoint(sessionId: string, turnId: number): FolderChanges | undefined {
    return [...this.byFolder.values()].find(
      ({ parts }) => findCheckpoint(parts.state, sessionId, turnId) !== undefined,
    );
  }

  private folderOf(workdir: string): FolderChanges {
    return this.folderAt(this.workspaceFolderOf(workdir) ?? workdir);
  }

  private folderOfPath(path: string): FolderChanges | undefined {
    const folder = this.workspaceFolderOf(path);
    if (folder !== undefined && this.byFolder.has(folder)) {
      return this.byFolder.get(folder);
    }
    return [...this.byFolder.values()].find((known) => isInside(path, known.folder));
  }

  private workspaceFolderOf(path: string): string | undefined {
    const [longest] = this.options
      .folders()
      .filter((folder) => isInside(path, folder))
      .sort((one, other) => other.length - one.length);
    return longest;
  }

  private folderAt(folder: string): FolderChanges {
    const known = this.byFolder.get(folder);
    if (known !== undefined) {
      return known;
    }
    const created = new FolderChanges(folder, this.world, this.options.storageOf(folder), () =>
      this.changed.fire(),
    );
    this.byFolder.set(folder, created);
    return created;
  }
}

function isInside(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

async function changeTime(path: string): Promise<number | undefined> {
  try {
    return (await lstat(path)).ctimeMs;
  } catch {
    return undefined;
  }
}

function folderIn(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : asString(asObject(JSON.parse(text)).folder);
  } catch {
    return undefined;
  }
}
