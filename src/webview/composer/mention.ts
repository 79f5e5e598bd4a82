/** An `@` at the beginning of a word, and what follows it up to the cursor. */
export interface Mention {
  readonly start: number;
  readonly query: string;
}

const MAX_QUERY = 200;

export function mentionAt(text: string, cursor: number): Mention | undefined {
  const query = /(?:^|[\s([{"'`])@([^\s@]*)$/.exec(text.slice(0, cursor))?.[1];
  return query === undefined || query.length > MAX_QUERY
    ? undefined
    : { start: cursor - query.length - 1, query };
}

/** The text without the mention; of two spaces that would meet, one goes. */
export function withoutMention(text: string, { start, query }: Mention): string {
  const before = text.slice(0, start);
  const after = text.slice(start + 1 + query.length);
  return before + (/(?:^|\s)$/.test(before) ? after.replace(/^ /, '') : after);
}
