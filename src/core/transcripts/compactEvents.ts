import { coalesce } from '../../shared/transcript/coalesce';
import type { TranscriptEvent } from '../../shared/transcript/events';
import { TERMINAL_OUTPUT_CHARS } from '../../shared/transcript/terminals';

/** Fewer events that reduce to the same transcript. */
export function compactEvents(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  return joinNeighbours(dropSuperseded(dropCleared(events)).filter(changesSomething));
}

/** False for a chunk without text. Joined to its follower, it would give the message another id and time. */
export function changesSomething(event: TranscriptEvent): boolean {
  return event.type !== 'messageChunk' || event.block.kind !== 'text' || event.block.text !== '';
}

/** Each time a session is loaded, its whole history is cleared and replayed: only the last replay counts. */
function dropCleared(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  const cleared = events.findLastIndex((event) => event.type === 'cleared');
  if (cleared < 0) {
    return events;
  }
  const before = events.slice(0, cleared);
  const turn = before.findLastIndex((event) => event.type === 'turnStarted');
  // What outlives the clearing: the title, the usage, and whether a turn is running.
  const kept = before.filter(
    (event, index) =>
      event.type === 'titleChanged' ||
      event.type === 'usageChanged' ||
      (index >= turn &&
        (event.type === 'turnStarted' || event.type === 'turnCancelling' || event.type === 'turnEnded')),
  );
  return [...kept, ...events.slice(cleared)];
}

function dropSuperseded(events: readonly TranscriptEvent[]): readonly TranscriptEvent[] {
  const cleared = events.findLastIndex((event) => event.type === 'cleared');
  const last = (type: TranscriptEvent['type']): number =>
    events.findLastIndex((event) => event.type === type);
  const config = last('configChanged');
  const first = {
    usageChanged: last('usageChanged'),
    commandsChanged: last('commandsChanged'),
    titleChanged: last('titleChanged'),
    configChanged: config,
    configValueChanged: config,
  };
  return events.filter((event, index) => {
    switch (event.type) {
      case 'usageChanged':
      case 'commandsChanged':
      case 'titleChanged':
      case 'configChanged':
      case 'configValueChanged':
        return index >= first[event.type];
      case 'cleared':
        return index === cleared;
      default:
        return true;
    }
  });
}

/** Terminals whose output the reducer cuts are left alone: where it cuts depends on the pieces. */
function joinNeighbours(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  const chars = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'terminalOutput') {
      chars.set(event.terminalId, (chars.get(event.terminalId) ?? 0) + event.data.length);
    }
  }
  const joined: TranscriptEvent[] = [];
  let run: TranscriptEvent[] = [];
  for (const event of events) {
    if (event.type === 'terminalOutput' && (chars.get(event.terminalId) ?? 0) > 2 * TERMINAL_OUTPUT_CHARS) {
      joined.push(...coalesce(run), event);
      run = [];
    } else {
      run.push(event);
    }
  }
  return [...joined, ...coalesce(run)];
}
