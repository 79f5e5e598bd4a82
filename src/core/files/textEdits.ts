import { diffLines, splitLines } from './lineDiff';

/** A range in a text by line and character, both from 0, and what takes its place. */
export interface TextEdit {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** The least that makes one text the other, so that cursors, folding and undo stay right. Both with `\n` only. */
export function textEdits(before: string, after: string): readonly TextEdit[] {
  const oldLines = splitLines(before);
  return diffLines(oldLines, splitLines(after)).map(({ start, end, lines }) => {
    const removed = oldLines.slice(start, end).join('');
    const added = lines.join('');
    const head = commonStart(removed, added);
    const tail = commonEnd(removed.slice(head), added.slice(head));
    const from = advance(lineStart(oldLines, start), removed.slice(0, head));
    return {
      start: from,
      end: advance(from, removed.slice(head, removed.length - tail)),
      text: added.slice(head, added.length - tail),
    };
  });
}

/** Past the last line break, the end is a line of its own; without one, it is the end of the last line. */
function lineStart(lines: readonly string[], line: number): Position {
  const last = lines.at(-1) ?? '';
  return line === lines.length && line > 0 && !last.endsWith('\n')
    ? { line: line - 1, character: last.length }
    : { line, character: 0 };
}

function advance({ line, character }: Position, text: string): Position {
  const breaks = text.split('\n');
  const last = breaks.at(-1) ?? '';
  return breaks.length === 1
    ? { line, character: character + last.length }
    : { line: line + breaks.length - 1, character: last.length };
}

export function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) {
    length += 1;
  }
  return isLowSurrogate(a, length) || isLowSurrogate(b, length) ? length - 1 : length;
}

export function commonEnd(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) {
    length += 1;
  }
  return length > 0 && isLowSurrogate(a, a.length - length) ? length - 1 : length;
}

/** Whether a cut here would split a character in two. */
function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff;
}
