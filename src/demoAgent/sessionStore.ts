import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSessionRecord, type SessionRecord } from './sessionRecord';

/** Conversations on disk, one file each, so that two demo agents never write the same file. */
export class SessionStore {
  constructor(private readonly directory: string) {}

  /** Atomic: a reader sees the old record or the new one. */
  async save(record: SessionRecord): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const draft = join(this.directory, `${record.sessionId}.${randomUUID()}.tmp`);
    await writeFile(draft, JSON.stringify(record));
    await rename(draft, this.fileOf(record.sessionId));
  }

  async read(sessionId: string): Promise<SessionRecord | undefined> {
    if (!isSafeId(sessionId)) {
      return undefined;
    }
    return this.readRecord(this.fileOf(sessionId));
  }

  async remove(sessionId: string): Promise<void> {
    if (isSafeId(sessionId)) {
      await rm(this.fileOf(sessionId), { force: true });
    }
  }

  /** Conversations that have begun, newest first. */
  async list(cwd: string | undefined): Promise<SessionRecord[]> {
    const names = await readdir(this.directory).catch(() => []);
    const files = names.filter((name) => name.endsWith('.json'));
    const records = await Promise.all(files.map((name) => this.readRecord(join(this.directory, name))));
    return records
      .filter((record) => record !== undefined)
      .filter((record) => record.updates.length > 0 && (cwd === undefined || record.cwd === cwd))
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  }

  private async readRecord(file: string): Promise<SessionRecord | undefined> {
    const text = await readFile(file, 'utf8').catch(() => '');
    return parseSessionRecord(text);
  }

  private fileOf(sessionId: string): string {
    return join(this.directory, `${sessionId}.json`);
  }
}

/** The id becomes a file name, and it comes from the client. */
function isSafeId(sessionId: string): boolean {
  return /^[\w-]{1,100}$/.test(sessionId);
}
