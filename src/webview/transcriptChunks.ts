import type { Entry } from '../shared/transcript/model';

/** Neighbouring entries that are drawn, and passed over, as one. Unchanged entries keep their chunk's identity. */
export interface Chunk {
  readonly key: string;
  readonly entries: readonly Entry[];
}

const CHUNK_ENTRIES = 12;
/** A chunk does not end among tool calls, which may fold into one row; but it must end some time. */
const LONGEST_CHUNK = 120;

/** Cuts entries into chunks, where `previous` was cut if possible: rows that change chunks would be drawn anew. */
export function chunksOf(entries: readonly Entry[], previous: readonly Chunk[]): readonly Chunk[] {
  const chunks = unchanged(entries, previous);
  const known = new Map(previous.slice(chunks.length).map((chunk) => [chunk.key, chunk]));
  let start = chunks.reduce((count, chunk) => count + chunk.entries.length, 0);
  for (let end = start + 1; end <= entries.length; end += 1) {
    const next = entries[end];
    if (next === undefined || endsBefore(next, end - start) || known.has(keyOf(next))) {
      const chunk = chunkOf(entries.slice(start, end));
      const old = known.get(chunk.key);
      chunks.push(old !== undefined && isIn(entries, start, old) && isSameLength(old, chunk) ? old : chunk);
      start = end;
    }
  }
  return chunks;
}

export function keyOf(entry: Entry): string {
  return `${entry.kind} ${entry.id}`;
}

/** All chunks before the first change, which is nearly always in the last one: only that may grow. */
function unchanged(entries: readonly Entry[], previous: readonly Chunk[]): Chunk[] {
  let start = 0;
  const changed = previous.findIndex((chunk, index) => {
    if (index === previous.length - 1 || !isIn(entries, start, chunk)) {
      return true;
    }
    start += chunk.entries.length;
    return false;
  });
  return previous.slice(0, Math.max(0, changed));
}

function endsBefore(next: Entry, size: number): boolean {
  return size >= (next.kind === 'tool' ? LONGEST_CHUNK : CHUNK_ENTRIES);
}

function chunkOf(entries: readonly Entry[]): Chunk {
  const [first] = entries;
  return { key: first === undefined ? '' : keyOf(first), entries };
}

function isIn(entries: readonly Entry[], start: number, chunk: Chunk): boolean {
  return chunk.entries.every((entry, index) => entry === entries[start + index]);
}

function isSameLength(a: Chunk, b: Chunk): boolean {
  return a.entries.length === b.entries.length;
}
