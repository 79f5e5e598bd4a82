import type { TranscriptEvent } from '../../shared/transcript/events';
import type { Transcript } from '../../shared/transcript/model';
import { reduce } from '../../shared/transcript/reduce';

/** A history that the agent is sending again: rebuilt out of sight, shown at once or not at all. */
export class Replay {
  readonly events: TranscriptEvent[] = [{ type: 'cleared' }];
  private state: Transcript;

  constructor(before: Transcript) {
    this.state = reduce(before, { type: 'cleared' });
  }

  get transcript(): Transcript {
    return this.state;
  }

  /** What agents tell of the session as it is now; true whether or not the history is taken. */
  get current(): readonly TranscriptEvent[] {
    return this.events.filter(isOfNow);
  }

  take(event: TranscriptEvent): void {
    this.state = reduce(this.state, event);
    this.events.push(event);
  }
}

function isOfNow({ type }: TranscriptEvent): boolean {
  return (
    type === 'commandsChanged' ||
    type === 'configChanged' ||
    type === 'configValueChanged' ||
    type === 'usageChanged' ||
    type === 'titleChanged'
  );
}
