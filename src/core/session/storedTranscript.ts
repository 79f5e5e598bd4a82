import type { TranscriptEvent } from '../../shared/transcript/events';
import { emptyTranscript, type Transcript } from '../../shared/transcript/model';
import { reduce } from '../../shared/transcript/reduce';

/** A turn that was running when the window went away has no end in the log, but it has ended. */
export function storedTranscript(events: readonly TranscriptEvent[], now: number): Transcript {
  const stored = events.reduce(reduce, emptyTranscript);
  if (stored.turn.state === 'idle') {
    return stored;
  }
  const { turnId } = stored.turn;
  return reduce(stored, { type: 'turnEnded', at: now, turnId, outcome: { kind: 'cancelled' } });
}
