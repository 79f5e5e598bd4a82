import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { changeStorageIn } from '../../../../src/core/changes/changeStorage';
import { ChangeTracker } from '../../../../src/core/changes/changeTracker';
import {
  obstacleTo,
  readFileVersion,
  removeFile,
  writeFileVersion,
} from '../../../../src/core/changes/diskFile';
import { isSame } from '../../../../src/core/changes/fileVersion';
import type { ChangeFiles, ChangingSession, FileVersion } from '../../../../src/core/changes/model';
import { GitSnapshots } from '../../../../src/core/changes/git/snapshots';
import { listLog } from '../listLog';

/** A real folder with real git, followed as in the editor but without one. */
export class DiskWorld implements ChangeFiles {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-changes-')));
  readonly folder = join(this.base, 'folder');
  readonly session: ChangingSession = { id: 'one', workdir: this.folder, roots: [this.folder] };
  readonly log = listLog();
  readonly snapshots = new GitSnapshots({
    storage: join(this.base, 'snapshots'),
    log: this.log.log,
    environment: () => Promise.resolve({ ...process.env, HOME: this.base }),
  });
  readonly tracker = new ChangeTracker({
    ...changeStorageIn(join(this.base, 'changes')),
    snapshots: this.snapshots,
    files: this,
    log: this.log.log,
    folders: () => [this.folder],
  });
  private turnId = 0;

  constructor() {
    mkdirSync(this.folder);
  }

  /** What an agent does in a turn, by whatever means. */
  async turn(work: () => void): Promise<void> {
    this.turnId += 1;
    await this.tracker.turnStarted(this.session, this.turnId);
    this.tracker.workStarted(this.session, { key: 'call', paths: undefined });
    work();
    await this.tracker.turnEnded(this.session, this.turnId);
  }

  put(files: Readonly<Record<string, string>>, at = this.folder): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(at, name)), { recursive: true });
      writeFileSync(join(at, name), text);
    }
  }

  git(at: string, ...args: string[]): string {
    const settings = ['user.name=a', 'user.email=a@b', 'protocol.file.allow=always', 'gc.auto=0'];
    return execFileSync('git', ['-C', at, ...settings.flatMap((one) => ['-c', one]), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    });
  }

  commitAll(at = this.folder): void {
    this.git(at, 'init', '--quiet');
    this.git(at, 'add', '-A');
    this.git(at, 'commit', '--quiet', '-m', 'all');
  }

  /** Everything below a folder, repositories included, byte for byte. */
  picture(at = this.folder): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const entry of readdirSync(at, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) {
        found[path] = `${lstatSync(path).mode.toString(8)} ${readFileSync(path).toString('base64')}`;
      } else if (entry.isSymbolicLink()) {
        found[path] = `link ${readlinkSync(path)}`;
      }
    }
    return found;
  }

  read(path: string): Promise<FileVersion | undefined> {
    return readFileVersion(path, this.folder);
  }

  obstacleTo(path: string): Promise<string | undefined> {
    return obstacleTo(path, this.folder);
  }

  async replace(
    path: string,
    before: FileVersion | undefined,
    after: FileVersion | undefined,
  ): Promise<boolean> {
    if ((await this.obstacleTo(path)) !== undefined || !isSame(await this.read(path), before)) {
      return false;
    }
    if (after === undefined) {
      await removeFile(path, (folder) => this.tracker.followedSince(folder));
      return true;
    }
    return writeFileVersion(path, after);
  }

  dispose(): void {
    this.tracker.dispose();
    this.snapshots.dispose();
    rmSync(this.base, { recursive: true });
  }
}
