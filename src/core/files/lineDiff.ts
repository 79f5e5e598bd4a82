import { diffArrays } from 'diff';

/** What a search for the smallest edit may cost: it takes time by the square of the number of changed lines. */
const MOST_EDITS = 1500;

/** The lines of a text, each with its line break: joined they are the text again. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Lines from `start` to before `end` become `lines`. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** The edits that make `to` of `from`, in order. Between two of them is at least one line that stays. */
export function diffLines(from: readonly string[], to: readonly string[]): readonly LineEdit[] {
  const head = sameAtStart(from, to);
  const tail = sameAtEnd(from, to, head);
  const middle = diffMiddle(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  return middle.map(({ start, end, lines }) => ({ start: start + head, end: end + head, lines }));
}

export function sameAtStart(from: readonly string[], to: readonly string[]): number {
  const most = Math.min(from.length, to.length);
  let count = 0;
  while (count < most && from[count] === to[count]) {
    count++;
  }
  return count;
}

/** Without the first `head` lines of both. */
export function sameAtEnd(from: readonly string[], to: readonly string[], head: number): number {
  const most = Math.min(from.length, to.length) - head;
  let count = 0;
  while (count < most && from[from.length - 1 - count] === to[to.length - 1 - count]) {
    count++;
  }
  return count;
}

function diffMiddle(from: readonly string[], to: readonly string[]): readonly LineEdit[] {
  if (from.length === 0 && to.length === 0) {
    return [];
  }
  if (from.length === 0 || to.length === 0) {
    return [{ start: 0, end: from.length, lines: to }];
  }
  const numbers = new Map<string, number>();
  const changes = diffArrays(numbered(from, numbers), numbered(to, numbers), { maxEditLength: MOST_EDITS });
  if (changes === undefined) {
    return diffBetweenAnchors(from, to);
  }
  const edits: LineEdit[] = [];
  let [start, newStart, end, newEnd] = [0, 0, 0, 0];
  const close = (): void => {
    if (end > start || newEnd > newStart) {
      edits.push({ start, end, lines: to.slice(newStart, newEnd) });
    }
  };
  for (const { added, removed, count } of changes) {
    if (removed) {
      end += count;
    } else if (added) {
      newEnd += count;
    } else {
      close();
      start = end += count;
      newStart = newEnd += count;
    }
  }
  close();
  return edits;
}

/** Numbers compare faster than long lines. */
function numbered(lines: readonly string[], numbers: Map<string, number>): number[] {
  return lines.map((line) => {
    const known = numbers.get(line);
    if (known !== undefined) {
      return known;
    }
    numbers.set(line, numbers.size);
    return numbers.size - 1;
  });
}

/** For great rewrites: lines that both sides have exactly once, in the same order, stay; the rest between is replaced. */
function diffBetweenAnchors(from: readonly string[], to: readonly string[]): readonly LineEdit[] {
  const edits: LineEdit[] = [];
  let [start, newStart] = [0, 0];
  const close = (end: number, newEnd: number): void => {
    if (end > start || newEnd > newStart) {
      edits.push({ start, end, lines: to.slice(newStart, newEnd) });
    }
  };
  for (const [old, now] of longestRising(commonOnce(from, to))) {
    close(old, now);
    [start, newStart] = [old + 1, now + 1];
  }
  close(from.length, to.length);
  return edits;
}

type Anchor = readonly [old: number, now: number];

function commonOnce(from: readonly string[], to: readonly string[]): readonly Anchor[] {
  const newPlaces = placesOfUnique(to);
  const anchors: Anchor[] = [];
  for (const [line, place] of placesOfUnique(from)) {
    const newPlace = newPlaces.get(line);
    if (newPlace !== undefined) {
      anchors.push([place, newPlace]);
    }
  }
  return anchors.sort(([one], [other]) => one - other);
}

function placesOfUnique(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  lines.forEach((line, place) => {
    if (places.has(line)) {
      repeated.add(line);
    }
    places.set(line, place);
  });
  for (const line of repeated) {
    places.delete(line);
  }
  return places;
}

/** The longest choice of anchors in which both places rise. */
function longestRising(anchors: readonly Anchor[]): readonly Anchor[] {
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  const newPlace = (index: number | undefined): number =>
    index === undefined ? -1 : (anchors[index]?.[1] ?? -1);
  anchors.forEach(([, now], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (newPlace(ends[middle]) < now) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    previous[index] = low > 0 ? ends[low - 1] : undefined;
    ends[low] = index;
  });
  const rising: Anchor[] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) {
    const anchor = anchors[index];
    if (anchor !== undefined) {
      rising.push(anchor);
    }
  }
  return rising.reverse();
}
