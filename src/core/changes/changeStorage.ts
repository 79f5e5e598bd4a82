import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asObject, asString } from '../../shared/json';

/** Where what is known about one folder lies, so that a reload or a crash costs nothing. */
export interface ChangeStorage {
  readState(): Promise<string | undefined>;
  writeState(text: string): Promise<void>;
  readBlob(hash: string): Promise<Uint8Array | undefined>;
  writeBlob(hash: string, content: Uint8Array): Promise<void>;
  blobs(): Promise<readonly StoredBlob[]>;
  removeBlob(hash: string): Promise<void>;
  /** The last sign of life of a process that was in the middle of a turn. */
  aliveAt(): Promise<number>;
  signLife(): Promise<void>;
}

/** One for each folder. */
export interface ChangeStorages {
  readonly storageOf: (folder: string) => ChangeStorage;
  /** Folders that something is stored of. */
  readonly storedFolders: () => Promise<readonly string[]>;
}

export interface StoredBlob {
  readonly hash: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

const STATE = 'state.json';
const ALIVE = 'alive';
const BLOBS = 'blobs';

/** Below a directory. */
export function changeStorageIn(directory: string): ChangeStorages {
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

/** Files are replaced, never rewritten in place: whoever is killed leaves the old or the new one. */
export class ChangeStorageFolder implements ChangeStorage {
  constructor(private readonly directory: string) {}

  async readState(): Promise<string | undefined> {
    return (await unlessMissing(readFile(join(this.directory, STATE))))?.toString('utf8');
  }

  writeState(text: string): Promise<void> {
    return replace(join(this.directory, STATE), text);
  }

  readBlob(hash: string): Promise<Uint8Array | undefined> {
    return unlessMissing(readFile(this.blobPath(hash)));
  }

  async writeBlob(hash: string, content: Uint8Array): Promise<void> {
    const path = this.blobPath(hash);
    if ((await unlessMissing(stat(path)))?.size === content.length) {
      // Old blobs without a user are collected, and this one has a user again.
      const now = new Date();
      await utimes(path, now, now);
      return;
    }
    await replace(path, content);
  }

  async blobs(): Promise<readonly StoredBlob[]> {
    const found: StoredBlob[] = [];
    for (const hash of (await unlessMissing(readdir(join(this.directory, BLOBS)))) ?? []) {
      const stats = await unlessMissing(stat(this.blobPath(hash)));
      if (stats !== undefined) {
        found.push({ hash, bytes: stats.size, modifiedAt: stats.mtimeMs });
      }
    }
    return found;
  }

  removeBlob(hash: string): Promise<void> {
    return rm(this.blobPath(hash), { force: true });
  }

  async aliveAt(): Promise<number> {
    return (await unlessMissing(stat(join(this.directory, ALIVE))))?.mtimeMs ?? 0;
  }

  async signLife(): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    await writeFile(join(this.directory, ALIVE), '');
    const now = new Date();
    await utimes(join(this.directory, ALIVE), now, now);
  }

  private blobPath(hash: string): string {
    return join(this.directory, BLOBS, hash);
  }
}

function folderIn(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : asString(asObject(JSON.parse(text)).folder);
  } catch {
    return undefined;
  }
}

async function replace(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
