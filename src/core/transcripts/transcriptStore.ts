import { asString, isObject, type JsonObject } from '../../shared/json';
import { coalesce } from '../../shared/transcript/coalesce';
import type { TranscriptEvent } from '../../shared/transcript/events';
import { asError } from '../base/errors';
import type { IDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import { changesSomething, compactEvents } from './compactEvents';
import { TranscriptFiles, type LogFile } from './transcriptFiles';
import { eventLines, headLine, parseLines, type ParsedLines, type StoredTranscript } from './transcriptLines';

const FLUSH_MS = 50;
const COMPACT_BYTES = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
const LEFTOVER_MS = 60 * 60 * 1000;

/** Metadata that a log carries, so that its session can be listed without `workspaceState`. */
export interface TranscriptHead {
  readonly sessionId: string;
  readonly title?: string;
}

export interface ListedTranscript {
  readonly sessionId: string;
  /** Unchecked, as it was stored. */
  readonly head: JsonObject;
  readonly bytes: number;
  readonly modifiedAt: number;
}

export interface PruneLimits {
  readonly maxAgeDays: number;
  readonly maxTotalBytes: number;
  /** Sessions that stay whatever their age; those that are open here stay anyway. */
  readonly keep: ReadonlySet<string>;
}

interface OpenLog {
  readonly name: string;
  pending: TranscriptEvent[];
  timer: NodeJS.Timeout | undefined;
  /** When the oldest pending event came. */
  waitingSince: number;
  hasFailed: boolean;
}

/**
 * An append-only event log per session. What was appended is with the operating system after 50 ms, so that
 * killing the extension host costs no more; that is also why writing is synchronous.
 */
export class TranscriptStore implements IDisposable {
  private readonly files: TranscriptFiles;
  private readonly logs = new Map<string, OpenLog>();

  constructor(
    directory: string,
    private readonly log: Logger,
  ) {
    this.files = new TranscriptFiles(directory);
  }

  /** Starts a log, or goes on with an older one. Events of sessions that are not open are not stored. */
  open(head: TranscriptHead): void {
    if (!this.logs.has(head.sessionId)) {
      const name = this.files.nameOf(head.sessionId);
      this.logs.set(head.sessionId, {
        name,
        pending: [],
        timer: undefined,
        waitingSince: 0,
        hasFailed: false,
      });
    }
    this.updateHead(head.sessionId, head);
  }

  /** Also for sessions that are not open; those that were deleted stay so. */
  updateHead(sessionId: string, head: TranscriptHead): void {
    const name = this.files.nameOf(sessionId);
    if (!this.logs.has(sessionId) && !this.files.hasLog(name)) {
      return;
    }
    try {
      this.files.append(name, headLine(head));
      this.files.writeHead(name, JSON.stringify(head));
    } catch (error) {
      this.log.error(`The metadata of session ${sessionId} could not be stored: ${asError(error).message}`);
    }
  }

  append(sessionId: string, event: TranscriptEvent): void {
    const open = this.logs.get(sessionId);
    if (open === undefined) {
      this.log.debug(`An event of session ${sessionId} was not stored: its log is not open.`);
      return;
    }
    const now = performance.now();
    if (open.pending.length === 0) {
      open.waitingSince = now;
    }
    open.pending.push(event);
    // Timers are late when the host is busy; the events that keep it busy come through here.
    if (now - open.waitingSince >= FLUSH_MS && !open.hasFailed) {
      this.write(sessionId, open);
    }
    if (open.pending.length > 0) {
      open.timer ??= setTimeout(() => this.write(sessionId, open), FLUSH_MS);
    }
  }

  /** Of all sessions, unless one is named. */
  flush(sessionId?: string): void {
    for (const [id, open] of this.logs) {
      if (sessionId === undefined || sessionId === id) {
        this.write(id, open);
      }
    }
  }

  /** Ends the session's log for now; it stays readable, and can be opened again. */
  close(sessionId: string): void {
    this.flush(sessionId);
    clearTimeout(this.logs.get(sessionId)?.timer);
    this.logs.delete(sessionId);
  }

  /** Undefined when there is no log. Lines that cannot be read are skipped, each with a warning. */
  async read(sessionId: string): Promise<StoredTranscript | undefined> {
    this.flush(sessionId);
    const bytes = await this.files.readLog(this.files.nameOf(sessionId));
    if (bytes === undefined) {
      return undefined;
    }
    const { head, events } = this.parse(bytes, sessionId);
    return { head, events };
  }

  async list(): Promise<ListedTranscript[]> {
    const listed = await Promise.all((await this.files.logs()).map((file) => this.describe(file)));
    return listed.filter((transcript) => transcript !== undefined);
  }

  async delete(sessionId: string): Promise<void> {
    clearTimeout(this.logs.get(sessionId)?.timer);
    this.logs.delete(sessionId);
    await this.files.remove(this.files.nameOf(sessionId));
  }

  /** Rewrites a log that has grown large with fewer, equivalent records. True when it did. */
  async compact(sessionId: string, overBytes = COMPACT_BYTES): Promise<boolean> {
    this.flush(sessionId);
    const name = this.files.nameOf(sessionId);
    if ((await this.files.size(name)) <= overBytes) {
      return false;
    }
    const bytes = await this.files.readLog(name);
    if (bytes === undefined) {
      return false;
    }
    const { head, events, hasUnknown } = this.parse(bytes, sessionId);
    if (head === undefined || hasUnknown) {
      return false;
    }
    const text = headLine(head) + eventLines(compactEvents(events));
    return Buffer.byteLength(text) < bytes.length && this.files.replaceLog(name, text, bytes.length);
  }

  /** Deletes what is too old, then the oldest until the rest is small enough. Returns what is gone. */
  async prune(limits: PruneLimits): Promise<readonly string[]> {
    const kept = new Set([...limits.keep, ...this.logs.keys()].map((id) => this.files.nameOf(id)));
    const oldestFirst = (await this.files.logs()).sort((a, b) => a.modifiedAt - b.modifiedAt);
    const oldest = Date.now() - limits.maxAgeDays * DAY_MS;
    let total = oldestFirst.reduce((sum, file) => sum + file.bytes, 0);
    const deleted: string[] = [];
    for (const file of oldestFirst) {
      if (kept.has(file.name) || (file.modifiedAt >= oldest && total <= limits.maxTotalBytes)) {
        continue;
      }
      deleted.push((await this.describe(file))?.sessionId ?? file.name);
      await this.files.remove(file.name);
      total -= file.bytes;
    }
    await this.files.removeLeftovers(Date.now() - LEFTOVER_MS);
    return deleted;
  }

  dispose(): void {
    for (const sessionId of [...this.logs.keys()]) {
      this.close(sessionId);
    }
  }

  private write(sessionId: string, open: OpenLog): void {
    clearTimeout(open.timer);
    open.timer = undefined;
    if (open.pending.length === 0) {
      return;
    }
    try {
      this.files.append(open.name, eventLines(coalesce(open.pending.filter(changesSomething))));
      open.pending = [];
      open.hasFailed = false;
    } catch (error) {
      // Kept for the next try, which comes with the next event: a full disk may have room again by then.
      if (!open.hasFailed) {
        this.log.error(`The transcript of ${sessionId} could not be stored: ${asError(error).message}`);
      }
      open.hasFailed = true;
    }
  }

  private async describe(file: LogFile): Promise<ListedTranscript | undefined> {
    const head = (await this.headCopy(file.name)) ?? (await this.headInLog(file.name));
    const sessionId = asString(head?.sessionId);
    if (head === undefined || sessionId === undefined || this.files.nameOf(sessionId) !== file.name) {
      this.log.warn(`The transcript log ${file.name} does not say which session it is of.`);
      return undefined;
    }
    return { sessionId, head, bytes: file.bytes, modifiedAt: file.modifiedAt };
  }

  private async headCopy(name: string): Promise<JsonObject | undefined> {
    try {
      const head: unknown = JSON.parse((await this.files.readHead(name)) ?? '');
      return isObject(head) && asString(head.sessionId) !== undefined ? head : undefined;
    } catch {
      return undefined;
    }
  }

  private async headInLog(name: string): Promise<JsonObject | undefined> {
    const bytes = await this.files.readLog(name);
    return bytes === undefined ? undefined : parseLines(bytes, () => undefined).head;
  }

  private parse(bytes: Buffer, sessionId: string): ParsedLines {
    return parseLines(bytes, (line, reason) =>
      this.log.warn(`Skipped line ${line} of the transcript of ${sessionId}: ${reason}.`),
    );
  }
}
