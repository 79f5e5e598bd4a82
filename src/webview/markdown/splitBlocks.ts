import { Lexer, type TokensList } from 'marked';

/**
 * How many trailing blocks are lexed again on each append. A block can still absorb its follower
 * while the follower's first line is incomplete (`2` is a paragraph until it becomes `2.`), so a
 * block counts as settled only when it ends in a blank line and two more blocks follow it.
 */
const UNSETTLED = 2;

/** Cuts Markdown into top-level blocks. Blank lines belong to the block before them: joined, the blocks are the source. */
export function splitBlocks(source: string): string[] {
  const lexer = new Lexer({ gfm: true });
  const tokens: TokensList = Object.assign([], { links: {} });
  lexer.blockTokens(source, tokens);
  const blocks: string[] = [];
  let length = 0;
  for (const token of tokens) {
    const last = token.type === 'space' ? blocks.pop() : undefined;
    // `raw` is as long as what it stands for, but the lexer may have changed white space in it.
    const text = source.slice(length, length + token.raw.length);
    blocks.push((last ?? '') + text);
    length += token.raw.length;
  }
  // Should the lexer ever count differently, one big block is still right.
  return length === source.length ? blocks : [source];
}

/** How many of the first blocks no later text can change. */
export function countSettled(blocks: readonly string[]): number {
  for (let count = blocks.length - UNSETTLED; count > 0; count--) {
    if (blocks[count - 1]?.endsWith('\n\n') === true) {
      return count;
    }
  }
  return 0;
}
