import * as vscode from 'vscode';
import { asError } from '../../core/base/errors';
import type { Logger } from '../../core/base/log';
import { keepsEdits } from '../../core/files/keepsEdits';
import { KnownTexts } from '../../core/files/knownTexts';
import { merge3 } from '../../core/files/merge3';
import type { AccessRequest, AllowedPath, PathGuard } from '../../core/files/pathGuard';
import { PathQueue } from '../../core/files/pathQueue';
import { realPath } from '../../core/files/realPath';
import { selectLines } from '../../core/files/selectLines';
import { FileProblem, type FilePort, type ReadRequest, type WriteRequest } from '../../core/ports';
import {
  applyText,
  createFile,
  isBehindDisk,
  untilInHistory,
  normalBreaks,
  openDocument,
  reloaded,
  saveDocument,
} from './documents';
import { readDisk } from './readDisk';

/** Told around what agents do with files; awaited. Session ids are ours. */
export interface FileObserver {
  onWillWrite(path: string, sessionId: string): Promise<void>;
  onDidWrite(path: string, sessionId: string): Promise<void>;
  /** The content when the session's turn began, unless an agent has changed it since. */
  versionAtTurnStart(path: string, sessionId: string): Promise<Uint8Array | undefined>;
  /** For whoever follows along; not awaited. */
  onDidUse(path: string, sessionId: string, line: number | undefined): void;
}

/** Throws when a path leads elsewhere than it did. */
type Check = () => Promise<void>;

/** How often a change is worked out anew because the user was typing at that moment. */
const ATTEMPTS = 3;

/** Serves agents' file requests through the editor: unsaved text counts, undo works, and the user's edits stay. */
export class WorkspaceFiles implements FilePort {
  private readonly arrivals = new PathQueue();
  private readonly queue = new PathQueue();
  private readonly known = new KnownTexts();
  /** What was refused last: the same again, without a look at the file, is refused once more. */
  private readonly refused = new KnownTexts();
  private readonly writing = new Set<string>();

  constructor(
    private readonly guard: PathGuard,
    private readonly observer: FileObserver,
    private readonly log: Logger,
  ) {}

  /** A save that happens now is an agent's and not the user's. */
  isWriting(path: string): boolean {
    return this.writing.has(path);
  }

  async readTextFile(request: ReadRequest): Promise<string> {
    const access: AccessRequest = { ...request, access: 'read' };
    const allowed = await this.guard.allow(access);
    this.observer.onDidUse(allowed.path, request.sessionId, request.line);
    const document = openDocument(allowed, request.path);
    if (document !== undefined && !(await isBehindDisk(document))) {
      const text = document.getText();
      this.remember(request.sessionId, allowed, text);
      return selectLines(text, request.line, request.limit);
    }
    const { text, isWhole } = await readDisk(allowed, request, () => this.guard.recheck(access, allowed));
    if (!isWhole) {
      return text;
    }
    this.remember(request.sessionId, allowed, text);
    return selectLines(text, request.line, request.limit);
  }

  /** A review has changed the file: what sessions knew of it is no base for anything any more. */
  async forget(path: string): Promise<void> {
    this.known.deletePath(await realPath(path));
  }

  /** In the order in which they were asked for, whatever the checks take. */
  async writeTextFile(request: WriteRequest): Promise<void> {
    const isSaved = await this.arrivals.run(request.path, async () => {
      const access: AccessRequest = { ...request, access: 'write' };
      const allowed = await this.guard.allow(access);
      // Again right before each use: between a check and a use a link may have been put in the way.
      const check = (): Promise<void> => this.guard.recheck(access, allowed);
      // Two paths may lead to one file.
      return await this.queue.run(allowed.real, async () => {
        await check();
        return await this.write(request, allowed, check);
      });
    });
    if (isSaved) {
      // Some agents write the file once more themselves as soon as they have the answer.
      await untilInHistory();
    }
  }

