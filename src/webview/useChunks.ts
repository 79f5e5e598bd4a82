import { useEffect, useRef, useState } from 'preact/hooks';
import type { Entry } from '../shared/transcript/model';
import { chunksOf, type Chunk } from './transcriptChunks';
import { whenIdle } from './whenIdle';

/** Enough to fill a screen. What lies further up is drawn when there is nothing else to do. */
const FIRST_ENTRIES = 36;

interface Shown {
  readonly sessionId: string;
  /** The key of the first chunk that is drawn; undefined when all are. */
  readonly from: string | undefined;
}

/** The chunks to draw now, from the last one back: a long transcript opens as fast as a short one. */
export function useChunks(sessionId: string, entries: readonly Entry[]): readonly Chunk[] {
  const cut = useRef<{ readonly sessionId: string; readonly chunks: readonly Chunk[] }>(undefined);
  const [, redraw] = useState(0);
  const shown = useRef<Shown>(undefined);

  const previous = cut.current?.sessionId === sessionId ? cut.current.chunks : [];
  const chunks = chunksOf(entries, previous);
  cut.current = { sessionId, chunks };
  if (shown.current?.sessionId !== sessionId) {
    shown.current = { sessionId, from: chunks[firstShown(chunks)]?.key };
  }
  const { from } = shown.current;
  const start = Math.max(
    0,
    chunks.findIndex(({ key }) => key === from),
  );

  useEffect(() => {
    if (start === 0) {
      return;
    }
    return whenIdle(() => {
      shown.current = { sessionId, from: chunks[start - 1]?.key };
      redraw((count) => count + 1);
    });
    // Not by `chunks`: an answer that streams would put this off again and again.
  }, [sessionId, start]);
  return start === 0 ? chunks : chunks.slice(start);
}

function firstShown(chunks: readonly Chunk[]): number {
  let count = 0;
  return Math.max(
    0,
    chunks.findLastIndex(({ entries }) => (count += entries.length) >= FIRST_ENTRIES),
  );
}
