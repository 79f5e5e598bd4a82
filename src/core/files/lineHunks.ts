import { diffArrays } from 'diff';

/** Lines `[start, end)` of the old text become lines `[newStart, newEnd)` of the new one. */
export interface LineHunk {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Beyond this many changed lines one big hunk is good enough, and finding better ones would take seconds. */
const MAX_EDITS = 4_000;

/** The lines of a text, each with its line break: joined they are the text again. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What differs, in order; hunks never touch each other. */
export function lineHunks(before: readonly string[], after: readonly string[]): readonly LineHunk[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) {
    head += 1;
  }
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    tail += 1;
  }
  const [end, newEnd] = [before.length - tail, after.length - tail];
  if (head === end && head === newEnd) {
    return [];
  }
  const whole = { start: head, end, newStart: head, newEnd };
  if (head === end || head === newEnd) {
    return [whole];
  }
  const changes = diffArrays([...before.slice(head, end)], [...after.slice(head, newEnd)], {
    maxEditLength: MAX_EDITS,
  });
  return changes === undefined ? [whole] : toHunks(changes, head);
}

interface Change {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: readonly string[];
}

function toHunks(changes: readonly Change[], offset: number): readonly LineHunk[] {
  const hunks: LineHunk[] = [];
  let [line, newLine] = [offset, offset];
  let open: LineHunk | undefined;
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      line += value.length;
      newLine += value.length;
      open = undefined;
      continue;
    }
    const last: LineHunk = open ?? { start: line, end: line, newStart: newLine, newEnd: newLine };
    line += removed ? value.length : 0;
    newLine += added ? value.length : 0;
    if (open !== undefined) {
      hunks.pop();
    }
    open = { ...last, end: line, newEnd: newLine };
    hunks.push(open);
  }
  return hunks;
}
