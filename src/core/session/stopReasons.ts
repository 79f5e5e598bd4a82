import type { EndNotice, TurnOutcome } from '../../shared/transcript/events';

/** What a turn's stop reason means to the user. A plain end says nothing. */
export function outcomeOf(stopReason: string, wasCancelled: boolean, newId: () => string): TurnOutcome {
  // Agents answer a cancelled turn with all sorts of reasons; we know that we cancelled it.
  if (wasCancelled || stopReason === 'cancelled') {
    return { kind: 'cancelled', notice: notice(newId(), 'info', 'Stopped') };
  }
  switch (stopReason) {
    case 'end_turn':
      return { kind: 'done', stopReason };
    case 'max_tokens':
      return { kind: 'done', stopReason, notice: notice(newId(), 'warning', 'Reached the token limit') };
    case 'max_turn_requests':
      return {
        kind: 'done',
        stopReason,
        notice: notice(
          newId(),
          'warning',
          'Reached the limit of requests in one turn. Send a message to go on.',
        ),
      };
    case 'refusal':
      return {
        kind: 'done',
        stopReason,
        notice: notice(
          newId(),
          'warning',
          'The agent refused. It has dropped this prompt and all after it from its context.',
        ),
      };
    default:
      return { kind: 'done', stopReason, notice: notice(newId(), 'info', `Ended: ${stopReason}`) };
  }
}

function notice(entryId: string, severity: EndNotice['severity'], text: string): EndNotice {
  return { entryId, severity, text };
}
