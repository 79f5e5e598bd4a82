const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)\n/;

export interface OpenFence {
  readonly language: string;
  /** Where the code starts in the block. */
  readonly start: number;
  readonly isClosingLine: (line: string) => boolean;
}

/** The fence that a block opens, if it opens one. The info string must be complete. */
export function fenceOf(block: string): OpenFence | undefined {
  const match = FENCE.exec(block);
  const marker = match?.[1];
  if (match === null || marker === undefined) {
    return undefined;
  }
  const info = match[2] ?? '';
  if (marker.startsWith('`') && info.includes('`')) {
    return undefined;
  }
  const character = marker.charAt(0);
  return {
    language: languageOf(info),
    start: match[0].length,
    isClosingLine: (line) => isClosing(line, character, marker.length),
  };
}

export function languageOf(info: string): string {
  return (/^[^\s{,]+/.exec(info.trim())?.[0] ?? '').toLowerCase();
}

/** A block that starts a fence and has not met its end; only such a block can be appended to as text. */
export function openFenceOf(block: string): OpenFence | undefined {
  const fence = fenceOf(block);
  if (fence === undefined) {
    return undefined;
  }
  const isClosed = block.slice(fence.start).split('\n').some(fence.isClosingLine);
  return isClosed ? undefined : fence;
}

function isClosing(line: string, character: string, length: number): boolean {
  const trimmed = line.replace(/^ {0,3}/, '').trimEnd();
  return trimmed.length >= length && trimmed === character.repeat(trimmed.length);
}
