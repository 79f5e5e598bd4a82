import { ATTACHED_END, readAttachedText } from '../attachments';
import { takeEcho } from './echoes';
import { appended, replaced } from './entryList';
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
  const index = placeOf(entries, chunk);
  const found = entries[index];
  return found?.kind === chunk.role
    ? replaced(entries, index, extended(found, chunk))
    : appended(entries, opened(chunk));
}

/**
 * Messages that are written at the same time come in turns, and each goes on where it began. But what a message says
 * after a tool call, a thought of its own or the user stays after that: there the order tells what led to what.
 */
function placeOf(entries: readonly Entry[], chunk: MessageChunk): number {
  for (let index = entries.length - 1; index >= 0 && chunk.messageId !== undefined; index--) {
    const entry = entries[index];
    if (entry?.kind === chunk.role && entry.messageId === chunk.messageId) {
      return isComplete(entry) ? -1 : index;
    }
    const isOther =
      (entry?.kind === 'agent' || entry?.kind === 'thought') &&
      entry.messageId !== undefined &&
      entry.messageId !== chunk.messageId;
    if (!isOther) {
      break;
    }
  }
  const last = entries.at(-1);
  return last?.kind === chunk.role && continues(last, chunk) ? entries.length - 1 : -1;
}

/** Agents may omit message ids; only two different ids prove two different messages. */
function continues(entry: MessageEntry, chunk: MessageChunk): boolean {
  return (
    !isComplete(entry) &&
    (entry.messageId === undefined || chunk.messageId === undefined || entry.messageId === chunk.messageId)
  );
}

/** The user's own message is complete when it is sent: what follows it is another one. */
function isComplete(entry: MessageEntry): boolean {
  return entry.kind === 'user' && (entry.turnId !== undefined || entry.isSteered === true);
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
  const blocks = joined(entry.blocks, chunk.block, entry.kind);
  return entry.kind === 'thought'
    ? { ...entry, messageId, blocks, endedAt: chunk.until ?? chunk.at }
    : { ...entry, messageId, blocks };
}

function joined(
  blocks: readonly ContentBlock[],
  block: ContentBlock,
  kind: MessageEntry['kind'],
): readonly ContentBlock[] {
  const last = blocks.at(-1);
  const isApart = kind === 'user' && last?.kind === 'text' && isAttachmentsEnd(last.text, block);
  if (last?.kind === 'text' && block.kind === 'text' && !isApart) {
    return blocks.with(blocks.length - 1, { kind: 'text', text: last.text + block.text });
  }
  return [...blocks, block];
}

/** A prompt that is replayed in its blocks: what went along as text must not swallow the words behind it. */
function isAttachmentsEnd(text: string, next: ContentBlock): boolean {
  const isNextAttached = next.kind === 'text' && readAttachedText(next.text) !== undefined;
  return isNextAttached || (readAttachedText(text) !== undefined && text.endsWith(ATTACHED_END));
}
