import { spawn } from 'node:child_process';
import { gitEnvironment, plainGit } from './gitProgram';

export type GitOutput =
  | { readonly kind: 'done'; readonly text: string; readonly isCut: boolean }
  /** `reason` is git's own words, or that there is none. */
  | { readonly kind: 'failed'; readonly reason: string };

const LIMIT_MS = 15_000;

/** Runs git in a folder, without a shell and without anything that asks, pages, writes or leads elsewhere. */
export function runGit(folder: string, args: readonly string[], maxBytes: number): Promise<GitOutput> {
  return new Promise((resolve) => {
    const child = spawn('git', ['--no-pager', ...plainGit, ...args], {
      cwd: folder,
      env: gitEnvironment(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) {
        child.kill();
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(0, 2000);
    });
    child.once('error', () => resolve({ kind: 'failed', reason: 'git could not be started.' }));
    child.once('close', (code) => {
      const isCut = size > maxBytes;
      if (code === 0 || isCut) {
        const text = Buffer.concat(chunks).subarray(0, maxBytes).toString();
        resolve({ kind: 'done', text, isCut });
        return;
      }
      const [said = ''] = errors.trim().split('\n');
      resolve({ kind: 'failed', reason: said === '' ? 'git ended without a word.' : said });
    });
  });
}
