import { takeEcho } from './echoes';
import type { MessageChunk } from './events';
import type { AgentEntry, ContentBlock, Entry, ThoughtEntry, Transcript, UserEntry } from './model';

type MessageEntry = UserEntry | AgentEntry | ThoughtEntry;

/** Adds a chunk to the message it continues, or opens a new entry. */
export function appendChunk(state: Transcript, chunk: MessageChunk): readonly Entry[] {
  const { entries } = state;
  if (isEmptyText(chunk.block)) {
    return entries;
  }
  const withoutEcho = chunk.role === 'user' ? takeEcho(state, chunk.block) : undefined;
  if (withoutEcho !== undefined) {
    return withoutEcho;
  }
  const last = entries.at(-1);
  if (last?.kind === chunk.role && continues(last, chunk)) {
    return entries.with(entries.length - 1, extended(last, chunk));
  }
  return [...entries, opened(chunk)];
}

/** Agents may omit message ids; only two different ids prove two different messages. */
function continues(entry: MessageEntry, chunk: MessageChunk): boolean {
  // The user's own message is complete when it is sent: what follows it is another one.
  if (entry.kind === 'user' && (entry.turnId !== undefined || entry.isSteered === true)) {
    return false;
  }
  return (
    entry.messageId === undefined || chunk.messageId === undefined || entry.messageId === chunk.messageId
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
