import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeStorageIn } from '../src/core/changes/changeStorage';
import { ChangeTracker } from '../src/core/changes/changeTracker';
import { obstacleTo, readFileVersion } from '../src/core/changes/diskFile';
import type { ChangeFiles } from '../src/core/changes/model';
import { GitSnapshots } from '../src/core/changes/git/snapshots';
import type { IDisposable } from '../src/core/base/lifecycle';
import { interleaved, median, type Measurement } from './measurement';

const FILES = 50_000;
const CHANGED = 20;
/** As many as a change of branch may touch. */
const CHANGED_MUCH = 2000;
const ROUNDS = 9;
const MUCH_ROUNDS = 3;
/** Git reads files again that are as new as its index; those of a real repository are older. */
const OLD = 1_700_000_000;

/** What a snapshot of a large repository costs, against the command that everybody runs in it. */
export async function measureSnapshot(): Promise<readonly Measurement[]> {
  const base = mkdtempSync(join(tmpdir(), 'parley-bench-snapshot-'));
  const folder = join(base, 'folder');
  const open: IDisposable[] = [];
  const snapshots = (storage: string): GitSnapshots => {
    const made = new GitSnapshots({
      storage: join(base, storage),
      log: silent,
      environment: () => Promise.resolve(process.env),
    });
    open.push(made);
    return made;
  };
  try {
    makeRepository(folder);
    const lasting = snapshots('lasting');
    const tracker = track(folder, snapshots('looks'), join(base, 'changes'));
    open.push(tracker);
    let round = 0;
    const sides = {
      status: (work: () => void) => (work(), status(folder)),
      first: (work: () => void) => (work(), timed(() => snapshots(`first-${round}`).take(folder))),
      later: (work: () => void) => (work(), timed(() => lasting.take(folder))),
      turn: (work: () => void) => turn(tracker, folder, work, round),
    };
    type Side = keyof typeof sides;
    const measure =
      (count: number) =>
      (side: Side): Promise<number> => {
        round += 1;
        return sides[side](() => change(folder, round, count));
      };
    const all: readonly Side[] = ['status', 'first', 'later', 'turn'];
    await interleaved(all, 1, measure(CHANGED));
    const samples = await interleaved(all, ROUNDS, measure(CHANGED));
    const ratio = (side: Side): number => median(samples[side]) / median(samples.status);
    await interleaved(['status', 'turn'], 1, measure(CHANGED_MUCH));
    const much = await interleaved(['status', 'turn'], MUCH_ROUNDS, measure(CHANGED_MUCH));
    const comparedWith = `git status in ${FILES} files, ${CHANGED} of them changed`;
    return [
      { name: 'snapshot, first', value: ratio('first'), unit: '×', comparedWith, target: 3, samples },
      { name: 'snapshot, later', value: ratio('later'), unit: '×', comparedWith, target: 2 },
      { name: 'looks around a turn', value: ratio('turn'), unit: '×', comparedWith },
      {
        name: `looks around a turn, ${CHANGED_MUCH} files`,
        value: median(much.turn) / median(much.status),
        unit: '×',
        comparedWith: `git status in ${FILES} files, ${CHANGED_MUCH} of them changed`,
      },
    ];
  } finally {
    open.forEach((made) => made.dispose());
    rmSync(base, { recursive: true });
  }
}

const nothing = (): void => undefined;
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** In one pack from the start: a file system is slow for minutes after 50,000 loose objects were removed from it. */
function makeRepository(folder: string): void {
  const git = (args: readonly string[], input = ''): void => {
    execFileSync('git', ['-C', folder, ...args], { input });
  };
  mkdirSync(folder);
  git(['init', '--quiet', '--initial-branch=main']);
  const head = 'commit refs/heads/main\ncommitter a <a@b> 1700000000 +0000\ndata 3\nall\n';
  const files = Array.from({ length: FILES }, (_, at) => {
    const text = `export const value${at} = ${at};\n`.repeat(20);
    return `M 100644 inline ${fileAt('', at)}\ndata ${text.length}\n${text}\n`;
  });
  git(['fast-import', '--quiet'], head + files.join(''));
  git(['reset', '--hard', '--quiet']);
  for (let at = 0; at < FILES; at += 1) {
    utimesSync(fileAt(folder, at), OLD, OLD);
  }
  git(['update-index', '-q', '--refresh']);
}

function fileAt(folder: string, at: number): string {
  return join(folder, `part${at % 50}`, `group${Math.floor(at / 50) % 40}`, `file${at}.ts`);
}

/** The same files every time: in the repository they are changed, since the last snapshot they are too. */
function change(folder: string, round: number, count: number): void {
  for (let at = 0; at < count; at += 1) {
    appendFileSync(fileAt(folder, (at * 97) % FILES), `// ${round}\n`);
  }
}

function track(folder: string, snapshots: GitSnapshots, storage: string): ChangeTracker {
  const world: ChangeFiles = {
    read: (path) => readFileVersion(path, folder),
    obstacleTo: (path) => obstacleTo(path, folder),
    replace: () => Promise.resolve(false),
  };
  return new ChangeTracker({
    ...changeStorageIn(storage),
    snapshots,
    files: world,
    log: silent,
    folders: () => [folder],
  });
}

/** What a user waits for before and after a turn in which the agent does this. */
async function turn(
  tracker: ChangeTracker,
  folder: string,
  work: () => void,
  turnId: number,
): Promise<number> {
  const session = { id: 'session', workdir: folder, roots: [folder] };
  const before = await timed(() => tracker.turnStarted(session, turnId));
  tracker.workStarted(session, { key: 'call', paths: undefined });
  work();
  const after = await timed(() => tracker.turnEnded(session, turnId));
  await tracker.keep({});
  return before + after;
}

function status(folder: string): Promise<number> {
  return timed(async () => {
    const child = spawn('git', ['-C', folder, 'status', '--porcelain'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    });
    child.stdout.resume();
    await once(child, 'close');
  });
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
