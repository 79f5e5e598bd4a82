import type { TranscriptEvent } from '../../shared/transcript/events';
import { emptyTranscript, type Transcript } from '../../shared/transcript/model';
import { reduce } from '../../shared/transcript/reduce';
import { reduceAll } from '../../shared/transcript/reduceAll';

/** A turn that was running when the window went away has no end in the log, but it has ended, and all with it. */
export function storedTranscript(events: readonly TranscriptEvent[], now: number): Transcript {
  const stored = reduceAll(emptyTranscript, events);
  const { turn } = stored;
  return reduce(
    turn.state === 'idle'
      ? stored
      : reduce(stored, { type: 'turnEnded', at: now, turnId: turn.turnId, outcome: { kind: 'cancelled' } }),
    { type: 'replayEnded' },
  );
}
