import type { ContentBlock, Transcript } from '../../shared/transcript/model';
import { textOf } from '../../shared/transcript/select';

/** Enough to go on with, little enough for every agent's context. */
const MAX_CHARS = 60_000;

/** What was said, as text, cut at the beginning: the end matters most to whoever goes on. */
export function conversationText(transcript: Transcript): string {
  const lines = transcript.entries.flatMap((entry) => {
    switch (entry.kind) {
      case 'user':
        return [`User:\n${textOf(entry.blocks)}`];
      case 'agent':
        return [`Agent:\n${textOf(entry.blocks)}`];
      case 'tool':
        return [`(Tool: ${entry.title}, ${entry.status})`];
      case 'thought':
      case 'plan':
      case 'notice':
      case 'elicitation':
      case 'compaction':
        return [];
    }
  });
  const text = lines.join('\n\n');
  return text.length <= MAX_CHARS ? text : `(The beginning is left out.)\n\n${text.slice(-MAX_CHARS)}`;
}

/** The earlier conversation as an attachment where the agent takes one, else as plain text. */
export function continuationBlock(transcript: Transcript, title: string, embedded: boolean): ContentBlock {
  const text = `This continues an earlier conversation, "${title}":\n\n${conversationText(transcript)}`;
  return embedded
    ? {
        kind: 'resource',
        uri: 'parley://earlier-conversation.md',
        mimeType: 'text/markdown',
        text,
        blob: undefined,
      }
    : { kind: 'text', text: `${text}\n\n---\n\n` };
}
