/** A path as the scorer wants it: what does not depend on the query is worked out once. */
export interface Candidate {
  readonly path: string;
  readonly lower: string;
  /** Where the last part of the path begins. */
  readonly baseStart: number;
  /** One bit for each letter or digit in it: most candidates are ruled out by it alone. */
  readonly letters: number;
}

export function candidate(path: string): Candidate {
  const lower = path.toLowerCase();
  return { path, lower, baseStart: path.lastIndexOf('/') + 1, letters: lettersOf(lower) };
}

const BASENAME = 1000;
const PREFIX = 300;
const WHOLE = 400;

/** How well a query fits; undefined when it does not. A match in the name outranks one in its folders. */
export function fuzzyScore(query: string, { path, lower, baseStart }: Candidate): number | undefined {
  const sought = query.toLowerCase();
  const shortness = -path.length / 100;
  if (sought === '') {
    return shortness;
  }
  const inName = sought.includes('/') ? undefined : bestMatch(sought, path, lower, baseStart);
  if (inName === undefined) {
    const inPath = bestMatch(sought, path, lower, 0);
    return inPath === undefined ? undefined : inPath + shortness;
  }
  const isPrefix = lower.startsWith(sought, baseStart);
  const end = baseStart + sought.length;
  const isWhole = isPrefix && (end === lower.length || lower[end] === '.');
  return BASENAME + (isPrefix ? PREFIX : 0) + (isWhole ? WHOLE : 0) + inName + shortness;
}

/** May the query fit at all? */
export function mayMatch(queryLetters: number, { letters }: Candidate): boolean {
  return (queryLetters & letters) === queryLetters;
}

export function lettersOf(lower: string): number {
  let letters = 0;
  for (let index = 0; index < lower.length; index++) {
    const code = lower.charCodeAt(index);
    if (code >= 97 && code <= 122) {
      letters |= 1 << (code - 97);
    } else if (code >= 48 && code <= 57) {
      // Six bits are left for ten digits: some share one, which only rules out a little less.
      letters |= 1 << (26 + ((code - 48) % 6));
    }
  }
  return letters;
}

const PER_LETTER = 1;
const CONSECUTIVE = 6;
const WORD_START = 8;
const MAX_GAP = 4;
/** More beginnings than this are not tried: names made of one letter would make it quadratic. */
const MAX_STARTS = 12;

function bestMatch(sought: string, path: string, lower: string, from: number): number | undefined {
  let best: number | undefined;
  let start = lower.indexOf(sought.charAt(0), from);
  for (let tried = 0; start >= 0 && tried < MAX_STARTS; tried++) {
    for (const prefersWords of [true, false]) {
      const score = matchFrom(sought, path, lower, start, prefersWords);
      if (score !== undefined && (best === undefined || score > best)) {
        best = score;
      }
    }
    start = lower.indexOf(sought.charAt(0), start + 1);
  }
  return best;
}

/** Letter by letter from `start`: the next one if it fits, else the next word's beginning or the next at all. */
function matchFrom(
  sought: string,
  path: string,
  lower: string,
  start: number,
  prefersWords: boolean,
): number | undefined {
  let score = PER_LETTER + (isWordStart(path, start) ? WORD_START : 0);
  let last = start;
  for (let index = 1; index < sought.length; index++) {
    const letter = sought.charAt(index);
    if (lower[last + 1] === letter) {
      last += 1;
      score += PER_LETTER + CONSECUTIVE + (isWordStart(path, last) ? 1 : 0);
      continue;
    }
    let next = lower.indexOf(letter, last + 1);
    while (prefersWords && next >= 0 && !isWordStart(path, next)) {
      next = lower.indexOf(letter, next + 1);
    }
    if (next < 0) {
      return undefined;
    }
    score += PER_LETTER + (isWordStart(path, next) ? WORD_START : 0) - Math.min(MAX_GAP, next - last - 1);
    last = next;
  }
  return score;
}

function isWordStart(path: string, index: number): boolean {
  if (index === 0) {
    return true;
  }
  const before = path.charCodeAt(index - 1);
  if (!isLetter(before) && !isDigit(before)) {
    return true;
  }
  const code = path.charCodeAt(index);
  const isHump = code >= 65 && code <= 90 && before >= 97 && before <= 122;
  return isHump || (isDigit(code) && !isDigit(before));
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 127;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
