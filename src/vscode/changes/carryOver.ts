import { diffLines } from 'diff';

/** Lines `start` to `end` of the base become `text`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Makes the change from `base` to `changed` in `mine`, another descendant of `base`. Undefined when both changed the
 * same lines in different ways.
 */
export function carryOver(base: string, changed: string, mine: string): string | undefined {
  const lines = linesOf(base);
  const theirs = editsBetween(base, changed);
  const own = editsBetween(base, mine);
  const isSame = (a: Edit, b: Edit): boolean => a.start === b.start && a.end === b.end && a.text === b.text;
  const fresh = theirs.filter((edit) => !own.some((other) => isSame(edit, other)));
  if (fresh.some((edit) => own.some((other) => touch(edit, other)))) {
    return undefined;
  }
  const all = [...own, ...fresh].sort((a, b) => a.start - b.start);
  let at = 0;
  let result = '';
  for (const { start, end, text } of all) {
    result += lines.slice(at, start).join('') + text;
    at = end;
  }
  return result + lines.slice(at).join('');
}

/** Two insertions at one place count: nobody can know their order. */
function touch(a: Edit, b: Edit): boolean {
  return a.start <= b.end && b.start <= a.end;
}

function editsBetween(from: string, to: string): readonly Edit[] {
  const edits: Edit[] = [];
  let line = 0;
  for (const { added, removed, count, value } of diffLines(from, to)) {
    const last = edits.at(-1);
    const end = removed ? line + count : line;
    if (added || removed) {
      const isNext = last?.end === line;
      const start = isNext ? last.start : line;
      const text = (isNext ? last.text : '') + (added ? value : '');
      edits.splice(isNext ? -1 : edits.length, isNext ? 1 : 0, { start, end, text });
    }
    line = added ? line : line + count;
  }
  return edits;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
