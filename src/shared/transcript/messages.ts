import type { MessageChunk } from './events';
import type { AgentEntry, ContentBlock, Entry, ThoughtEntry, Transcript, UserEntry } from './model';

type MessageEntry = UserEntry | AgentEntry | ThoughtEntry;

/** Adds a chunk to the message it continues, or opens a new entry. */
export function appendChunk(state: Transcript, chunk: MessageChunk): readonly Entry[] {
  const { entries } = state;
  if (isEmptyText(chunk.block)) {
    return entries;
  }
  if (chunk.role === 'user' && isEchoOfOwnPrompt(state, chunk.block)) {
    return entries;
  }
  const last = entries.at(-1);
  if (last?.kind === chunk.role && continues(last, chunk)) {
    return entries.with(entries.length - 1, extended(last, chunk));
  }
  return [...entries, opened(chunk)];
}

/** Agents may omit message ids; only two different ids prove two different messages. */
function continues(entry: MessageEntry, chunk: MessageChunk): boolean {
  // The user's own prompt is complete when it is sent: what follows it is another message.
  if (entry.kind === 'user' && entry.turnId !== undefined) {
    return false;
  }
  return (
    entry.messageId === undefined || chunk.messageId === undefined || entry.messageId === chunk.messageId
  );
}

/** Some agents send the prompt back while its turn runs; it is on the screen already. */
function isEchoOfOwnPrompt(state: Transcript, block: ContentBlock): boolean {
  const { turn } = state;
  if (turn.state !== 'running') {
    return false;
  }
  const own = state.entries.findLast((entry) => entry.kind === 'user' && entry.turnId === turn.turnId);
  if (own?.kind !== 'user') {
    return false;
  }
  return own.blocks.some((sent) =>
    sent.kind === 'text' && block.kind === 'text' ? sent.text.includes(block.text) : sent.kind === block.kind,
  );
}

function isEmptyText(block: ContentBlock): boolean {
  return block.kind === 'text' && block.text === '';
}

function opened(chunk: MessageChunk): Entry {
  const common = { id: chunk.entryId, at: chunk.at, messageId: chunk.messageId, blocks: [chunk.block] };
  switch (chunk.role) {
    case 'user':
      return { kind: 'user', ...common, turnId: undefined };
    case 'agent':
      return { kind: 'agent', ...common };
    case 'thought':
      return { kind: 'thought', ...common, endedAt: chunk.until ?? chunk.at };
  }
}

function extended(entry: MessageEntry, chunk: MessageChunk): Entry {
  const messageId = entry.messageId ?? chunk.messageId;
  const blocks = joined(entry.blocks, chunk.block);
  return entry.kind === 'thought'
    ? { ...entry, messageId, blocks, endedAt: chunk.until ?? chunk.at }
    : { ...entry, messageId, blocks };
}

function joined(blocks: readonly ContentBlock[], block: ContentBlock): readonly ContentBlock[] {
  const last = blocks.at(-1);
  if (last?.kind === 'text' && block.kind === 'text') {
    return blocks.with(blocks.length - 1, { kind: 'text', text: last.text + block.text });
  }
  return [...blocks, block];
}
