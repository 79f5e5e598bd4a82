import { useEffect, useState } from 'preact/hooks';
import { highlightLines, languageOfPath } from '../markdown/highlight';
import { whenIdle } from '../whenIdle';
import type { DiffLine } from './diffLines';
import type { DiffContent } from './toolSummary';

/** Both texts of a diff by lines, as coloured HTML; undefined where nothing is coloured. */
interface DiffColours {
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[] | undefined;
}

/** Colouring takes time; beyond this, both texts together, it would be felt. */
const COLOURED_CHARS = 64_000;
const none: DiffColours = { before: undefined, after: undefined };
const cache = new WeakMap<DiffContent, DiffColours>();

/** The colours of a diff, once there is time for them: one that still changes waits for its end. */
export function useDiffColours(content: DiffContent): DiffColours {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (cache.has(content)) {
      return;
    }
    return whenIdle(() => {
      cache.set(content, coloursOf(content));
      redraw((count) => count + 1);
    });
  }, [content]);
  return cache.get(content) ?? none;
}

/** Hunks begin anywhere, so a line gets its colours from the whole of its text. */
export function colouredLine(colours: DiffColours, line: DiffLine): string | undefined {
  return line.kind === 'removed'
    ? colours.before?.[(line.oldNumber ?? 0) - 1]
    : colours.after?.[(line.number ?? 0) - 1];
}

function coloursOf({ path, oldText = '', newText }: DiffContent): DiffColours {
  if (oldText.length + newText.length > COLOURED_CHARS) {
    return none;
  }
  const language = languageOfPath(path);
  return { before: highlightLines(oldText, language), after: highlightLines(newText, language) };
}
