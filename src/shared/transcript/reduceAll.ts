import { ownEntries } from './entryList';
import type { TranscriptEvent } from './events';
import type { Transcript } from './model';
import { reduce } from './reduce';

/**
 * As one event after the other, but with one copy of the entries for all: nobody sees those in between. A long
 * history would be copied as often as it has events.
 */
export function reduceAll(before: Transcript, events: readonly TranscriptEvent[]): Transcript {
  return ownEntries((copy) => {
    let state = before;
    for (const event of events) {
      const entries = copy(state.entries);
      state = reduce(entries === state.entries ? state : { ...state, entries }, event);
    }
    return state;
  });
}
