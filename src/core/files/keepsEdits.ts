import { diffLines, splitLines } from './lineDiff';

/**
 * Whether a text still has everything that was changed from `base` to `edited`: then whoever wrote it has seen that.
 * Lines that were removed there have to stay removed.
 */
export function keepsEdits(base: string, edited: string, text: string): boolean {
  const lines = splitLines(edited);
  const changes = diffLines(lines, splitLines(text));
  let moved = 0;
  return diffLines(splitLines(base), lines).every(({ start, end, lines: added }) => {
    const from = start + moved;
    const to = from + added.length;
    moved += added.length - (end - start);
    return changes.every((change) =>
      added.length === 0
        ? change.end < from || change.start > from
        : change.end <= from || change.start >= to,
    );
  });
}
