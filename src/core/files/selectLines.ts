/** Lines as `fs/read_text_file` counts them: from 1, without the line break after the last one. */
export function selectLines(text: string, line: number | undefined, limit: number | undefined): string {
  if (line === undefined && limit === undefined) {
    return text;
  }
  const start = endOfLines(text, 0, Math.max(0, (line ?? 1) - 1)).position;
  if (limit === undefined) {
    return text.slice(start);
  }
  const end = endOfLines(text, start, limit);
  const selected = text.slice(start, end.position);
  return end.lines === limit ? selected.replace(/\r?\n$/, '') : selected;
}

/** Where that many lines end, and how many there really were. */
export function endOfLines(
  text: string,
  from: number,
  count: number,
): { readonly position: number; readonly lines: number } {
  let position = from;
  for (let lines = 0; lines < count; lines += 1) {
    const found = text.indexOf('\n', position);
    if (found < 0) {
      return { position: text.length, lines };
    }
    position = found + 1;
  }
  return { position, lines: count };
}
