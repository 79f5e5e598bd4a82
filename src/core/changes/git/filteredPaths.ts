import { nulSeparated, type RunGit } from '../../git/gitProgram';

/** Those of a repository's files that its attributes have converted by a program. */
export async function filteredPaths(paths: readonly string[], run: RunGit): Promise<ReadonlySet<string>> {
  if (paths.length === 0) {
    return new Set();
  }
  const input = paths.map((path) => `${path}\0`).join('');
  const parts = nulSeparated(await run(['check-attr', '-z', '--stdin', 'filter'], input));
  const found = new Set<string>();
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const path = parts[at];
    const value = parts[at + 2];
    if (path !== undefined && value !== 'unspecified' && value !== 'unset' && value !== 'set') {
      found.add(path);
    }
  }
  return found;
}
