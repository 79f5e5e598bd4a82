import { asArray, asNumber, asObject, asString, isObject } from '../../shared/json';
import { Emitter } from '../base/emitter';
import { asError } from '../base/errors';
import type { IDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { Memento } from '../ports';
import { readSessionRecord, type SessionRecord } from './sessionRecord';

export type { SessionRecord, SessionStatus } from './sessionRecord';

const KEY = 'parley.sessions';
const VERSION = 1;

/** The metadata of all sessions of this workspace, kept over reloads. */
export class History implements IDisposable {
  private readonly records: Map<string, SessionRecord>;
  private readonly changed = new Emitter<void>();
  private written: Promise<void> = Promise.resolve();
  private isWaiting = false;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly memento: Memento,
    private readonly log: Logger,
  ) {
    this.records = readAll(memento.get(KEY), log);
  }

  /** In the order in which they were first put. */
  all(): readonly SessionRecord[] {
    return [...this.records.values()];
  }

  get(sessionId: string): SessionRecord | undefined {
    return this.records.get(sessionId);
  }

  /** Resolves when it is stored. */
  put(record: SessionRecord): Promise<void> {
    this.records.set(record.sessionId, record);
    return this.save();
  }

  remove(sessionId: string): Promise<void> {
    return this.records.delete(sessionId) ? this.save() : this.written;
  }

  /** Resolves when everything so far is stored. */
  flush(): Promise<void> {
    return this.written;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private save(): Promise<void> {
    // A write that has not begun yet will take the newest state along: no need for another one.
    if (!this.isWaiting) {
      this.isWaiting = true;
      this.written = this.written.then(() => this.write());
    }
    this.changed.fire();
    return this.written;
  }

  private async write(): Promise<void> {
    this.isWaiting = false;
    try {
      await this.memento.update(KEY, { version: VERSION, sessions: this.all() });
    } catch (error) {
      this.log.error(`The list of sessions could not be stored: ${asError(error).message}`);
    }
  }
}

function readAll(stored: unknown, log: Logger): Map<string, SessionRecord> {
  const records = new Map<string, SessionRecord>();
  if (stored === undefined) {
    return records;
  }
  if (!isObject(stored) || !Array.isArray(stored.sessions)) {
    log.warn('The stored list of sessions is not readable; starting with an empty one.');
    return records;
  }
  if (asNumber(stored.version) !== VERSION) {
    log.warn('The list of sessions was stored by another version of Parley; what is understood is kept.');
  }
  for (const [index, value] of asArray(stored.sessions).entries()) {
    const record = readSessionRecord(value);
    if (record === undefined) {
      const name = asString(asObject(value).sessionId) ?? `number ${index + 1}`;
      log.warn(`Dropped the stored session ${name}: its record is corrupt.`);
    } else {
      records.set(record.sessionId, record);
    }
  }
  return records;
}
