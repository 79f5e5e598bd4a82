import { lineHunks, splitLines, type LineHunk } from './lineHunks';

/** The merged text, or undefined when both sides changed the same lines, or lines that touch. */
export function merge3(base: string, ours: string, theirs: string): string | undefined {
  if (ours === theirs || base === theirs) {
    return ours;
  }
  if (base === ours) {
    return theirs;
  }
  const [baseLines, ourLines, theirLines] = [base, ours, theirs].map(splitLines) as [Lines, Lines, Lines];
  const left = lineHunks(baseLines, ourLines);
  const right = lineHunks(baseLines, theirLines);
  const merged: string[] = [];
  let [line, i, j] = [0, 0, 0];
  for (;;) {
    const [our, their] = [left[i], right[j]];
    const next = earlier(our, their);
    if (next === undefined) {
      return [...merged, ...baseLines.slice(line)].join('');
    }
    if (our !== undefined && their !== undefined && touch(our, their)) {
      if (!isSame(our, ourLines, their, theirLines)) {
        return undefined;
      }
      // Both did the same: once is enough.
      j += 1;
    }
    const isOurs = next === our;
    merged.push(...baseLines.slice(line, next.start));
    merged.push(...(isOurs ? ourLines : theirLines).slice(next.newStart, next.newEnd));
    line = next.end;
    i += isOurs ? 1 : 0;
    j += isOurs ? 0 : 1;
  }
}

type Lines = readonly string[];

function earlier(our: LineHunk | undefined, their: LineHunk | undefined): LineHunk | undefined {
  if (our === undefined || their === undefined) {
    return our ?? their;
  }
  return their.start < our.start ? their : our;
}

/** As in diff3: without a line between them that both sides kept, nobody can say in which order they belong. */
function touch(a: LineHunk, b: LineHunk): boolean {
  return a.start <= b.end && b.start <= a.end;
}

function isSame(our: LineHunk, ourLines: Lines, their: LineHunk, theirLines: Lines): boolean {
  return (
    our.start === their.start &&
    our.end === their.end &&
    ourLines.slice(our.newStart, our.newEnd).join('') ===
      theirLines.slice(their.newStart, their.newEnd).join('')
  );
}
