/**
 * Whether a path with forward slashes is excluded by a pattern of `files.exclude`, itself or by one of its folders.
 * Knows `**`, `*`, `?` and `{a,b}`, which is what these settings are written with.
 */
export function excludedBy(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) {
    return () => false;
  }
  const expression = new RegExp(`^(?:${patterns.map(source).join('|')})(?:/|$)`);
  return (path) => expression.test(path);
}

function source(pattern: string): string {
  let depth = 0;
  const pieces = pattern.replace(/\/(?:\*\*)?$/, '').match(/\*\*\/|\*\*|[^]/g) ?? [];
  return pieces
    .map((piece) => {
      switch (piece) {
        case '**/':
          return '(?:[^/]+/)*';
        case '**':
          return '.*';
        case '*':
          return '[^/]*';
        case '?':
          return '[^/]';
        case '{':
          depth += 1;
          return '(?:';
        case '}':
          depth -= 1;
          return ')';
        case ',':
          return depth > 0 ? '|' : ',';
        default:
          return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      }
    })
    .join('');
}
