import type { Choice } from '../../shared/transcript/model';

/** Where a key moves the active item of a list; undefined when the key does not move it. */
export function nextIndex(key: string, index: number, count: number): number | undefined {
  if (count === 0) {
    return undefined;
  }
  switch (key) {
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowUp':
      return (index - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'PageDown':
      return Math.min(index + 8, count - 1);
    case 'PageUp':
      return Math.max(index - 8, 0);
    default:
      return undefined;
  }
}

/** The next item that starts with what was typed; one letter again and again walks through its items. */
export function typedAhead(choices: readonly Choice[], typed: string, index: number): number {
  const isRepeated = typed.length > 1 && new Set(typed).size === 1;
  const prefix = (isRepeated ? typed.charAt(0) : typed).toLowerCase();
  const first = typed.length === 1 || isRepeated ? index + 1 : index;
  const order = choices.map((_, offset) => (first + offset) % choices.length);
  return order.find((at) => choices[at]?.title.toLowerCase().startsWith(prefix) === true) ?? index;
}
