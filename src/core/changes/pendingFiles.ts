import {
  isMixed,
  ownersOf,
  versionBefore,
  versionNow,
  type FileChange,
  type WholeChange,
} from './fileChange';
import { hasSameContent, isText, linesOf, shownLine } from './fileVersion';
import { diffLines } from '../files/lineDiff';
import type { ChangeKind, FileVersion, Hunk, PendingFile } from './model';
import type { TextChange } from './textChange';

const LEAST_SIMILAR = 0.6;
/** Looking for similar files takes time by the square of their number. */
const MOST_COMPARED = 60;

type Changes = ReadonlyMap<string, FileChange>;
interface Counts {
  readonly added: number;
  readonly removed: number;
}

/** What is shown of a folder's changes. A file that went and one that came with the same text are one that was renamed. */
export function pendingFiles(folder: string, changes: Changes): readonly PendingFile[] {
  const previousPaths = findRenames(changes);
  const gone = new Set(previousPaths.values());
  const files: PendingFile[] = [];
  for (const [path, change] of changes) {
    const previousPath = previousPaths.get(path);
    const previous = previousPath === undefined ? undefined : changes.get(previousPath);
    if (previousPath !== undefined && previous !== undefined) {
      files.push(renamedFile(folder, path, change, previousPath, previous));
    } else if (!gone.has(path)) {
      files.push(pendingFile(folder, path, change));
    }
  }
  return files.sort((one, other) => compareText(one.path, other.path));
}

/** From the new path to the old one. */
export function findRenames(changes: Changes): ReadonlyMap<string, string> {
  const created: [string, FileVersion][] = [];
  const deleted = new Map<string, FileVersion>();
  for (const [path, change] of changes) {
    if (change.kind === 'whole' && change.before === undefined && change.now !== undefined) {
      created.push([path, change.now]);
    } else if (change.kind === 'whole' && change.before !== undefined && change.now === undefined) {
      deleted.set(path, change.before);
    }
  }
  const renames = new Map<string, string>();
  const isComparable = created.length <= MOST_COMPARED && deleted.size <= MOST_COMPARED;
  for (const isMatch of isComparable ? [isSameFile, isSimilar] : [isSameFile]) {
    for (const [path, now] of created) {
      const match = renames.has(path)
        ? undefined
        : [...deleted].find(([, before]) => now.content.length > 0 && isMatch(before, now));
      if (match !== undefined) {
        renames.set(path, match[0]);
        deleted.delete(match[0]);
      }
    }
  }
  return renames;
}

export function hunksOf(text: TextChange): readonly Hunk[] {
  let shift = 0;
  return text.hunks.map(({ id, sessionId, turnId, start, count, before, isMixed }) => {
    const beforeStart = start + shift;
    shift += before.length - count;
    return {
      id,
      sessionId,
      turnId,
      beforeStart,
      before: before.map(shownLine),
      nowStart: start,
      now: text.lines.slice(start, start + count).map(shownLine),
      isMixed,
    };
  });
}

function pendingFile(folder: string, path: string, change: FileChange): PendingFile {
  const isBinary = [versionBefore(change), versionNow(change)].some(
    (version) => version !== undefined && !isText(version),
  );
  const isWhole = isBinary || (change.kind === 'text' && change.modeBefore !== undefined);
  return {
    path,
    folder,
    kind: kindOf(change),
    previousPath: undefined,
    sessionIds: sessionsOf([change]),
    ...countsOf(change),
    isWhole,
    isBinary,
    isMixed: isMixed(change),
    hunks: isWhole ? [] : shownHunks(change),
  };
}

function renamedFile(
  folder: string,
  path: string,
  change: FileChange,
  previousPath: string,
  previous: FileChange,
): PendingFile {
  const before = versionBefore(previous);
  const now = versionNow(change);
  const isBinary = now === undefined || !isText(now);
  return {
    path,
    folder,
    kind: 'renamed',
    previousPath,
    sessionIds: sessionsOf([previous, change]),
    ...countsBetween(before, now),
    isWhole: true,
    isBinary,
    isMixed: isMixed(change),
    hunks: [],
  };
}

function kindOf(change: FileChange): ChangeKind {
  if (change.kind === 'whole' && change.before === undefined) {
    return 'created';
  }
  return change.kind === 'whole' && change.now === undefined ? 'deleted' : 'edited';
}

function sessionsOf(changes: readonly FileChange[]): readonly string[] {
  return [...new Set(changes.flatMap(ownersOf).map(({ sessionId }) => sessionId))];
}

function countsOf(change: FileChange): Counts {
  if (change.kind === 'whole') {
    return countsBetween(change.before, change.now);
  }
  const { hunks } = change.text;
  return {
    added: hunks.reduce((sum, { count }) => sum + count, 0),
    removed: hunks.reduce((sum, { before }) => sum + before.length, 0),
  };
}

function countsBetween(before: FileVersion | undefined, now: FileVersion | undefined): Counts {
  const edits = diffLines(textLines(before), textLines(now));
  return {
    added: edits.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: edits.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

function textLines(version: FileVersion | undefined): readonly string[] {
  return version !== undefined && isText(version) ? linesOf(version) : [];
}

function shownHunks(change: FileChange): readonly Hunk[] {
  return change.kind === 'text' ? hunksOf(change.text) : [wholeHunk(change)];
}

function wholeHunk({ id, owner, before, now, isMixed }: WholeChange): Hunk {
  return {
    id,
    ...owner,
    beforeStart: 0,
    before: textLines(before).map(shownLine),
    nowStart: 0,
    now: textLines(now).map(shownLine),
    isMixed,
  };
}

function isSameFile(before: FileVersion, now: FileVersion): boolean {
  return (before.mode === 'link') === (now.mode === 'link') && hasSameContent(before, now);
}

/** Most of the lines of both are in both. */
function isSimilar(before: FileVersion, now: FileVersion): boolean {
  if (!isText(before) || !isText(now)) {
    return false;
  }
  const [old, lines] = [linesOf(before), linesOf(now)];
  const counts = new Map<string, number>();
  for (const line of old) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  let common = 0;
  for (const line of lines) {
    const left = counts.get(line) ?? 0;
    if (left > 0) {
      common++;
      counts.set(line, left - 1);
    }
  }
  return common >= LEAST_SIMILAR * Math.max(old.length, lines.length);
}

function compareText(one: string, other: string): number {
  if (one === other) {
    return 0;
  }
  return one < other ? -1 : 1;
}
