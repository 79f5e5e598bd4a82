const ALL = 'parley-found';
const CURRENT = 'parley-found-current';

/** Marks without touching the document, whose rows are not ours to change. */
export function mark(ranges: readonly Range[], current: Range | undefined): void {
  markEntry(current);
  if (!canHighlight()) {
    return;
  }
  CSS.highlights.set(ALL, new Highlight(...ranges.filter((range) => range !== current)));
  CSS.highlights.set(CURRENT, new Highlight(...(current === undefined ? [] : [current])));
}

export function clearMarks(): void {
  markEntry(undefined);
  if (canHighlight()) {
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
  }
}

function markEntry(current: Range | undefined): void {
  const entry = current?.startContainer.parentElement?.closest<HTMLElement>('[data-entry]');
  for (const marked of document.querySelectorAll<HTMLElement>('[data-found]')) {
    if (marked !== entry) {
      delete marked.dataset.found;
    }
  }
  if (entry !== null && entry !== undefined) {
    entry.dataset.found = '';
  }
}

function canHighlight(): boolean {
  return typeof CSS !== 'undefined' && 'highlights' in CSS;
}
