import { asError } from '../base/errors';
import { withinLimit } from '../base/withinLimit';
import type { IDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import { AgentTurns } from './agentTurns';
import type { ChangeStorage } from './changeStorage';
import {
  comparePaths,
  compareSnapshot,
  isFrom,
  isUnexplained,
  type AuthorOf,
  type ChangedAt,
} from './comparison';
import { applyOperations, type FileOperation, type FolderParts } from './folderParts';
import { GitFailed } from '../git/gitProgram';
import { emptyState, type FolderState, type KnownSnapshot } from './folderState';
import {
  SnapshotUnavailable,
  type Author,
  type ChangeFiles,
  type PendingFile,
  type Snapshots,
} from './model';
import { isText } from './fileVersion';
import { pendingFiles } from './pendingFiles';
import { unknown, versionBeforeEdits, type ReportedEdit } from './reportedEdit';
import { StateStore } from './stateStore';
import { timeOfChange } from './timeOfChange';
import { UserActs } from './userActs';
import { VersionStore } from './versionStore';

const TAKE_LIMIT_MS = 30_000;
const LIFE_SIGN_MS = 2000;
const LAST = 'last';
/** A file may go at the very moment in which it is taken. */
const TRIES = 2;

/** What a folder's changes need of the world. */
export interface FolderWorld {
  readonly snapshots: Snapshots;
  readonly files: ChangeFiles;
  readonly newId: () => string;
  readonly now: () => number;
  readonly changedAt: ChangedAt;
  readonly bornAt: ChangedAt;
  readonly log: Logger;
}

/** Follows one folder: who changed what, one look at a time. */
export class FolderChanges implements IDisposable {
  /** Why snapshots cannot be taken at the moment. */
  problem: string | undefined;
  /** Files that agents have changed where nobody can tell what. */
  readonly untracked = new Set<string>();
  private state: FolderState = emptyState();
  private turnsHere: AgentTurns;
  readonly acts: UserActs;
  private readonly versions: VersionStore;
  private readonly store: StateStore;
  private queue: Promise<unknown>;
  private shown: readonly PendingFile[] | undefined;
  private lifeSigns: NodeJS.Timeout | undefined;

  constructor(
    readonly folder: string,
    private readonly world: FolderWorld,
    private readonly storage: ChangeStorage,
    private readonly onDidChange: () => void,
  ) {
    this.turnsHere = new AgentTurns(this.state.running, world.now);
    this.acts = new UserActs(world.now);
    this.versions = new VersionStore(storage);
    this.store = new StateStore(folder, storage, this.versions, world.log);
    this.queue = this.load();
  }

  get turns(): AgentTurns {
    return this.turnsHere;
  }

  /** The last look failed, and the next one can still find what it missed. */
  get hasMissed(): boolean {
    return this.problem !== undefined && this.state.snapshot !== undefined;
  }

  get parts(): FolderParts {
    const { folder, state, versions, world } = this;
    return { folder, state, versions, ...world };
  }

  get pending(): readonly PendingFile[] {
    this.shown ??= pendingFiles(this.folder, this.state.changes);
    return this.shown;
  }

  /** After all that was begun before; then what is known is stored. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.queue.then(async () => {
      try {
        return await task();
      } finally {
        this.shown = undefined;
        await this.save();
        this.onDidChange();
      }
    });
    this.queue = result.catch(() => undefined);
    return result;
  }

  /** Settles when everything that was begun is done. */
  async settled(): Promise<void> {
    await this.queue;
  }

  /** Whose a change is that nobody saw being made, as things are now. */
  judge(): AuthorOf {
    const judge = this.turns.judge();
    return async (path) => {
      const since = this.state.snapshot?.at ?? 0;
      return judge(path, await timeOfChange(path, this.folder, since, this.world.changedAt));
    };
  }

  /** Within `run`: whatever is different now was done by the author. */
  async look(author: Author | AuthorOf): Promise<void> {
    const authorOf = typeof author === 'function' ? author : () => author;
    const snapshot = await this.take();
    const operations =
      snapshot === undefined ? await this.lookAtKnown(authorOf) : await this.compare(snapshot, authorOf);
    await this.apply(operations);
    if (snapshot !== undefined) {
      this.turns.forgetEnded();
      await this.retainLast(snapshot);
    }
  }

  /** Within `run`: the same for some files. What else is found on the way is as the judge says. */
  async lookAt(paths: readonly string[], author: Author | AuthorOf, judge: AuthorOf): Promise<void> {
    const authorOf = typeof author === 'function' ? author : () => author;
    for (const path of paths) {
      if (this.problem === undefined && (await isUnexplained(this.parts, path))) {
        await this.look(judge);
      }
    }
    await this.apply(await comparePaths(this.parts, paths, authorOf));
  }

  /** Within `run`: files that an agent is about to change. What cannot be tracked is left to what it reports. */
  async lookAtNamed(paths: readonly string[], judge: AuthorOf): Promise<void> {
    for (const path of paths.filter((named) => !this.isTooLarge(named))) {
      try {
        await this.lookAt([path], judge, judge);
      } catch (error) {
        this.world.log.debug(`${path} could not be looked at: ${asError(error).message}`);
      }
    }
  }

  /** Within `run`: the same for what the last snapshot shows, without taking another. */
  async lookAtTracked(paths: readonly string[], authorOf: AuthorOf): Promise<void> {
    const tracked: string[] = [];
    for (const path of paths) {
      if (!this.isTooLarge(path) && (this.state.changes.has(path) || (await this.isInSnapshot(path)))) {
        tracked.push(path);
      }
    }
    await this.apply(await comparePaths(this.parts, tracked, authorOf));
  }

  /** Within `run`: an agent says that it has changed a file, and maybe how. */
  async takeReport(
    path: string,
    edits: readonly ReportedEdit[],
    author: Author,
    judge: AuthorOf,
    turnStartedAt: number,
  ): Promise<void> {
    this.untracked.delete(path);
    try {
      if (this.isTooLarge(path) || !(await this.isExplained(path, edits, author, judge, turnStartedAt))) {
        this.untracked.add(path);
      }
    } catch (error) {
      this.world.log.debug(`${path} could not be looked at: ${asError(error).message}`);
      this.untracked.add(path);
    }
  }

  /** Within `run`: a commit of the user is as good as a keep. One of an agent has been reviewed by nobody. */
  async takeCommit(author: Author): Promise<void> {
    const { changes, atHead } = this.state;
    const candidates = [...changes.keys()].filter((path) => !atHead.has(path));
    for (const path of await this.committed(candidates)) {
      if (author.kind === 'user') {
        changes.delete(path);
      } else {
        atHead.add(path);
      }
    }
  }

  /** Within `run`: pending files that are as in HEAD now, by whatever it was, have not been kept by a commit. */
  async noteHead(paths: readonly string[]): Promise<void> {
    const { changes, atHead } = this.state;
    for (const path of await this.committed(paths.filter((candidate) => changes.has(candidate)))) {
      atHead.add(path);
    }
  }

  /** Signs of life tell, after a crash, until when the agents worked. */
  followTurns(): void {
    if (this.turns.isAnyRunning && this.lifeSigns === undefined) {
      this.lifeSigns = setInterval(() => void this.signLife(), LIFE_SIGN_MS);
      this.lifeSigns.unref();
    } else if (!this.turns.isAnyRunning) {
      clearInterval(this.lifeSigns);
      this.lifeSigns = undefined;
    }
  }

  dispose(): void {
    clearInterval(this.lifeSigns);
  }

  private async load(): Promise<void> {
    try {
      this.state = await this.store.load();
      const interrupted = [...this.state.running];
      this.turnsHere = new AgentTurns(this.state.running, this.world.now);
      if (interrupted.length > 0) {
        await this.recover();
      }
      await this.store.collect(this.state);
    } catch (error) {
      this.world.log.error(asError(error));
    }
    this.shown = undefined;
    this.onDidChange();
  }

  /** The process ended in the middle of a turn. What is older than its last sign of life was the agent's. */
  private async recover(): Promise<void> {
    const until = (await this.storage.aliveAt()) + LIFE_SIGN_MS;
    const agent = this.turns.judge()(this.folder, undefined);
    await this.look(async (path) =>
      (await isFrom(path, until, this.world.changedAt)) ? agent : { kind: 'user' },
    );
    this.state.running.clear();
    await this.save();
  }

  /** By how it was seen before; where that is not known, or was looked at too late, by what the agent says. */
  private async isExplained(
    path: string,
    edits: readonly ReportedEdit[],
    author: Author,
    judge: AuthorOf,
    turnStartedAt: number,
  ): Promise<boolean> {
    const { state, world } = this;
    const wasSeen = state.known.has(path);
    await this.lookAt([path], judge, judge);
    if (state.changes.has(path) || (await this.isInSnapshot(path))) {
      return true;
    }
    const now = await world.files.read(path);
    const isNew = ((await world.bornAt(path)) ?? 0) >= turnStartedAt;
    const before = now !== undefined && isText(now) ? versionBeforeEdits(now, edits, isNew) : unknown;
    if (before === unknown) {
      return wasSeen;
    }
    state.known.set(path, before);
    await this.apply(await comparePaths(this.parts, [path], () => author));
    return true;
  }

  private async isInSnapshot(path: string): Promise<boolean> {
    const { snapshot } = this.state;
    return (
      this.problem === undefined &&
      snapshot !== undefined &&
      (await this.world.snapshots.read(this.folder, snapshot.id, path)) !== undefined
    );
  }

  private isTooLarge(path: string): boolean {
    return this.state.snapshot?.skipped.includes(path) === true;
  }

  private async apply(found: readonly FileOperation[]): Promise<void> {
    const { state } = this;
    const batches = await this.acts.split(found);
    for (const operations of batches) {
      await applyOperations(this.parts, operations);
    }
    for (const path of state.unseen) {
      if (!state.changes.has(path)) {
        state.unseen.delete(path);
      }
    }
    const byAgents = batches
      .flat()
      .filter(({ author, path }) => author.kind === 'agent' && state.changes.has(path));
    await this.noteHead(byAgents.map(({ path }) => path));
  }

  private async compare(snapshot: KnownSnapshot, authorOf: AuthorOf): Promise<readonly FileOperation[]> {
    try {
      return await compareSnapshot(this.parts, snapshot, authorOf, this.world.changedAt);
    } catch (error) {
      this.fail(error);
      return this.lookAtKnown(authorOf);
    }
  }

  private lookAtKnown(authorOf: AuthorOf): Promise<readonly FileOperation[]> {
    return comparePaths(
      this.parts,
      new Set([...this.state.known.keys(), ...this.state.changes.keys()]),
      authorOf,
    );
  }

  private async take(): Promise<KnownSnapshot | undefined> {
    for (let triesLeft = TRIES; triesLeft > 0; triesLeft--) {
      const at = this.world.now();
      try {
        // A turn must not wait for ever for a folder that cannot be read.
        const taking = this.world.snapshots.take(this.folder);
        const { id, skipped } = await withinLimit(taking, TAKE_LIMIT_MS, () => new Error('it took too long'));
        this.problem = undefined;
        return { id, at, skipped };
      } catch (error) {
        this.fail(error);
        if (error instanceof SnapshotUnavailable) {
          // It will last, and what changes until then is seen by nobody: it cannot be called an agent's.
          this.state.snapshot = undefined;
        }
        if (!(error instanceof GitFailed)) {
          return undefined;
        }
      }
    }
    return undefined;
  }

  private fail(error: unknown): void {
    const reason = asError(error).message;
    if (reason !== this.problem) {
      this.world.log.warn(`No snapshot of ${this.folder}: ${reason}`);
    }
    this.problem = reason;
  }

  private async retainLast({ id }: KnownSnapshot): Promise<void> {
    try {
      await this.world.snapshots.retain(this.folder, id, LAST);
    } catch (error) {
      this.world.log.warn(`The last snapshot of ${this.folder} was not retained: ${asError(error).message}`);
    }
  }

  private async committed(paths: readonly string[]): Promise<readonly string[]> {
    if (paths.length === 0 || this.problem !== undefined) {
      return [];
    }
    try {
      return await this.world.snapshots.committed(this.folder, paths);
    } catch (error) {
      this.world.log.debug(`What is committed in ${this.folder} is not known: ${asError(error).message}`);
      return [];
    }
  }

  private async save(): Promise<void> {
    try {
      await this.store.save(this.state);
      if (this.turns.isAnyRunning) {
        await this.storage.signLife();
      }
    } catch (error) {
      this.world.log.error(`The changes of ${this.folder} were not stored: ${asError(error).message}`);
    }
  }

  private async signLife(): Promise<void> {
    try {
      await this.storage.signLife();
    } catch (error) {
      this.world.log.debug(`No sign of life: ${asError(error).message}`);
    }
  }
}
