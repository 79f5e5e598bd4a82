import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Emitter } from '../base/emitter';
import type { Logger } from '../base/log';
import { isInside } from '../files/pathRules';
import type { ChangeStorages } from './changeStorage';
import { addCheckpoint, dropSession, findCheckpoint } from './checkpoints';
import type { ChangedAt } from './comparison';
import { versionBefore } from './fileChange';
import { FolderChanges, type FolderWorld } from './folderChanges';
import type { Review } from './folderState';
import {
  canTakeBack,
  keepSelected,
  restoreFiles,
  takeBack,
  undoSelected,
  type ReviewMark,
} from './folderReview';
import type {
  AgentWork,
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
import type { ReportedEdit } from './reportedEdit';
import { filesSince } from './restorePoint';
import { birthTimeOf, ctimeOf } from './timeOfChange';

const WORK_DELAY_MS = 300;
const MOST_NOTICED = 20;
const user: Author = { kind: 'user' };

export interface TrackerOptions {
  readonly snapshots: Snapshots;
  readonly files: ChangeFiles;
  readonly log: Logger;
  /** The workspace folders. A session's folder is one of them, or inside of one. */
  readonly folders: () => readonly string[];
  readonly storageOf: ChangeStorages['storageOf'];
  readonly storedFolders: ChangeStorages['storedFolders'];
  readonly newId?: () => string;
  readonly now?: () => number;
  readonly changedAt?: ChangedAt;
  readonly bornAt?: ChangedAt;
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
    const { snapshots, files, log, newId, now, changedAt, bornAt } = options;
    this.world = {
      snapshots,
      files,
      log,
      newId: newId ?? randomUUID,
      now: now ?? Date.now,
      changedAt: changedAt ?? ctimeOf,
      bornAt: bornAt ?? birthTimeOf,
    };
    this.loaded = this.load();
  }

  get tracking(): Tracking {
    for (const { folder, problem } of this.byFolder.values()) {
      if (problem !== undefined) {
        return { kind: 'writesOnly', folder, reason: problem };
      }
    }
    const paths = [...this.byFolder.values()].flatMap(({ untracked }) => [...untracked]);
    return paths.length > 0 ? { kind: 'partly', paths } : { kind: 'full' };
  }

  get lastReview(): string | undefined {
    const last = [...this.byFolder.values()].flatMap(({ parts }) => parts.state.reviews.slice(-1));
    return last.sort((one, other) => other.at - one.at)[0]?.id;
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

  async undoReview(id: string | undefined = this.lastReview): Promise<boolean> {
    await this.loaded;
    const reviewIn = ({ parts }: FolderChanges): Review | undefined =>
      parts.state.reviews.find((review) => review.id === id);
    const concerned = [...this.byFolder.values()].filter((folder) => reviewIn(folder) !== undefined);
    for (const folder of concerned) {
      const isPossible = await folder.run(async () => {
        await folder.look(folder.judge());
        const review = reviewIn(folder);
        const disk = new Map<string, FileVersion | undefined>();
        for (const { path } of review?.files ?? []) {
          disk.set(path, await this.options.files.read(path));
        }
        return review !== undefined && canTakeBack(folder.parts, review, disk);
      });
      if (!isPossible) {
        return false;
      }
    }
    let isAll = concerned.length > 0;
    for (const folder of concerned) {
      const isWhole = await folder.run(async () => {
        const review = reviewIn(folder);
        if (review === undefined) {
          return false;
        }
        const isTaken = await takeBack(folder.parts, review);
        await folder.noteHead(review.files.map(({ path }) => path));
        return isTaken;
      });
      isAll = isWhole && isAll;
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

  async turnStarted(session: ChangingSession, turnId: number, tells = false): Promise<void> {
    await this.loaded;
    this.lastTurns.set(session.id, turnId);
    await this.inAll(session, (folder) => {
      const author = folder.judge();
      return async () => {
        await folder.look(author);
        folder.untracked.clear();
        folder.turns.start(session.id, turnId, tells);
        await addCheckpoint(folder.parts, session.id, turnId);
      };
    });
  }

  async turnEnded(session: ChangingSession, turnId: number): Promise<void> {
    await this.inAll(session, (folder) => async () => {
      await folder.look(folder.judge());
      folder.turns.end(session.id, turnId, !folder.hasMissed);
    });
  }

  workStarted(session: ChangingSession, work: AgentWork): void {
    for (const folder of this.foldersOf(session)) {
      const named = folder.turns.workStarted(session.id, work);
      const inFolder = this.pathsIn(folder, named);
      if (inFolder.length > 0) {
        const judge = folder.judge();
        // What is different by now was not done by this call, as the time of it tells.
        void folder.run(() => folder.lookAtNamed(inFolder, judge)).catch(this.report);
      }
    }
  }

  workEnded(session: ChangingSession, work: AgentWork): void {
    for (const folder of this.foldersOf(session)) {
      folder.turns.workEnded(session.id, work);
      if (work.paths?.length !== 0) {
        this.lookSoon(folder);
      }
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
    folder.turns.workStarted(session.id, { key: path, paths: [path] });
    const judge = folder.judge();
    await folder.run(() => folder.lookAt([path], judge, judge));
  }

  async agentDidWrite(session: ChangingSession, path: string): Promise<void> {
    await this.loaded;
    const folder = this.folderOfPath(path) ?? this.folderOf(session.workdir);
    folder.turns.workEnded(session.id, { key: path, paths: [path] });
    const turnId = folder.turns.turnOf(session.id) ?? this.lastTurns.get(session.id) ?? 0;
    const author: Author = { kind: 'agent', sessionId: session.id, turnId };
    const judge = folder.judge();
    await folder.run(() => folder.lookAt([path], author, judge));
  }

  async agentReported(session: ChangingSession, path: string, edits: readonly ReportedEdit[]): Promise<void> {
    const folder = this.folderOfPath(path);
    const turnId = folder?.turns.turnOf(session.id);
    if (folder !== undefined && turnId !== undefined && path !== folder.folder) {
      const author: Author = { kind: 'agent', sessionId: session.id, turnId };
      const judge = folder.judge();
      const startedAt = folder.turns.startedAt(session.id);
      await folder.run(() => folder.takeReport(path, edits, author, judge, startedAt));
    }
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
        const acts = new Map(inFolder.map((path) => [path, folder.acts.current(path)]));
        await folder.run(() => this.takeActs(folder, acts));
      }
    }
  }

  async filesChanged(paths: readonly string[]): Promise<void> {
    for (const folder of this.byFolder.values()) {
      const inFolder = this.pathsIn(folder, paths);
      // Of many the time tells: looking at each costs more.
      if (folder.turns.isQuiet && inFolder.length > 0 && inFolder.length <= MOST_NOTICED) {
        const judge = folder.judge();
        await folder.run(() => folder.lookAtTracked(inFolder, judge));
      }
    }
  }

  async refresh(): Promise<void> {
    await this.loaded;
    for (const folder of this.byFolder.values()) {
      if (folder.parts.state.snapshot !== undefined || folder.pending.length > 0) {
        // No tool call commits that only edits some files.
        const author = folder.turns.judge()(join(folder.folder, '.git'), this.world.now());
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
    decide: (folder: FolderChanges, mark: ReviewMark) => Promise<Omit<ReviewResult, 'id'>>,
  ): Promise<ReviewResult> {
    await this.loaded;
    this.lastReviewAt = Math.max(this.world.now(), this.lastReviewAt + 1);
    const mark = { id: this.world.newId(), at: this.lastReviewAt };
    const files: string[] = [];
    const conflicts: string[] = [];
    for (const folder of this.byFolder.values()) {
      const result = await folder.run(async () => {
        await folder.look(folder.judge());
        const done = await decide(folder, mark);
        await folder.noteHead(done.files);
        return done;
      });
      files.push(...result.files);
      conflicts.push(...result.conflicts);
    }
    return { id: files.length > 0 ? mark.id : undefined, files, conflicts };
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

  private async takeActs(
    folder: FolderChanges,
    acts: ReadonlyMap<string, number | undefined>,
  ): Promise<void> {
    const paths = [...acts.keys()];
    const judge = folder.judge();
    for (const path of paths) {
      const [before, now] = [await folder.acts.before(path), await this.options.files.read(path)];
      if (before === undefined && now === undefined) {
        // A folder: what is in it only a snapshot tells.
        await folder.look(judge);
      }
    }
    await folder.lookAt(
      paths,
      (path) => (folder.acts.current(path) === undefined ? user : judge(path)),
      judge,
    );
    acts.forEach((number, path) => folder.acts.end(path, number, folder.parts.state.known.get(path)));
  }

  private foldersOf({ workdir, roots }: ChangingSession): readonly FolderChanges[] {
    return [...new Set([workdir, ...roots].map((root) => this.folderOf(root)))];
  }

  private folderOf(workdir: string): FolderChanges {
    return this.folderAt(this.workspaceFolderOf(workdir) ?? workdir);
  }

  /** Agents also name the folder itself, which is no file. */
  private pathsIn(folder: FolderChanges, paths: readonly string[]): readonly string[] {
    return paths.filter((path) => path !== folder.folder && this.folderOfPath(path) === folder);
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

/** Between turns everything is the user's; it is of interest only where a review is open or can be taken back. */
function isFollowed({ turns, parts: { state } }: FolderChanges, path: string): boolean {
  return (
    turns.isAnyRunning ||
    [...state.changes.keys()].some((changed) => isInside(path, changed)) ||
    state.reviews.some(({ files }) => files.some((file) => file.path === path))
  );
}
