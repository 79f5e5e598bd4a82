const MAX_CHARS = 32 * 1024 * 1024;

/**
 * What each session last read or wrote of a file: the common ancestor when the user has changed it since. The least
 * recently used are forgotten first; the newest is kept whatever its size.
 */
export class KnownTexts {
  private readonly texts = new Map<string, string>();
  private chars = 0;

  constructor(private readonly maxChars = MAX_CHARS) {}

  get(sessionId: string, path: string): string | undefined {
    return this.texts.get(key(sessionId, path));
  }

  set(sessionId: string, path: string, text: string): void {
    this.delete(sessionId, path);
    this.texts.set(key(sessionId, path), text);
    this.chars += text.length;
    for (const [oldest, { length }] of this.texts) {
      if (this.chars <= this.maxChars || oldest === key(sessionId, path)) {
        break;
      }
      this.texts.delete(oldest);
      this.chars -= length;
    }
  }

  delete(sessionId: string, path: string): void {
    this.remove(key(sessionId, path));
  }

  /** For all sessions. */
  deletePath(path: string): void {
    [...this.texts.keys()]
      .filter((known) => known.endsWith(key('', path)))
      .forEach((known) => this.remove(known));
  }

  private remove(known: string): void {
    this.chars -= this.texts.get(known)?.length ?? 0;
    this.texts.delete(known);
  }
}

function key(sessionId: string, path: string): string {
  return `${sessionId}\0${path}`;
}
