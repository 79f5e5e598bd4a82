import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject, asString } from '../../shared/json';
import { Emitter } from '../base/emitter';
import type { Logger } from '../base/log';
import { isInside } from '../files/pathRules';
import { ChangeStorageFolder, type ChangeStorage } from './changeStorage';
import { addCheckpoint, dropSession, findCheckpoint } from './checkpoints';
import type { ChangedAt } from './comparison';
import { versionBefore } from './fileChange';
import { isText } from './fileVersion';
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
  RestoredFile,
  RestorePreview,
  ReviewResult,
  Snapshots,
  Tracking,
} from './model';
import { findRenames } from './pendingFiles';
import { textBefore, type ReportedDiff } from './reportedDiff';
import { filesSince } from './restorePoint';

const WORK_DELAY_MS = 300;
const user: Author = { kind: 'user' };

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
  private readonly workTimers = new Map<FolderChanges, NodeJS.Timeout>();
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
        await folder.look(folder.judge());
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
    let isAll = concerned.length > 0;
    for (const folder of concerned) {
      isAll = (await folder.run(() => takeBack(folder.parts))) && isAll;
    }
    return isAll;
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

  /** The folder that this path is followed in. */
  followedFolder(path: string): string | undefined {
    return this.folderOfPath(path)?.folder;
  }

  /** When the turn began in which an agent first changed something in this folder. */
  followedSince(folder: string): number | undefined {
    const state = this.folderOfPath(folder)?.parts.state;
    const first = state?.journal.find(
      ({ author, path }) => author.kind === 'agent' && isInside(folder, path),
    );
    return state?.checkpoints.findLast(({ sequence }) => sequence <= (first?.sequence ?? -1))?.at;
  }

  /** What a file held when the running turn of a session began, unless an agent has changed it since. */
  async versionAtTurnStart(sessionId: string, path: string): Promise<Uint8Array | undefined> {
    const parts = this.folderOfPath(path)?.parts;
    const point = parts?.state.checkpoints.findLast((candidate) => candidate.sessionId === sessionId);
    const isOfAgent = parts?.state.journal.some(
      (entry) =>
        entry.path === path && entry.author.kind === 'agent' && entry.sequence >= (point?.sequence ?? 0),
    );
    if (parts === undefined || point?.snapshot === undefined || isOfAgent === true) {
      return undefined;
    }
    return (await parts.snapshots.read(parts.folder, point.snapshot, path))?.content;
  }

  hasCheckpoint(sessionId: string, turnId: number): boolean {
    return [...this.byFolder.values()].some(
      ({ parts }) => findCheckpoint(parts.state, sessionId, turnId) !== undefined,
    );
  }

  async previewRestore(sessionId: string, turnId: number): Promise<RestorePreview> {
    await this.loaded;
    const files: RestoredFile[] = [];
    for (const folder of this.byFolder.values()) {
      const point = findCheckpoint(folder.parts.state, sessionId, turnId);
      if (point !== undefined) {
        await folder.run(async () => {
          await folder.look(folder.judge());
          files.push(...(await filesSince(folder.parts, point)));
        });
      }
    }
    return { files };
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
      return restoreFiles(folder.parts, point, files, mark, options?.discardUserEdits === true);
    });
  }

  async turnStarted(session: ChangingSession, turnId: number): Promise<void> {
    await this.loaded;
    this.lastTurns.set(session.id, turnId);
    await this.inAll(session, (folder) => {
      const author = folder.judge();
      return async () => {
        await folder.look(author);
        folder.turns.start(session.id, turnId);
        await addCheckpoint(folder.parts, session.id, turnId);
      };
    });
  }

  async turnEnded(session: ChangingSession, turnId: number): Promise<void> {
    await this.inAll(session, (folder) => async () => {
      await folder.look(folder.judge());
      folder.turns.end(session.id, turnId);
    });
  }

  workStarted(session: ChangingSession, key: string): void {
    for (const folder of this.foldersOf(session)) {
      folder.turns.workStarted(session.id, key);
    }
  }

  workEnded(session: ChangingSession, key: string): void {
    for (const folder of this.foldersOf(session)) {
      folder.turns.workEnded(session.id, key);
      this.lookSoon(folder);
    }
  }

  async waitingStarted(session: ChangingSession): Promise<void> {
    await this.setWaiting(session, true);
  }

  async waitingEnded(session: ChangingSession): Promise<void> {
    await this.setWaiting(session, false);
  }

  async agentWillWrite(session: ChangingSession, path: string): Promise<void> {
    await this.loaded;
    const folder = this.folderOfPath(path) ?? this.folderOf(session.workdir);
    folder.turns.workStarted(session.id, path);
    const author = folder.judge();
    await folder.run(() => folder.lookAt([path], author));
  }

  async agentDidWrite(session: ChangingSession, path: string): Promise<void> {
    await this.loaded;
    const folder = this.folderOfPath(path) ?? this.folderOf(session.workdir);
    folder.turns.workEnded(session.id, path);
    const turnId = folder.turns.turnOf(session.id) ?? this.lastTurns.get(session.id) ?? 0;
    const author: Author = { kind: 'agent', sessionId: session.id, turnId };
    await folder.run(() => folder.lookAt([path], author));
  }

  async agentReported(session: ChangingSession, { path, ...diff }: ReportedDiff): Promise<void> {
    const folder = this.folderOfPath(path);
    const turnId = folder?.turns.turnOf(session.id);
    if (folder?.problem === undefined || turnId === undefined) {
      return;
    }
    await folder.run(async () => {
      const { state } = folder.parts;
      if (state.changes.has(path) || state.known.has(path)) {
        return;
      }
      const now = await this.options.files.read(path);
      const before = now !== undefined && isText(now) ? versionBeforeDiff(now, diff) : 'unknown';
      if (before !== 'unknown') {
        state.known.set(path, before);
        await folder.lookAt([path], { kind: 'agent', sessionId: session.id, turnId });
      }
    });
  }

  /** Not after what is going on, because the editor waits for it only a moment. */
  async userWillChange(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const folder = this.folderOfPath(path);
      if (folder?.turns.isAnyRunning === true) {
        folder.acts.begin(path, this.options.files.read(path));
        await folder.acts.before(path);
      }
    }
  }

  async userDidChange(paths: readonly string[]): Promise<void> {
    for (const folder of this.byFolder.values()) {
      const inFolder = paths.filter((path) => this.folderOfPath(path) === folder);
      if (inFolder.some((path) => isFollowed(folder, path))) {
        await folder.run(() => this.takeActs(folder, inFolder));
      }
    }
  }

  async refresh(): Promise<void> {
    await this.loaded;
    for (const folder of this.byFolder.values()) {
      if (folder.parts.state.snapshot !== undefined || folder.pending.length > 0) {
        const author = folder.turns.judge()(this.world.now());
        await folder.run(async () => {
          // While an agent works, its own looks are better placed: they know what it was doing.
          if (!folder.turns.isAnyRunning) {
            await folder.look(user);
          }
          await folder.takeCommit(author);
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
    for (const timer of this.workTimers.values()) {
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
        await folder.look(folder.judge());
        return decide(folder, mark);
      });
      files.push(...result.files);
      conflicts.push(...result.conflicts);
    }
    return { files, conflicts };
  }

  private lookSoon(folder: FolderChanges): void {
    if (this.workTimers.has(folder) || this.isDisposed) {
      return;
    }
    const timer = setTimeout(() => {
      this.workTimers.delete(folder);
      void folder.run(() => folder.look(folder.judge())).catch(this.report);
    }, WORK_DELAY_MS);
    this.workTimers.set(folder, timer);
  }

  private setWaiting(session: ChangingSession, isWaiting: boolean): Promise<void> {
    return this.inAll(session, (folder) => {
      const author = folder.judge();
      folder.turns.setWaiting(session.id, isWaiting);
      return () => folder.look(author);
    });
  }

  /** `prepare` sees all folders as they are now; what it gives is done in its turn. */
  private async inAll(
    session: ChangingSession,
    prepare: (folder: FolderChanges) => () => Promise<void>,
  ): Promise<void> {
    await Promise.all(
      this.foldersOf(session).map(async (folder) => {
        await folder.run(prepare(folder));
        folder.followTurns();
      }),
    );
  }

  private async takeActs(folder: FolderChanges, paths: readonly string[]): Promise<void> {
    const judge = folder.judge();
    for (const path of paths) {
      const [before, now] = [await folder.acts.before(path), await this.options.files.read(path)];
      if (before === undefined && now === undefined) {
        // A folder: what is in it only a snapshot tells.
        await folder.look(judge);
      }
    }
    await folder.lookAt(paths, (path) => (folder.acts.has(path) ? judge(path) : user));
    paths.forEach((path) => folder.acts.end(path));
  }

  private lastReview(): ReviewMark | undefined {
    const last = [...this.byFolder.values()].flatMap(({ parts }) => parts.state.reviews.slice(-1));
    return last.sort((one, other) => other.at - one.at)[0];
  }

  private foldersOf({ workdir, roots }: ChangingSession): readonly FolderChanges[] {
    return [...new Set([workdir, ...roots].map((root) => this.folderOf(root)))];
  }

  private folderOf(workdir: string): FolderChanges {
    return this.folderAt(this.workspaceFolderOf(workdir) ?? workdir);
  }

  private folderOfPath(path: string): FolderChanges | undefined {
    const folder = this.workspaceFolderOf(path);
    if (folder !== undefined && this.byFolder.has(folder)) {
      return this.byFolder.get(folder);
    }
    return [...this.byFolder.values()].find((known) => isInside(known.folder, path));
  }

  private workspaceFolderOf(path: string): string | undefined {
    const [longest] = this.options
      .folders()
      .filter((folder) => isInside(folder, path))
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

function versionBeforeDiff(
  { content, mode }: FileVersion,
  diff: Omit<ReportedDiff, 'path'>,
): FileVersion | undefined | 'unknown' {
  const before = textBefore(Buffer.from(content).toString('utf8'), diff);
  if (before.kind === 'unknown') {
    return 'unknown';
  }
  return before.text === undefined ? undefined : { content: Buffer.from(before.text), mode };
}

/** Between turns everything is the user's; it is of interest only where a review is open or can be taken back. */
function isFollowed({ turns, parts: { state } }: FolderChanges, path: string): boolean {
  return (
    turns.isAnyRunning ||
    [...state.changes.keys()].some((changed) => isInside(path, changed)) ||
    state.reviews.some(({ files }) => files.some((file) => file.path === path))
  );
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
