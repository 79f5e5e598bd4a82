import type { SessionRecord } from './sessionRecord';

const TITLE_LENGTH = 60;

export function titleOf({ title }: Pick<SessionRecord, 'title'>): string {
  return title ?? 'New session';
}

/** A session's name until its agent gives it a better one. */
export function titleFromPrompt(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  if (line.length <= TITLE_LENGTH) {
    return line;
  }
  const cut = line.slice(0, TITLE_LENGTH);
  const space = cut.lastIndexOf(' ');
  return `${space > TITLE_LENGTH / 2 ? cut.slice(0, space) : cut}…`;
}
