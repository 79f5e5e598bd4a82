/**
 * Whether the whole text fits a pattern in which `*` stands for anything. Linear: patterns are compared piece by
 * piece, because a regular expression made of many `*` can take for ever.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (pieces.length === 1) {
    return pattern === text;
  }
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) {
    return false;
  }
  let position = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, position);
    if (found < 0) {
      return false;
    }
    position = found + piece.length;
  }
  return position <= text.length - last.length;
}
