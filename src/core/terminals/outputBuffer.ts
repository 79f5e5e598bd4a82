const BLOCK_BYTES = 64 * 1024;

interface Block {
  readonly bytes: Buffer;
  used: number;
}

/**
 * The end of a command's output, within a limit of bytes of UTF-8. Kept in blocks that are dropped as a whole, so
 * that adding costs what is added and not what is kept.
 */
export class OutputBuffer {
  private readonly blocks: Block[] = [];
  private kept = 0;
  private hasLost = false;

  constructor(private readonly limit: number) {}

  /** Whole characters: a decoder stands before it. */
  append(text: string): void {
    if (text === '') {
      return;
    }
    const bytes = Buffer.from(text);
    // Of more than fits, only the end is worth copying.
    const skipped = Math.max(0, bytes.length - this.limit);
    this.hasLost ||= skipped > 0;
    for (let position = skipped; position < bytes.length;) {
      position += this.fill(bytes, position);
    }
    this.dropOld();
  }

  get isTruncated(): boolean {
    return this.hasLost || this.kept > this.limit;
  }

  text(): string {
    const all = Buffer.concat(this.blocks.map(({ bytes, used }) => bytes.subarray(0, used)));
    let start = Math.max(0, all.length - this.limit);
    while (start > 0 || this.hasLost) {
      const byte = all[start];
      // Inside of a character; its start is cut off.
      if (byte === undefined || (byte & 0xc0) !== 0x80) {
        break;
      }
      start += 1;
    }
    return all.toString('utf8', start);
  }

  private fill(bytes: Buffer, position: number): number {
    let last = this.blocks.at(-1);
    if (last === undefined || last.used === last.bytes.length) {
      last = { bytes: Buffer.allocUnsafe(BLOCK_BYTES), used: 0 };
      this.blocks.push(last);
    }
    const copied = bytes.copy(last.bytes, last.used, position);
    last.used += copied;
    this.kept += copied;
    return copied;
  }

  private dropOld(): void {
    let [oldest] = this.blocks;
    while (oldest !== undefined && this.kept > this.limit && this.kept - oldest.used >= this.limit) {
      this.blocks.shift();
      this.kept -= oldest.used;
      this.hasLost = true;
      [oldest] = this.blocks;
    }
  }
}
