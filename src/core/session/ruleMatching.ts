import * as nodePath from 'node:path';
import { isInside } from '../files/pathRules';
import type { PermissionRule } from './policy';
import { matchesPattern } from './wildcard';

/** What makes one command line more than one command, or write to files. */
const SHELL_OPERATORS = /[;&|`<>\n\r]|\$\(/g;

/** What `*` stands for cannot bring a command into a line that is allowed; what is denied or asked for, it can. */
export function fitsCommand(pattern: string, line: string, decision: PermissionRule['decision']): boolean {
  return matchesPattern(pattern, line) && (decision !== 'allow' || operators(pattern) === operators(line));
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

function withSlashes(path: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? path.replaceAll('\\', '/') : path;
}
