import { useEffect, useRef, useState } from 'preact/hooks';
import type { Entry } from '../shared/transcript/model';
import { chunksOf, type Chunk } from './transcriptChunks';
import { whenIdle } from './whenIdle';

/** Enough to fill a screen. What lies further up is drawn when there is nothing else to do. */
const FIRST_ENTRIES = 36;

/** The chunks to draw now, from the last one back: a long transcript opens as fast as a short one. */
export function useChunks(entries: readonly Entry[]): readonly Chunk[] {
  const cut = useRef<readonly Chunk[]>([]);
  const [, redraw] = useState(0);
  /** The key of the first chunk that is drawn. */
  const from = useRef<string>(undefined);

  const previous = cut.current;
  const chunks = chunksOf(entries, previous);
  cut.current = chunks;
  let start = indexOf(chunks, from.current);
  if (start < 0) {
    start = firstStill(chunks, previous.slice(Math.max(0, indexOf(previous, from.current))));
    from.current = chunks[start]?.key;
  }

  useEffect(() => {
    if (start === 0) {
      return;
    }
    return whenIdle(() => {
      from.current = chunks[start - 1]?.key;
      redraw((count) => count + 1);
    });
    // Not by `chunks`: an answer that streams would put this off again and again.
  }, [start]);
  return start === 0 ? chunks : chunks.slice(start);
}

function indexOf(chunks: readonly Chunk[], key: string | undefined): number {
  return chunks.findIndex((chunk) => chunk.key === key);
}

/** What was drawn stays drawn; of a transcript that is all new, only its end. */
function firstStill(chunks: readonly Chunk[], drawn: readonly Chunk[]): number {
  const keys = new Set(drawn.map(({ key }) => key));
  const still = chunks.findIndex(({ key }) => keys.has(key));
  return still < 0 ? firstShown(chunks) : still;
}

function firstShown(chunks: readonly Chunk[]): number {
  let count = 0;
  return Math.max(
    0,
    chunks.findLastIndex(({ entries }) => (count += entries.length) >= FIRST_ENTRIES),
  );
}
