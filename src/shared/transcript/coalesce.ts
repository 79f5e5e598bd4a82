import type { MessageChunk, TerminalOutput, TranscriptEvent } from './events';

/** Joins neighbouring chunks of one message, so that a burst crosses to the webview as one event. */
export function coalesce(events: readonly TranscriptEvent[]): TranscriptEvent[] {
  const joined: TranscriptEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    const both = last === undefined ? undefined : (joinText(last, event) ?? joinOutput(last, event));
    if (both === undefined) {
      joined.push(event);
    } else {
      joined[joined.length - 1] = both;
    }
  }
  return joined;
}

function joinText(first: TranscriptEvent, next: TranscriptEvent): MessageChunk | undefined {
  if (first.type !== 'messageChunk' || next.type !== 'messageChunk' || first.role !== next.role) {
    return undefined;
  }
  // Equal ids only: whether a missing id continues a message is for the reducer to decide.
  if (first.messageId !== next.messageId || first.block.kind !== 'text' || next.block.kind !== 'text') {
    return undefined;
  }
  // An empty chunk changes nothing; joined, it would lend its id and time to the message.
  if (first.block.text === '') {
    return undefined;
  }
  // User text is compared with what was sent, piece by piece, to drop echoes.
  if (first.role === 'user') {
    return undefined;
  }
  return {
    ...first,
    until: next.until ?? next.at,
    block: { kind: 'text', text: first.block.text + next.block.text },
  };
}

function joinOutput(first: TranscriptEvent, next: TranscriptEvent): TerminalOutput | undefined {
  if (first.type !== 'terminalOutput' || next.type !== 'terminalOutput') {
    return undefined;
  }
  return first.terminalId === next.terminalId ? { ...first, data: first.data + next.data } : undefined;
}
