import { Emitter } from '../../src/core/base/emitter';
import type {
  AgentWork,
  Changes,
  ChangeSelection,
  ChangingSession,
  FileVersion,
  Hunk,
  PendingFile,
  RestorePreview,
  ReviewResult,
  Tracking,
} from '../../src/core/changes/model';
import type { ReportedEdit } from '../../src/core/changes/reportedEdit';

/** Changes in memory: holds what tests put in, takes it out when it is reviewed, and writes down what it is told. */
export class FakeChanges implements Changes {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  /** Every call that has an effect, as words. */
  readonly calls: string[] = [];
  readonly conflicts = new Set<string>();
  readonly previews = new Map<number, RestorePreview>();
  readonly turnFiles = new Map<number, readonly string[]>();
  readonly versions = new Map<string, FileVersion | undefined>();
  tracking: Tracking = { kind: 'full' };
  private files: readonly PendingFile[] = [];
  private earlier: readonly PendingFile[] | undefined;
  private reviews = 0;

  set(files: readonly PendingFile[]): void {
    this.files = files;
    this.changed.fire();
  }

  pending(sessionId?: string): readonly PendingFile[] {
    return this.files.filter((file) => sessionId === undefined || file.sessionIds.includes(sessionId));
  }

  async before(path: string): Promise<FileVersion | undefined> {
    return this.versions.get(path);
  }

  async keep(selection: ChangeSelection): Promise<ReviewResult> {
    this.calls.push(`keep ${JSON.stringify(selection)}`);
    return this.review(selection, new Set());
  }

  async undo(selection: ChangeSelection, options: { readonly force?: boolean } = {}): Promise<ReviewResult> {
    this.calls.push(`undo ${JSON.stringify(selection)}${options.force === true ? ' by force' : ''}`);
    return this.review(selection, options.force === true ? new Set() : this.conflicts);
  }

  async undoReview(id?: string): Promise<boolean> {
    const { earlier } = this;
    this.earlier = undefined;
    this.calls.push(id === undefined ? 'undoReview' : `undoReview ${id}`);
    if (earlier !== undefined) {
      this.set(earlier);
    }
    return earlier !== undefined;
  }

  get lastReview(): string | undefined {
    return this.earlier === undefined ? undefined : `review ${this.reviews}`;
  }

  changedIn(_sessionId: string, turnId: number): readonly string[] {
    return this.turnFiles.get(turnId) ?? [];
  }

  hasCheckpoint(_sessionId: string, turnId: number): boolean {
    return this.previews.has(turnId);
  }

  async previewRestore(_sessionId: string, turnId: number): Promise<RestorePreview> {
    return this.previews.get(turnId) ?? { files: [] };
  }

  async restore(
    sessionId: string,
    turnId: number,
    options: { readonly discardUserEdits?: boolean } = {},
  ): Promise<ReviewResult> {
    const all = options.discardUserEdits === true;
    this.calls.push(`restore ${sessionId} ${turnId}${all ? ' with my edits' : ''}`);
    const files = this.previews.get(turnId)?.files ?? [];
    this.earlier = this.files;
    this.reviews++;
    this.set(this.files.filter(({ path }) => !files.some((file) => file.path === path)));
    return {
      id: this.lastReview,
      files: files.filter(({ isConflict }) => all || !isConflict).map(({ path }) => path),
      conflicts: files.filter(({ isConflict }) => !all && isConflict).map(({ path }) => path),
    };
  }

  async turnStarted(session: ChangingSession, turnId: number, tells = false): Promise<void> {
    this.calls.push(`turnStarted ${session.id} ${turnId}${tells ? ' of one that tells' : ''}`);
  }

  async turnEnded(session: ChangingSession, turnId: number): Promise<void> {
    this.calls.push(`turnEnded ${session.id} ${turnId}`);
  }

  workStarted({ id }: ChangingSession, { key, paths = ['anything'] }: AgentWork): void {
    this.calls.push(`workStarted ${id} ${[key, ...paths].join(' ')}`);
  }

  workEnded({ id }: ChangingSession, { key, paths = ['anything'] }: AgentWork): void {
    this.calls.push(`workEnded ${id} ${[key, ...paths].join(' ')}`);
  }

  async waitingStarted(session: ChangingSession): Promise<void> {
    this.calls.push(`waitingStarted ${session.id}`);
  }

  async waitingEnded(session: ChangingSession): Promise<void> {
    this.calls.push(`waitingEnded ${session.id}`);
  }

  async agentWillWrite(session: ChangingSession, path: string): Promise<void> {
    this.calls.push(`agentWillWrite ${session.id} ${path}`);
  }

  async agentDidWrite(session: ChangingSession, path: string): Promise<void> {
    this.calls.push(`agentDidWrite ${session.id} ${path}`);
  }

  async agentReported({ id }: ChangingSession, path: string, edits: readonly ReportedEdit[]): Promise<void> {
    this.calls.push(`agentReported ${id} ${[path, ...edits.map(({ newText }) => newText)].join(' ')}`);
  }

  async userWillChange(paths: readonly string[]): Promise<void> {
    this.calls.push(`userWillChange ${paths.join(' ')}`);
  }

  async userDidChange(paths: readonly string[]): Promise<void> {
    this.calls.push(`userDidChange ${paths.join(' ')}`);
  }

  async filesChanged(paths: readonly string[]): Promise<void> {
    this.calls.push(`filesChanged ${paths.join(' ')}`);
  }

  async refresh(): Promise<void> {
    this.calls.push('refresh');
  }

  sessionDeleted(sessionId: string): void {
    this.calls.push(`sessionDeleted ${sessionId}`);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private review(selection: ChangeSelection, conflicts: ReadonlySet<string>): ReviewResult {
    const chosen = this.pending(selection.sessionId).filter(
      ({ path }) => selection.path === undefined || path === selection.path,
    );
    const done = chosen.filter(({ path }) => !conflicts.has(path));
    this.earlier = this.files;
    this.reviews++;
    this.set(
      this.files.flatMap((file) => {
        if (!done.includes(file)) {
          return [file];
        }
        const hunks = file.hunks.filter(
          ({ id }) => selection.hunkId !== undefined && id !== selection.hunkId,
        );
        return hunks.length === 0 ? [] : [pendingFile(file.path, { ...file, hunks })];
      }),
    );
    return {
      id: done.length > 0 ? this.lastReview : undefined,
      files: done.map(({ path }) => path),
      conflicts: chosen.filter((file) => !done.includes(file)).map(({ path }) => path),
    };
  }
}

export function hunk(id: string, nowStart: number, before: readonly string[], now: readonly string[]): Hunk {
  return { id, sessionId: 's1', turnId: 1, beforeStart: nowStart, before, nowStart, now, isMixed: false };
}

export function pendingFile(path: string, given: Partial<PendingFile> = {}): PendingFile {
  const hunks = given.hunks ?? [];
  return {
    folder: '/',
    kind: 'edited',
    previousPath: undefined,
    sessionIds: ['s1'],
    isWhole: false,
    isBinary: false,
    isMixed: false,
    ...given,
    path,
    hunks,
    added: hunks.reduce((sum, { now }) => sum + now.length, 0),
    removed: hunks.reduce((sum, { before }) => sum + before.length, 0),
  };
}
