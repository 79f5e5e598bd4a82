import { readAttachedText } from '../../shared/attachments';
import type { ContentBlock } from '../../shared/transcript/model';
import { textOf } from '../../shared/transcript/select';
import type { SessionRecord } from './sessionRecord';

const TITLE_LENGTH = 60;

export function titleOf({ title }: Pick<SessionRecord, 'title'>): string {
  return title ?? 'New session';
}

/** A session's name until its agent gives it a better one: the first line of what the user wrote. */
export function titleFromPrompt(blocks: readonly ContentBlock[]): string | undefined {
  const written = blocks.filter(
    (block) => block.kind === 'text' && readAttachedText(block.text) === undefined,
  );
  const line = textOf(written).trim().split('\n', 1)[0]?.trim() ?? '';
  if (line === '') {
    return undefined;
  }
  if (line.length <= TITLE_LENGTH) {
    return line;
  }
  const cut = line.slice(0, TITLE_LENGTH);
  const space = cut.lastIndexOf(' ');
  return `${space > TITLE_LENGTH / 2 ? cut.slice(0, space) : cut}…`;
}
