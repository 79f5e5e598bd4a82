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
  const known = new Map(previous.map((chunk) => [chunk.key, chunk]));
  const chunks: Chunk[] = [];
  let start = 0;
  for (let end = 1; end <= entries.length; end += 1) {
    const next = entries[end];
    if (next === undefined || endsBefore(next, end - start) || known.has(keyOf(next))) {
      const chunk = chunkOf(entries.slice(start, end));
      const old = known.get(chunk.key);
      chunks.push(old !== undefined && areSame(old.entries, chunk.entries) ? old : chunk);
      start = end;
    }
  }
  return chunks;
}

export function keyOf(entry: Entry): string {
  return `${entry.kind} ${entry.id}`;
}

function endsBefore(next: Entry, size: number): boolean {
  return size >= (next.kind === 'tool' ? LONGEST_CHUNK : CHUNK_ENTRIES);
}

function chunkOf(entries: readonly Entry[]): Chunk {
  const [first] = entries;
  return { key: first === undefined ? '' : keyOf(first), entries };
}

function areSame(a: readonly Entry[], b: readonly Entry[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}
