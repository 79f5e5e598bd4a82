import type { ContentBlock } from '../../shared/transcript/model';

/**
 * What goes along stands before the words, where agents read it first; but they look for a command at the beginning
 * of the first text, and what goes along may be text, too.
 */
export function commandFirst(
  along: readonly ContentBlock[],
  words: readonly ContentBlock[],
): readonly ContentBlock[] {
  const [first] = words;
  return first?.kind === 'text' && first.text.startsWith('/') ? [...words, ...along] : [...along, ...words];
}
