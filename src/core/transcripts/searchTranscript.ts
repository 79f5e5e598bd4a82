import type { Transcript } from '../../shared/transcript/model';
import { textOf } from '../../shared/transcript/select';

const AROUND = 40;

/** The first place where a conversation says all of these words, with a little of what stands around it. */
export function searchTranscript(transcript: Transcript, query: string): string | undefined {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  for (const entry of words.length === 0 ? [] : transcript.entries) {
    const text = entry.kind === 'user' || entry.kind === 'agent' ? textOf(entry.blocks) : '';
    const lower = text.toLowerCase();
    if (words.every((word) => lower.includes(word))) {
      return excerpt(text, lower.indexOf(words[0] ?? ''));
    }
  }
  return undefined;
}

function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - AROUND);
  const end = Math.min(text.length, at + 2 * AROUND);
  const cut = text.slice(start, end).replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${cut}${end < text.length ? '…' : ''}`;
}
