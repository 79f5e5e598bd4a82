import { diffLines, sameAtEnd, sameAtStart, type LineEdit } from '../files/lineDiff';
import type { Author } from './model';

/** A review gives a text back as it was: that is nobody's own work, and mixes with nothing. */
export type Editor = Author | { readonly kind: 'review' };

/** A text as it is now, with the places where agents changed it. Outside of the hunks nothing differs. */
export interface TextChange {
  readonly lines: readonly string[];
  /** In the order of the text; they may touch, but never overlap. */
  readonly hunks: readonly TextHunk[];
}

export interface TextHunk {
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: number;
  /** In the text as it is now. */
  readonly start: number;
  readonly count: number;
  readonly before: readonly string[];
  readonly isMixed: boolean;
  /** The lines with the user's own text in them, when an agent has written over that. */
  readonly overwritten: readonly string[] | undefined;
}

/** Hunks and edits that belong together, in the lines before the edits. */
interface Cluster {
  readonly hunks: TextHunk[];
  readonly edits: LineEdit[];
  start: number;
  end: number;
}

/** Somebody made `lines` of the text. */
export function editText(
  change: TextChange,
  lines: readonly string[],
  author: Editor,
  newId: () => string,
): TextChange {
  const hunks: TextHunk[] = [];
  let shift = 0;
  for (const cluster of clustersOf(change.hunks, diffLines(change.lines, lines), author)) {
    const grown = cluster.edits.reduce((sum, edit) => sum + edit.lines.length - (edit.end - edit.start), 0);
    const start = cluster.start + shift;
    const count = cluster.end - cluster.start + grown;
    shift += grown;
    const hunk = hunkOf(cluster, change.lines, author, newId);
    if (hunk !== undefined) {
      const trimmed = trim({ ...hunk, start, count }, lines, cluster.edits.length > 0);
      if (trimmed !== undefined) {
        hunks.push(trimmed);
      }
    }
  }
  return { lines, hunks };
}

/** The text without the agents' changes. */
export function linesBefore({ lines, hunks }: TextChange): readonly string[] {
  const before: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    append(before, lines.slice(at, hunk.start));
    append(before, hunk.before);
    at = hunk.start + hunk.count;
  }
  append(before, lines.slice(at));
  return before;
}

export function keepHunks(change: TextChange, isWanted: (hunk: TextHunk) => boolean): TextChange {
  return { lines: change.lines, hunks: change.hunks.filter((hunk) => !isWanted(hunk)) };
}

export function undoHunks(change: TextChange, isWanted: (hunk: TextHunk) => boolean): TextChange {
  const lines: string[] = [];
  const hunks: TextHunk[] = [];
  let at = 0;
  for (const hunk of change.hunks) {
    append(lines, change.lines.slice(at, hunk.start));
    at = hunk.start + hunk.count;
    if (isWanted(hunk)) {
      append(lines, hunk.overwritten ?? hunk.before);
    } else {
      hunks.push({ ...hunk, start: lines.length });
      append(lines, change.lines.slice(hunk.start, at));
    }
  }
  append(lines, change.lines.slice(at));
  return { lines, hunks };
}

/** Spreading a long list into `push` overflows the stack. */
function append(lines: string[], more: readonly string[]): void {
  for (const line of more) {
    lines.push(line);
  }
}

function clustersOf(
  hunks: readonly TextHunk[],
  edits: readonly LineEdit[],
  author: Editor,
): readonly Cluster[] {
  const clusters: Cluster[] = [];
  let next = 0;
  const addHunk = (hunk: TextHunk): void => {
    clusters.push({ hunks: [hunk], edits: [], start: hunk.start, end: hunk.start + hunk.count });
    next++;
  };
  for (const edit of edits) {
    for (
      let hunk = hunks[next];
      hunk !== undefined && isBefore(hunk, edit) && !belongsTo(edit, hunk, author);
      hunk = hunks[next]
    ) {
      addHunk(hunk);
    }
    const last = clusters.at(-1);
    const lastHunk = last?.hunks.at(-1);
    let cluster: Cluster = { hunks: [], edits: [edit], start: edit.start, end: edit.end };
    if (last !== undefined && lastHunk !== undefined && belongsTo(edit, lastHunk, author)) {
      cluster = last;
      last.edits.push(edit);
      last.end = Math.max(last.end, edit.end);
    } else {
      clusters.push(cluster);
    }
    // One that lies between a hunk of the cluster and the edit is part of it too.
    for (
      let hunk = hunks[next];
      hunk !== undefined && (isBefore(hunk, edit) || belongsTo(edit, hunk, author));
      hunk = hunks[next]
    ) {
      cluster.hunks.push(hunk);
      cluster.start = Math.min(cluster.start, hunk.start);
      cluster.end = Math.max(cluster.end, hunk.start + hunk.count);
      next++;
    }
  }
  for (let hunk = hunks[next]; hunk !== undefined; hunk = hunks[next]) {
    addHunk(hunk);
  }
  return clusters;
}

