import type { MessageSteered } from './events';
import type { ContentBlock, Entry, Transcript, UserEntry } from './model';
import { textOf } from './select';

/**
 * Some agents send back what the user says, whole or in pieces; it is on the screen already. Undefined for what the
 * user has not said here: it comes from elsewhere.
 */
export function takeEcho(state: Transcript, block: ContentBlock): readonly Entry[] | undefined {
  const { turn, entries } = state;
  if (turn.state !== 'running') {
    return undefined;
  }
  const start = entries.findLastIndex((entry) => entry.kind === 'user' && entry.turnId === turn.turnId);
  for (let index = entries.length - 1; index >= start && start >= 0; index--) {
    const said = entries[index];
    const echoed = said?.kind === 'user' && isOwn(said) ? echoedBy(said, block) : undefined;
    if (said?.kind === 'user' && echoed !== undefined) {
      return echoed === (said.echoed ?? 0) ? entries : entries.with(index, { ...said, echoed });
    }
  }
  return undefined;
}

/** The echo may be faster than the agent's word that it took the message. */
export function addSteered(
  entries: readonly Entry[],
  { at, entryId, blocks }: MessageSteered,
): readonly Entry[] {
  const said = {
    kind: 'user',
    at,
    messageId: undefined,
    blocks,
    turnId: undefined,
    isSteered: true,
  } as const;
  const text = textOf(blocks);
  const index = entries.findLastIndex((entry) => entry.kind === 'user');
  const last = entries[index];
  const echo = last?.kind === 'user' && !isOwn(last) ? textOf(last.blocks) : '';
  return last === undefined || echo === '' || !text.startsWith(echo)
    ? [...entries, { ...said, id: entryId }]
    : entries.with(index, { ...said, id: last.id, echoed: echo.length });
}

function isOwn({ turnId, isSteered }: UserEntry): boolean {
  return turnId !== undefined || isSteered === true;
}

/** How much of the message has come back with this block; undefined when it is none of it. */
function echoedBy({ blocks, echoed = 0 }: UserEntry, block: ContentBlock): number | undefined {
  if (block.kind !== 'text') {
    return blocks.some((sent) => isSame(sent, block)) ? echoed : undefined;
  }
  const text = textOf(blocks);
  if (echoed < text.length && text.startsWith(block.text, echoed)) {
    return echoed + block.text.length;
  }
  // Without its attachments, or trimmed.
  const isWhole = blocks.some((sent) => sent.kind === 'text' && sent.text.trim() === block.text.trim());
  return isWhole ? text.length : undefined;
}

function isSame(sent: ContentBlock, block: ContentBlock): boolean {
  if ('uri' in sent && 'uri' in block && sent.uri !== undefined) {
    return sent.uri === block.uri;
  }
  return 'data' in sent && 'data' in block && sent.data === block.data;
}
