import * as nodePath from 'node:path';
import { commandFolderOf, isPlainCommand } from '../../shared/transcript/command';
import type { ToolEntry } from '../../shared/transcript/model';
import { isInside } from '../files/pathRules';
import { realPathNow } from '../files/realPathNow';
import { commandsIn } from './commandsIn';
import type { PermissionRule } from './policy';
import { matchesPattern } from './wildcard';

type Pattern = Pick<PermissionRule, 'decision' | 'exact'>;

/** What makes one command line more than one command, or write to files. */
const SHELL_OPERATORS = /[;&|`<>()\n\r]/g;

/**
 * What `*` stands for cannot bring a command into a line that is allowed. What is denied or asked for is found
 * anywhere in the line.
 */
export function fitsCommand(pattern: string, line: string, rule: Pattern): boolean {
  if (rule.exact === true) {
    return pattern === line;
  }
  if (rule.decision === 'allow') {
    return matchesPattern(pattern, line) && operators(pattern) === operators(line);
  }
  return (
    matchesPattern(pattern, line) || commandsIn(line).some((command) => matchesPattern(pattern, command))
  );
}

/** A line says all of what is done only if it runs in the session's folders and nothing else changes it. */
export function isAsUsual(
  { rawInput, folder }: Pick<ToolEntry, 'rawInput' | 'folder'>,
  workdir: string,
  roots: readonly string[],
): boolean {
  const folders = [commandFolderOf(rawInput), folder].map((named) => nodePath.resolve(workdir, named ?? ''));
  return isPlainCommand(rawInput) && folders.every((named) => roots.some((root) => isInside(root, named)));
}

/** An allowed path does not lead out of where the rule is for: neither by `..` nor by a link. */
export function allowsPath(pattern: string, workdir: string, file: string, rule: Pattern): boolean {
  if (rule.exact === true || !pattern.includes('*')) {
    return withSlashes(pattern) === ruledPath(workdir, file);
  }
  if (!fitsPath(pattern, workdir, file)) {
    return false;
  }
  const spelled = withSlashes(pattern);
  const start = spelled.lastIndexOf('/', spelled.indexOf('*')) + 1;
  const realWorkdir = realPathNow(workdir);
  // Where the rule's own folder leads is what the rule names.
  const folder = ruledPath(realWorkdir, realPathNow(nodePath.resolve(workdir, spelled.slice(0, start))));
  const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
  return matchesPattern(
    prefix + spelled.slice(start),
    ruledPath(realWorkdir, realPathNow(nodePath.resolve(workdir, file))),
  );
}

/**
 * Whatever its letters' case, because on many disks `.GIT` is `.git`, and where links in the session's folders lead.
 * Elsewhere links are not followed: a disk that does not answer would hold up everything.
 */
export function stopsPath(
  pattern: string,
  workdir: string,
  roots: readonly string[],
  file: string,
  rule: Pattern,
): boolean {
  const path = nodePath.resolve(workdir, file);
  const real = roots.some((root) => isInside(root, path)) ? realPathNow(path) : path;
  const spelled = withSlashes(pattern).toLowerCase();
  return [ruledPath(workdir, path), ruledPath(realPathNow(workdir), real)].some((spelling) =>
    rule.exact === true
      ? spelled === spelling.toLowerCase()
      : matchesPattern(spelled, spelling.toLowerCase()),
  );
}

export function fitsPath(
  pattern: string,
  workdir: string,
  file: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return matchesPattern(withSlashes(pattern, platform), ruledPath(workdir, file, platform));
}

/** How rules spell a file: without `.` and `..`, below the session's folder relative to it, and with slashes. */
export function ruledPath(
  workdir: string,
  file: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const path = platform === 'win32' ? nodePath.win32 : nodePath.posix;
  const normal = path.resolve(workdir, file);
  return withSlashes(isInside(workdir, normal, platform) ? path.relative(workdir, normal) : normal, platform);
}

/** In order. Those of a pattern are its own: equal ones mean that `*` holds none. */
function operators(text: string): string {
  return (text.match(SHELL_OPERATORS) ?? []).join('');
}

function withSlashes(path: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
