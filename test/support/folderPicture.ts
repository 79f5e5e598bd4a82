import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Everything about a folder that undoing must give back: files with content and mode, and what git says of it. */
export function pictureOf(folder: string): Readonly<Record<string, string>> {
  const picture: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name !== '.git' && !name.startsWith(`.git${path.sep}`)) {
      picture[name] = describeFile(path.join(folder, name));
    }
  }
  if (existsSync(path.join(folder, '.git'))) {
    picture['git status'] = git(folder, 'status', '--porcelain=v2', '--branch');
    picture['git index'] = git(folder, 'ls-files', '--stage');
    picture['git stashes'] = git(folder, 'stash', 'list');
    picture['git refs'] = git(folder, 'for-each-ref');
  }
  return picture;
}

export function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.invalid'];
  // Looking must not touch the index, which belongs to the picture.
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0' };
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', env });
}

/** A repository with something staged, something not, something untracked and something stashed. */
export function makeDirtyRepository(folder: string): void {
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'First');
  const append = (name: string, text: string): void => appendFileSync(path.join(folder, name), text);
  append('package.json', '\n');
  git(folder, 'stash', '-q');
  append('README.md', 'Staged by the user.\n');
  git(folder, 'add', 'README.md');
  append('README.md', 'Not staged by the user.\n');
  append('untracked.txt', 'Untracked.\n');
}

function describeFile(file: string): string {
  const stat = lstatSync(file);
  if (stat.isDirectory()) {
    return 'folder';
  }
  if (stat.isSymbolicLink()) {
    return `link to ${readlinkSync(file)}`;
  }
  const mode = (stat.mode & 0o111) === 0 ? 'file' : 'executable';
  return `${mode} ${readFileSync(file, 'base64')}`;
}
