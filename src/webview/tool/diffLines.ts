import { structuredPatch } from 'diff';
import type { DiffContent } from './toolSummary';

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'gap';
  readonly text: string;
  /** In the new text; undefined for what is gone. */
  readonly number: number | undefined;
  /** In the old text, for what is gone. */
  readonly oldNumber?: number;
}

export interface Diff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
  /** There are more lines than the chat shows; VS Code's diff editor has them all. */
  readonly isCut: boolean;
}

const TIMEOUT_MS = 250;
const SHOWN_LINES = 1_000;
const cache = new WeakMap<DiffContent, Diff>();

/** Computed once per content: the reducer keeps the object until the agent sends another. */
export function diffOf(content: DiffContent): Diff {
  const known = cache.get(content);
  if (known !== undefined) {
    return known;
  }
  const diff = compute(content);
  cache.set(content, diff);
  return diff;
}

function compute({ path, oldText, newText }: DiffContent): Diff {
  const patch = structuredPatch(path, path, oldText ?? '', newText, undefined, undefined, {
    context: 3,
    timeout: TIMEOUT_MS,
  });
  const lines: DiffLine[] = [];
  let added = 0;
  let removed = 0;
  for (const hunk of patch?.hunks ?? [wholeHunk(oldText ?? '', newText)]) {
    if (lines.length > 0) {
      lines.push({ kind: 'gap', text: '', number: undefined });
    }
    let number = hunk.newStart;
    let oldNumber = hunk.oldStart;
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith('+')) {
        added += 1;
        lines.push({ kind: 'added', text, number: number++ });
      } else if (line.startsWith('-')) {
        removed += 1;
        lines.push({ kind: 'removed', text, number: undefined, oldNumber: oldNumber++ });
      } else if (line.startsWith(' ')) {
        lines.push({ kind: 'same', text, number: number++ });
        oldNumber += 1;
      }
    }
  }
  return { lines: lines.slice(0, SHOWN_LINES), added, removed, isCut: lines.length > SHOWN_LINES };
}

/** When comparing takes too long, the honest answer is: all of it was replaced. */
function wholeHunk(
  oldText: string,
  newText: string,
): { readonly oldStart: number; readonly newStart: number; readonly lines: string[] } {
  const prefixed = (text: string, sign: string) =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => sign + line);
  return { oldStart: 1, newStart: 1, lines: [...prefixed(oldText, '-'), ...prefixed(newText, '+')] };
}
