import { diffLines, splitLines, type LineEdit } from './lineDiff';

/** The merged text, or undefined when both sides changed the same lines, or lines that touch. */
export function merge3(base: string, ours: string, theirs: string): string | undefined {
  if (ours === theirs || base === theirs) {
    return ours;
  }
  if (base === ours) {
    return theirs;
  }
  const lines = splitLines(base);
  const left = diffLines(lines, splitLines(ours));
  const right = diffLines(lines, splitLines(theirs));
  let merged = '';
  let [line, i, j] = [0, 0, 0];
  for (;;) {
    const [our, their] = [left[i], right[j]];
    const next = earlier(our, their);
    if (next === undefined) {
      return merged + lines.slice(line).join('');
    }
    if (our !== undefined && their !== undefined && touch(our, their)) {
      if (!isSame(our, their)) {
        return undefined;
      }
      // Both did the same: once is enough.
      j += 1;
    }
    merged += lines.slice(line, next.start).join('') + next.lines.join('');
    line = next.end;
    i += next === our ? 1 : 0;
    j += next === our ? 0 : 1;
  }
}

function earlier(our: LineEdit | undefined, their: LineEdit | undefined): LineEdit | undefined {
  if (our === undefined || their === undefined) {
    return our ?? their;
  }
  return their.start < our.start ? their : our;
}

/** As in diff3: without a line between them that both sides kept, nobody can say in which order they belong. */
function touch(a: LineEdit, b: LineEdit): boolean {
  return a.start <= b.end && b.start <= a.end;
}

function isSame(our: LineEdit, their: LineEdit): boolean {
  return our.start === their.start && our.end === their.end && our.lines.join('') === their.lines.join('');
}
