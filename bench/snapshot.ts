import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitSnapshots } from '../src/core/changes/snapshots';
import { interleaved, median, type Measurement } from './measurement';

const FILES = 50_000;
const CHANGED = 20;
const ROUNDS = 9;
/** Git reads files again that are as new as its index; those of a real repository are older. */
const OLD = 1_700_000_000;

/** What a snapshot of a large repository costs, against the command that everybody runs in it. */
export async function measureSnapshot(): Promise<readonly Measurement[]> {
  const base = mkdtempSync(join(tmpdir(), 'parley-bench-snapshot-'));
  const folder = join(base, 'folder');
  const open: GitSnapshots[] = [];
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
    let round = 0;
    const sides = {
      status: () => status(folder),
      first: () => timed(() => snapshots(`first-${round}`).take(folder)),
      later: () => timed(() => lasting.take(folder)),
    };
    const measure = async (side: keyof typeof sides): Promise<number> => {
      round += 1;
      change(folder, round);
      return await sides[side]();
    };
    await interleaved(['status', 'first', 'later'], 1, measure);
    const samples = await interleaved(['status', 'first', 'later'], ROUNDS, measure);
    const ratio = (side: 'first' | 'later'): number => median(samples[side]) / median(samples.status);
    const comparedWith = `git status in ${FILES} files, ${CHANGED} of them changed`;
    return [
      { name: 'snapshot, first', value: ratio('first'), unit: '×', comparedWith, target: 3, samples },
      { name: 'snapshot, later', value: ratio('later'), unit: '×', comparedWith, target: 2 },
    ];
  } finally {
    open.forEach((made) => made.dispose());
    rmSync(base, { recursive: true });
  }
}

const nothing = (): void => undefined;
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

function makeRepository(folder: string): void {
  for (let at = 0; at < FILES; at += 1) {
    const path = fileAt(folder, at);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `export const value${at} = ${at};\n`.repeat(20));
    utimesSync(path, OLD, OLD);
  }
  const git = (...args: string[]): void => {
    execFileSync('git', [
      '-C',
      folder,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      '-c',
      'gc.auto=0',
      ...args,
    ]);
  };
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'all');
  git('gc', '--quiet');
}

function fileAt(folder: string, at: number): string {
  return join(folder, `part${at % 50}`, `group${Math.floor(at / 50) % 40}`, `file${at}.ts`);
}

/** The same files every time: in the repository they are changed, since the last snapshot they are too. */
function change(folder: string, round: number): void {
  for (let at = 0; at < CHANGED; at += 1) {
    appendFileSync(fileAt(folder, at * 97), `// ${round}\n`);
  }
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