  /** Whether it went through a document. */
  private async write(request: WriteRequest, allowed: AllowedPath, check: Check): Promise<boolean> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const document = await this.documentFor(request, allowed);
      if (document?.isDirty === true) {
        // What the user has typed is saved as theirs, so that it is never taken for the agent's. First the merge
        // is tried: if it fails, nothing is touched.
        await this.merge(request, allowed, document);
        await check();
        await saveDocument(document);
      }
      const isDone = await this.asAgent(request, allowed, document, async () =>
        document === undefined
          ? this.create(request, allowed, check)
          : this.change(request, allowed, document, check, attempt < ATTEMPTS),
      );
      if (isDone) {
        return document !== undefined;
      }
    }
    throw new FileProblem('failed', `The editor did not take the change to ${request.path}.`);
  }

  private async create(
    { sessionId, content }: WriteRequest,
    allowed: AllowedPath,
    check: Check,
  ): Promise<boolean> {
    await check();
    await createFile(vscode.Uri.file(allowed.path), content);
    this.remember(sessionId, allowed, normalBreaks(content));
    return true;
  }

  /** False when the user was typing at that moment: then it is to be worked out anew. */
  private async change(
    request: WriteRequest,
    allowed: AllowedPath,
    document: vscode.TextDocument,
    check: Check,
    canRetry: boolean,
  ): Promise<boolean> {
    if (document.isDirty && canRetry) {
      return false;
    }
    const wanted = textFor(document, request.content);
    const merged = await this.merge(request, allowed, document);
    await check();
    if (!(await applyText(document, merged))) {
      return false;
    }
    await check();
    await saveDocument(document);
    // A formatter may have run; that the agent need not be told. What the user has typed, it must be.
    const saved = normalBreaks(document.getText());
    this.remember(request.sessionId, allowed, merged === wanted && !document.isDirty ? saved : wanted);
    return true;
  }

  /** Whatever becomes of the file in here is the agent's. */
  private async asAgent(
    { sessionId }: WriteRequest,
    { path }: AllowedPath,
    document: vscode.TextDocument | undefined,
    work: () => Promise<boolean>,
  ): Promise<boolean> {
    const name = document?.uri.fsPath ?? path;
    await this.tell(this.observer.onWillWrite(path, sessionId));
    this.writing.add(name);
    try {
      return await work();
    } finally {
      this.writing.delete(name);
      await this.tell(this.observer.onDidWrite(path, sessionId));
      this.observer.onDidUse(path, sessionId, undefined);
    }
  }

  /** An agent's write does not fail because it could not be noted. */
  private async tell(noting: Promise<void>): Promise<void> {
    try {
      await noting;
    } catch (error) {
      this.log.error(asError(error));
    }
  }

  private async documentFor(
    request: WriteRequest,
    allowed: AllowedPath,
  ): Promise<vscode.TextDocument | undefined> {
    const open = openDocument(allowed, request.path);
    if (open !== undefined) {
      // An editor that has not yet seen what is on the disk could not save over it.
      await reloaded(open);
      if (await isBehindDisk(open)) {
        throw new FileProblem(
          'failed',
          `The editor has yet to read ${allowed.path} again. Try it once more.`,
        );
      }
    }
    if (open?.isClosed === false) {
      return open;
    }
    const uri = vscode.Uri.file(allowed.path);
    const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
    if (stat === undefined) {
      return undefined;
    }
    if ((stat.type & vscode.FileType.Directory) !== 0) {
      throw new FileProblem('invalid', `${allowed.path} is a folder.`);
    }
    try {
      return await vscode.workspace.openTextDocument(uri);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new FileProblem('invalid', `${allowed.path} cannot be written as text: ${reason}`);
    }
  }

  /** The agent's change on top of what the user has made of the file since the agent saw it. */
  private async merge(
    { sessionId, path, content }: WriteRequest,
    allowed: AllowedPath,
    document: vscode.TextDocument,
  ): Promise<string> {
    const wanted = textFor(document, content);
    const current = normalBreaks(document.getText());
    const disk = document.isDirty ? await this.diskText(allowed) : current;
    const base = this.known.get(sessionId, allowed.real) ?? (await this.unread(sessionId, allowed)) ?? disk;
    const merged = mergedText(base, current, wanted);
    const isRepeated = this.refused.get(sessionId, allowed.real) === wanted && current !== wanted;
    if (merged !== undefined && !isRepeated) {
      this.known.set(sessionId, allowed.real, base);
      return merged;
    }
    if (isRepeated) {
      // Told twice, it means it; by then it has been on the disk to be read.
      this.refused.delete(sessionId, allowed.real);
    } else {
      this.refused.set(sessionId, allowed.real, wanted);
    }
    // It is told to read again, which it may do from the disk.
    this.known.set(sessionId, allowed.real, disk);
    throw new FileProblem(
      'failed',
      `${path} was not written: the same lines were changed since you read it. ` +
        'Read the file again and make your change to what it holds now.',
    );
  }

  /** An agent that has not read it here has read the disk, now or since its turn began. */
  private async unread(sessionId: string, { path }: AllowedPath): Promise<string | undefined> {
    const version = await this.observer.versionAtTurnStart(path, sessionId).catch(() => undefined);
    if (version === undefined) {
      return undefined;
    }
    try {
      return normalBreaks(await vscode.workspace.decode(version, { uri: vscode.Uri.file(path) }));
    } catch {
      // No text then.
      return undefined;
    }
  }

  private async diskText(allowed: AllowedPath): Promise<string> {
    const whole = { line: undefined, limit: undefined };
    const { text } = await readDisk(allowed, whole, () => Promise.resolve());
    return normalBreaks(text);
  }

  private remember(sessionId: string, { real }: AllowedPath, text: string): void {
    this.known.set(sessionId, real, normalBreaks(text));
    this.refused.delete(sessionId, real);
  }
}

/** Undefined when it cannot be both; also for an agent that would have nothing changed, of a file that has been. */
function mergedText(base: string, current: string, wanted: string): string | undefined {
  if (wanted === base && wanted !== current) {
    return undefined;
  }
  return merge3(base, current, wanted) ?? (keepsEdits(base, current, wanted) ? wanted : undefined);
}

/** The document has its mark of the encoding by itself. */
function textFor(document: vscode.TextDocument, content: string): string {
  return normalBreaks(document.encoding === 'utf8' ? content : content.replace(/^\ufeff/, ''));
}
