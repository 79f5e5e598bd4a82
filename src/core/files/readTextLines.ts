import { TextDecoder } from 'node:util';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FileProblem } from '../ports';
import { endOfLines } from './selectLines';

const CHUNK_BYTES = 512 * 1024;
/** As much as VS Code looks at. */
const SNIFFED_BYTES = 512;

interface LineRange {
  readonly line: number | undefined;
  readonly limit: number | undefined;
}

/** Reads a large text piece by piece, and no further than its last wanted line. A mark at its start decides first. */
export async function readTextLines(
  file: FileHandle,
  path: string,
  encoding: string,
  { line, limit }: LineRange,
): Promise<string> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const pieces: string[] = [];
  let decoder: TextDecoder | undefined;
  let toSkip = Math.max(0, (line ?? 1) - 1);
  let toTake = limit ?? Infinity;
  for (let isEnd = false; !isEnd && toTake > 0;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
    isEnd = bytesRead === 0;
    const bytes = buffer.subarray(0, bytesRead);
    decoder ??= new TextDecoder(encodingOf(bytes, path, encoding));
    const text = decoder.decode(bytes, { stream: !isEnd });
    const start = endOfLines(text, 0, toSkip);
    toSkip -= start.lines;
    if (toSkip > 0) {
      await nextTurn();
      continue;
    }
    const end =
      toTake === Infinity ? { position: text.length, lines: 0 } : endOfLines(text, start.position, toTake);
    toTake -= end.lines;
    pieces.push(text.slice(start.position, end.position));
    await nextTurn();
  }
  const taken = pieces.join('');
  return toTake === 0 && limit !== 0 ? taken.replace(/\r?\n$/, '') : taken;
}

function encodingOf(bytes: Buffer, path: string, encoding: string): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') {
    return mark === 'fffe' ? 'utf-16le' : 'utf-16be';
  }
  if (!encoding.startsWith('utf-16') && bytes.subarray(0, SNIFFED_BYTES).includes(0)) {
    throw new FileProblem('invalid', `${path} is a binary file.`);
  }
  return bytes.toString('hex', 0, 3) === 'efbbbf' ? 'utf-8' : encoding;
}