function isBefore(hunk: TextHunk, edit: LineEdit): boolean {
  return hunk.start + hunk.count <= edit.start;
}

/** Whether the edit changes the hunk, rather than the text around it. */
function belongsTo(edit: LineEdit, hunk: TextHunk, author: Editor): boolean {
  const end = hunk.start + hunk.count;
  if (edit.start > end || edit.end < hunk.start) {
    return false;
  }
  if (edit.start < end && hunk.start < edit.end) {
    return true;
  }
  const isInsertion = edit.start === edit.end;
  if (isInsertion && hunk.start < edit.start && edit.start < end) {
    return true;
  }
  // From here on they touch.
  if (hunk.count === 0 && isAmbiguousAtDeletion(edit)) {
    return true;
  }
  if (isUnterminated(edit.lines) || isUnterminated(hunk.before)) {
    // Without a line end nothing can be put behind it: the two cannot be undone one without the other.
    return true;
  }
  return author.kind === 'agent' && author.sessionId === hunk.sessionId && !hunk.isMixed;
}

/**
 * Next to lines that an agent deleted, nobody can tell on which side of them new lines are. Changed lines are
 * taken to be where they were.
 */
function isAmbiguousAtDeletion(edit: LineEdit): boolean {
  return edit.lines.length > 0 && edit.lines.length !== edit.end - edit.start;
}

function isUnterminated(lines: readonly string[]): boolean {
  return lines.at(-1)?.endsWith('\n') === false;
}

function hunkOf(
  cluster: Cluster,
  lines: readonly string[],
  author: Editor,
  newId: () => string,
): TextHunk | undefined {
  const { hunks, edits, start, end } = cluster;
  const first = hunks[0];
  if (edits.length === 0 || (first === undefined && author.kind !== 'agent')) {
    return first;
  }
  const last = hunks.at(-1);
  const owner = author.kind === 'agent' ? author : last;
  if (owner === undefined) {
    return undefined;
  }
  return {
    id: first?.id ?? newId(),
    sessionId: owner.sessionId,
    turnId: owner.turnId,
    start,
    count: end - start,
    before: linesBefore(cut(lines, hunks, start, end)),
    isMixed: author.kind === 'user' || hunks.some(({ isMixed }) => isMixed),
    overwritten: overwrittenBy(author, cluster, lines),
  };
}

/** The lines as the user had them, if their own text is in there and an agent writes over it. */
function overwrittenBy(
  author: Editor,
  { hunks, start, end }: Cluster,
  lines: readonly string[],
): readonly string[] | undefined {
  const isLost = author.kind === 'agent' && hunks.some(({ isMixed, count }) => isMixed && count > 0);
  if (!isLost && hunks.every(({ overwritten }) => overwritten === undefined)) {
    return undefined;
  }
  const reverted = hunks
    .filter(({ isMixed, count, overwritten }) => !isMixed || count === 0 || overwritten !== undefined)
    .map((hunk) => ({ ...hunk, before: hunk.overwritten ?? hunk.before }));
  return linesBefore(cut(lines, reverted, start, end));
}

function cut(lines: readonly string[], hunks: readonly TextHunk[], start: number, end: number): TextChange {
  return {
    lines: lines.slice(start, end),
    hunks: hunks.map((hunk) => ({ ...hunk, start: hunk.start - start })),
  };
}

/** Nothing is left of a hunk whose two sides are the same. */
function trim(hunk: TextHunk, lines: readonly string[], isChanged: boolean): TextHunk | undefined {
  if (!isChanged || hunk.overwritten !== undefined) {
    return hunk;
  }
  const now = lines.slice(hunk.start, hunk.start + hunk.count);
  const head = sameAtStart(hunk.before, now);
  const tail = sameAtEnd(hunk.before, now, head);
  const before = hunk.before.slice(head, hunk.before.length - tail);
  const count = hunk.count - head - tail;
  return before.length === 0 && count === 0
    ? undefined
    : { ...hunk, start: hunk.start + head, count, before };
}
