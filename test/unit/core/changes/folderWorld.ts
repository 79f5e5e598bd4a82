import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { changeStorageIn } from '../../../../src/core/changes/changeStorage';
import { ChangeTracker } from '../../../../src/core/changes/changeTracker';
import { isSame } from '../../../../src/core/changes/fileVersion';
import type { FileMode, FileVersion } from '../../../../src/core/changes/model';
import { GitSnapshots } from '../../../../src/core/changes/git/snapshots';
import { MemoryLog } from '../../../support/fakes';

/** A folder on a real disk, with real snapshots and storage. Only its clock is our own. */
export class FolderWorld {
  clock = 1_000_000;
  readonly log = new MemoryLog();
  readonly folder: string;
  private readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-world-')));
  private readonly times = new Map<string, number>();
  private readonly snapshots: GitSnapshots;

  constructor() {
    this.folder = join(this.base, 'folder');
    mkdirSync(this.folder);
    this.snapshots = new GitSnapshots({
      storage: join(this.base, 'snapshots'),
      log: this.log,
      environment: () => Promise.resolve(process.env),
    });
  }

  tracker(): ChangeTracker {
    return new ChangeTracker({
      ...changeStorageIn(join(this.base, 'storage')),
      snapshots: this.snapshots,
      files: {
        read: async (path) => readVersion(path),
        replace: async (path, before, after) => {
          const isAsBefore = isSame(readVersion(path), before);
          if (isAsBefore) {
            this.write(path, after);
          }
          return isAsBefore;
        },
        obstacleTo: async () => undefined,
      },
      log: this.log,
      folders: () => [this.folder],
      now: () => ++this.clock,
      changedAt: async (path) => this.times.get(path),
    });
  }

  pathOf(name: string): string {
    return join(this.folder, name);
  }

  put(name: string, content: Uint8Array | undefined, mode: FileMode = 'file'): void {
    const path = this.pathOf(name);
    this.times.set(path, ++this.clock);
    this.write(path, content === undefined ? undefined : { content, mode });
  }

  get tree(): Readonly<Record<string, string>> {
    const names = readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.folder, join(entry.parentPath, entry.name)));
    return Object.fromEntries(
      names.sort().map((name) => {
        const version = readVersion(this.pathOf(name));
        return [name, `${version?.mode} ${Buffer.from(version?.content ?? []).toString('latin1')}`];
      }),
    );
  }

  dispose(): void {
    this.snapshots.dispose();
    rmSync(this.base, { recursive: true, force: true });
  }

  /** By another file that takes its place, as many programs do. */
  private write(path: string, version: FileVersion | undefined): void {
    if (version === undefined) {
      rmSync(path, { force: true });
      return;
    }
    const temporary = join(this.base, 'temporary');
    writeFileSync(temporary, version.content);
    chmodSync(temporary, version.mode === 'executable' ? 0o755 : 0o644);
    mkdirSync(dirname(path), { recursive: true });
    renameSync(temporary, path);
  }
}

function readVersion(path: string): FileVersion | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true
    ? { content: readFileSync(path), mode: (stat.mode & 0o100) === 0 ? 'file' : 'executable' }
    : undefined;
}
