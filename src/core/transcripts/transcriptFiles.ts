import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const LOG = '.jsonl';
const HEAD = '.head.json';
const TEMPORARY = '.tmp';

export interface LogFile {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

/**
 * Where transcripts lie. Next to each log, a small file holds a copy of its newest head, so that listing
 * hundreds of sessions reads no log; without a readable copy the log itself is asked.
 */
export class TranscriptFiles {
  constructor(private readonly directory: string) {}

  /** Ids come from agents: any characters, any length, and equal but for case on some disks. */
  nameOf(sessionId: string): string {
    return createHash('sha256').update(sessionId).digest('hex').slice(0, 40);
  }

  /** One write to the end of the file: two windows may have the same session open. */
  append(name: string, text: string): void {
    // A line that a killed process left half written must not swallow the one that follows.
    const data = `\n${text}`;
    try {
      appendFileSync(this.logPath(name), data);
    } catch (error) {
      if (!isMissing(error)) {
        throw error;
      }
      mkdirSync(this.directory, { recursive: true });
      appendFileSync(this.logPath(name), data);
    }
  }

  writeHead(name: string, text: string): void {
    this.replace(this.headPath(name), text);
  }

  /** False, and nothing is done, when the log is no longer as long as it was read: somebody wrote to it. */
  replaceLog(name: string, text: string, bytesRead: number): boolean {
    return this.replace(this.logPath(name), text, (path) => statSync(path).size === bytesRead);
  }

  hasLog(name: string): boolean {
    return existsSync(this.logPath(name));
  }

  readLog(name: string): Promise<Buffer | undefined> {
    return unlessMissing(readFile(this.logPath(name)));
  }

  async readHead(name: string): Promise<string | undefined> {
    return (await unlessMissing(readFile(this.headPath(name))))?.toString('utf8');
  }

  async size(name: string): Promise<number> {
    return (await unlessMissing(stat(this.logPath(name))))?.size ?? 0;
  }

  async logs(): Promise<LogFile[]> {
    const files: LogFile[] = [];
    for (const entry of (await unlessMissing(readdir(this.directory))) ?? []) {
      if (entry.endsWith(LOG)) {
        const found = await unlessMissing(stat(join(this.directory, entry)));
        if (found !== undefined) {
          files.push({ name: basename(entry, LOG), bytes: found.size, modifiedAt: found.mtimeMs });
        }
      }
    }
    return files;
  }

  async remove(name: string): Promise<void> {
    await rm(this.logPath(name), { force: true });
    await rm(this.headPath(name), { force: true });
  }

  /** What a process that was killed in the middle of a replacement left behind. */
  async removeLeftovers(olderThan: number): Promise<void> {
    for (const entry of (await unlessMissing(readdir(this.directory))) ?? []) {
      const path = join(this.directory, entry);
      if (entry.endsWith(TEMPORARY) && ((await unlessMissing(stat(path)))?.mtimeMs ?? Infinity) < olderThan) {
        await rm(path, { force: true });
      }
    }
  }

  private replace(path: string, text: string, isWanted: (path: string) => boolean = () => true): boolean {
    const temporary = `${path}.${randomUUID()}${TEMPORARY}`;
    try {
      writeFileSync(temporary, text);
      if (isWanted(path)) {
        renameSync(temporary, path);
        return true;
      }
      return false;
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  private logPath(name: string): string {
    return join(this.directory, name + LOG);
  }

  private headPath(name: string): string {
    return join(this.directory, name + HEAD);
  }
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
