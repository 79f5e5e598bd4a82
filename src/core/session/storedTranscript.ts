import type { TranscriptEvent } from '../../shared/transcript/events';
import { emptyTranscript, type Transcript } from '../../shared/transcript/model';
import { reduce } from '../../shared/transcript/reduce';

/** A turn that was running when the window went away has no end in the log, but it has ended, and all with it. */
export function storedTranscript(events: readonly TranscriptEvent[], now: number): Transcript {
  const stored = events.reduce(reduce, emptyTranscript);
  const { turn } = stored;
  return reduce(
    turn.state === 'idle'
      ? stored
      : reduce(stored, { type: 'turnEnded', at: now, turnId: turn.turnId, outcome: { kind: 'cancelled' } }),
    { type: 'replayEnded' },
  );
}
