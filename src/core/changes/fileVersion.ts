import { splitLines } from '../files/lineDiff';
import type { FileVersion } from './model';

const SNIFFED_BYTES = 8000;
const lossless = 'latin1';

export function isSame(one: FileVersion | undefined, other: FileVersion | undefined): boolean {
  if (one === undefined || other === undefined) {
    return one === other;
  }
  return one.mode === other.mode && hasSameContent(one, other);
}

export function hasSameContent(one: FileVersion, other: FileVersion): boolean {
  return one.content === other.content || bufferOf(one).equals(other.content);
}

/** As git tells: no NUL byte near its start. A link's content is a path, not a text. */
export function isText(version: FileVersion): boolean {
  return version.mode !== 'link' && !version.content.subarray(0, SNIFFED_BYTES).includes(0);
}

/**
 * Lines with their ends. Each character stands for one byte, so that a text in any encoding, or with
 * broken characters, comes back byte for byte; `shownLine` makes words of them.
 */
export function linesOf(version: FileVersion): readonly string[] {
  return splitLines(bufferOf(version).toString(lossless));
}

export function contentOf(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.join(''), lossless);
}

/** UTF-8 if it is that, else one byte per character. */
export function shownLine(line: string): string {
  const text = Buffer.from(line, lossless).toString('utf8');
  return text.includes('\uFFFD') ? line : text;
}

function bufferOf({ content }: FileVersion): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
