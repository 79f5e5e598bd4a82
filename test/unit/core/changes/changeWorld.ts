import assert from 'node:assert/strict';
import { ChangeTracker } from '../../../../src/core/changes/changeTracker';
import type { ChangeStorage, StoredBlob } from '../../../../src/core/changes/changeStorage';
import { GitFailed } from '../../../../src/core/git/gitProgram';
import {
  SnapshotUnavailable,
  type ChangeFiles,
  type FileMode,
  type FileVersion,
  type Snapshot,
  type SnapshotDifference,
  type SnapshotFile,
  type Snapshots,
} from '../../../../src/core/changes/model';
import { isSame } from '../../../../src/core/changes/fileVersion';
import { MemoryLog } from '../../../support/fakes';

export const FOLDER = '/folder';
export const session = { id: 'one', workdir: FOLDER, roots: [FOLDER] };

/** A disk, its pictures and the storage, all in memory. */
export class ChangeWorld implements Snapshots, ChangeFiles {
  readonly disk = new Map<string, FileVersion>();
  readonly ignored = new Set<string>();
  readonly tooLarge = new Set<string>();
  readonly unreadable = new Set<string>();
  readonly head = new Map<string, FileVersion>();
  readonly storage = new MemoryStorage();
  readonly log = new MemoryLog();
  readonly retained = new Map<string, string>();
  readonly times = new Map<string, number>();
  readonly births = new Map<string, number>();
  readonly folders = [FOLDER];
  clock = 1000;
  problem: string | undefined;
  /** So many snapshots fail by chance. */
  failures = 0;
  /** Snapshots take until it is settled. */
  taking: Promise<void> = Promise.resolve();
  /** Somebody else may write at the last moment. */
  beforeReplace: (path: string) => void = () => undefined;
  /** Of which files the content was read from pictures. */
  readonly contentsRead: string[] = [];
  private readonly pictures = new Map<string, ReadonlyMap<string, FileVersion>>();

  tracker(): ChangeTracker {
    return new ChangeTracker({
      snapshots: this,
      files: this,
      log: this.log,
      folders: () => this.folders,
      storageOf: (folder) => (folder === FOLDER ? this.storage : new MemoryStorage()),
      storedFolders: async () => (this.storage.state === undefined ? [] : [FOLDER]),
      now: () => ++this.clock,
      changedAt: async (path) => this.times.get(path),
      bornAt: async (path) => this.births.get(path),
    });
  }

  put(name: string, content: string | Uint8Array | undefined, mode: FileMode = 'file'): void {
    const path = name.startsWith('/') ? name : pathOf(name);
    this.times.set(path, ++this.clock);
    if (content === undefined) {
      this.disk.delete(path);
      this.births.delete(path);
    } else {
      this.births.set(path, this.births.get(path) ?? this.clock);
      this.disk.set(path, { content: Buffer.from(content), mode });
    }
  }

  text(name: string): string | undefined {
    const version = this.disk.get(name.startsWith('/') ? name : pathOf(name));
    return version === undefined ? undefined : Buffer.from(version.content).toString('latin1');
  }

  /** All of the disk, to be compared. */
  get tree(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.disk]
        .map(
          ([path, { content, mode }]) => [path, `${mode} ${Buffer.from(content).toString('hex')}`] as const,
        )
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  }

  async take(): Promise<Snapshot> {
    await this.taking;
    if (this.problem !== undefined) {
      throw new SnapshotUnavailable(this.problem);
    }
    if (this.failures > 0) {
      this.failures--;
      throw new GitFailed(128, 'a file vanished', 'update-index');
    }
    const id = `picture ${this.pictures.size}`;
    const isShown = (path: string): boolean => !this.ignored.has(path) && !this.tooLarge.has(path);
    this.pictures.set(id, new Map([...this.disk].filter(([path]) => isShown(path))));
    return { id, skipped: [...this.tooLarge] };
  }

  async compare(_folder: string, from: string, to: string): Promise<readonly SnapshotDifference[]> {
    const [old, now] = [this.picture(from), this.picture(to)];
    const file = (id: string, path: string): SnapshotFile | undefined => {
      const version = this.picture(id).get(path);
      return version && { id: `${id}\0${path}`, mode: version.mode };
    };
    return [...new Set([...old.keys(), ...now.keys()])]
      .filter((path) => old.get(path) !== now.get(path))
      .map((path) => ({ path, old: file(from, path), now: file(to, path) }));
  }

  async readAll(
    _folder: string,
    files: readonly SnapshotFile[],
  ): Promise<ReadonlyMap<SnapshotFile, FileVersion>> {
    const found = new Map<SnapshotFile, FileVersion>();
    for (const file of files) {
      const [picture = '', path = ''] = file.id.split('\0');
      const version = this.picture(picture).get(path);
      assert(version);
      found.set(file, version);
      this.contentsRead.push(path);
    }
    return found;
  }

  async read(path: string, id?: string, inside?: string): Promise<FileVersion | undefined> {
    if (id !== undefined && inside !== undefined) {
      return this.picture(id).get(inside);
    }
    if (this.unreadable.has(path)) {
      throw new Error('permission denied');
    }
    return this.disk.get(path);
  }

  async replace(
    path: string,
    before: FileVersion | undefined,
    after: FileVersion | undefined,
  ): Promise<boolean> {
    this.beforeReplace(path);
    if (!isSame(this.disk.get(path), before)) {
      return false;
    }
    if (after === undefined) {
      this.disk.delete(path);
    } else {
      this.disk.set(path, after);
    }
    return true;
  }

  async obstacleTo(): Promise<string | undefined> {
    return undefined;
  }

  async retain(_folder: string, id: string, name: string): Promise<void> {
    this.retained.set(name, id);
  }

  async release(_folder: string, name: string): Promise<void> {
    this.retained.delete(name);
  }

  async committed(_folder: string, paths: readonly string[]): Promise<readonly string[]> {
    return paths.filter((path) => {
      const [head, now] = [this.head.get(path), this.disk.get(path)];
      return head !== undefined && now !== undefined && Buffer.from(head.content).equals(now.content);
    });
  }

  private picture(id: string): ReadonlyMap<string, FileVersion> {
    const picture = this.pictures.get(id);
    if (picture === undefined) {
      throw new Error(`There is no ${id}`);
    }
    return picture;
  }
}

export class MemoryStorage implements ChangeStorage {
  state: string | undefined;
  readonly contents = new Map<string, Uint8Array>();
  alive = 0;
  async readState(): Promise<string | undefined> {
    return this.state;
  }
  async writeState(text: string): Promise<void> {
    this.state = text;
  }
  async readBlob(hash: string): Promise<Uint8Array | undefined> {
    return this.contents.get(hash);
  }
  async writeBlob(hash: string, content: Uint8Array): Promise<void> {
    this.contents.set(hash, content);
  }
  async blobs(): Promise<readonly StoredBlob[]> {
    return [...this.contents].map(([hash, { length }]) => ({ hash, bytes: length, modifiedAt: Date.now() }));
  }
  async removeBlob(hash: string): Promise<void> {
    this.contents.delete(hash);
  }
  async aliveAt(): Promise<number> {
    return this.alive;
  }
  async signLife(): Promise<void> {
    // A test says itself when the process was last alive.
  }
}

export function pathOf(name: string): string {
  return `${FOLDER}/${name}`;
}
