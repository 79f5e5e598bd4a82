import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { ToolEntry, ToolKind } from '../../shared/transcript/model';
import { isInside, isRemote } from '../files/pathRules';
import type { ChangingSession } from './model';
import type { ReportedEdit } from './reportedEdit';

/** Kinds of tool calls that leave files as they are. */
const readOnly: ReadonlySet<ToolKind> = new Set(['read', 'search', 'think', 'fetch', 'switch_mode']);
/** Those that change the files that they name, and no others, with how many they have to name for that. */
const leastNamed: ReadonlyMap<ToolKind, number> = new Map([
  ['edit', 1],
  ['delete', 1],
  ['move', 2],
]);

export function canWrite(kind: ToolKind): boolean {
  return !readOnly.has(kind);
}

/** The only files that a tool call may change; undefined when it can be any. */
export function changeablePaths(
  { toolKind, locations, content }: ToolEntry,
  session: ChangingSession,
): readonly string[] | undefined {
  if (!canWrite(toolKind)) {
    return [];
  }
  const diffs = content.flatMap((part) => (part.kind === 'diff' ? [part] : []));
  const named = new Set([...locations, ...diffs].map(({ path }) => resolve(session.workdir, path)));
  return named.size < (leastNamed.get(toolKind) ?? Infinity)
    ? undefined
    : [...new Set([...named].flatMap((path) => spellings(path, session)))];
}

/** The files that a tool call says it has changed, each with its edits. */
export function reportedEdits(
  { toolKind, locations, content }: ToolEntry,
  session: ChangingSession,
): ReadonlyMap<string, readonly ReportedEdit[]> {
  const edits = new Map<string, ReportedEdit[]>();
  const editsOf = (path: string): ReportedEdit[] => {
    const real = spellings(resolve(session.workdir, path), session).at(-1) ?? path;
    const known = edits.get(real) ?? [];
    edits.set(real, known);
    return known;
  };
  if (leastNamed.has(toolKind)) {
    locations.forEach(({ path }) => editsOf(path));
  }
  for (const part of content) {
    if (part.kind === 'diff') {
      editsOf(part.path).push({ oldText: part.oldText, newText: part.newText });
    }
  }
  return edits;
}

/** As the workspace spells it, and where its links lead: agents may name it either way, and it may change there. */
function spellings(path: string, session: ChangingSession): readonly string[] {
  if (isRemote(path)) {
    // Whoever looks at another machine is told to it.
    return [path];
  }
  const [given, real] = [inWorkspace(path, session), inWorkspace(realPathOf(path), session)];
  // The disk knows its own spelling.
  return given.toLowerCase() === real.toLowerCase() ? [real] : [given, real];
}

/** The folders of the workspace may themselves be reached by links. */
function inWorkspace(path: string, { workdir, roots }: ChangingSession): string {
  const folders = [workdir, ...roots];
  for (const [folder, place] of [
    ...folders.map((known) => [known, known] as const),
    ...folders.map((known) => [known, realPathOf(known)] as const),
  ]) {
    if (isInside(place, path)) {
      return join(folder, relative(place, path));
    }
  }
  return path;
}

/** Of what does not exist, the nearest folder that does decides. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}
