import type { Transcript } from '../../shared/transcript/model';
import { writtenText } from './attachmentList';

/** Walks through what the user asked before. Only unedited text can be walked away from. */
export class PromptHistory {
  private index: number | undefined;
  private shown = '';

  /** The text to show instead; undefined when the key should do what it always does. */
  move(direction: 'up' | 'down', text: string, transcript: Transcript): string | undefined {
    const isWalking = this.index !== undefined && text === this.shown;
    if (!isWalking && (text !== '' || direction === 'down')) {
      return undefined;
    }
    const prompts = earlierPrompts(transcript);
    const start = isWalking ? (this.index ?? prompts.length) : prompts.length;
    const next = start + (direction === 'up' ? -1 : 1);
    if (next < 0) {
      return text;
    }
    this.index = next < prompts.length ? next : undefined;
    this.shown = prompts[next] ?? '';
    return prompts.length === 0 ? undefined : this.shown;
  }
}

function earlierPrompts(transcript: Transcript): string[] {
  return transcript.entries
    .map((entry) => (entry.kind === 'user' ? writtenText(entry.blocks) : ''))
    .filter((text, index, all) => text !== '' && text !== all[index - 1]);
}
