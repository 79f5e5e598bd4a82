import type { Entry, Transcript } from '../../shared/transcript/model';
import { findRanges, MAX_MATCHES } from './findRanges';
import { bodyText } from './hiddenText';
import { openBody, openRow } from './openRow';

/** A place where the text occurs. Rows come and go, so it is known by its entry. */
export interface Match {
  /** Empty for what stands between entries, such as the line of a folded run. */
  readonly entryId: string;
  /** Its place among those of its entry. */
  readonly ordinal: number;
  /** Undefined while what holds it is closed. */
  readonly range: Range | undefined;
}

/** All matches in their order, in what is shown and in what is closed. */
export function findMatches(root: HTMLElement, query: string, transcript: Transcript): Match[] {
  const rows = [...root.querySelectorAll<HTMLElement>('[data-entry]')];
  const places = new Map(rows.map((row, index) => [row, index]));
  const byRow = new Map<number, Match[]>();
  const add = (place: number, entryId: string, range: Range | undefined) => {
    const there = byRow.get(place) ?? [];
    there.push({ entryId, ordinal: there.length, range });
    byRow.set(place, there);
  };
  const ranges = findRanges(root, query);
  for (const range of ranges) {
    const row = rowOf(range);
    add(
      row === undefined ? placeBetween(range, places) : (places.get(row) ?? -1),
      row?.dataset.entry ?? '',
      range,
    );
  }
  let left = MAX_MATCHES - ranges.length;
  const entries = new Map(transcript.entries.map((entry) => [entry.id, entry]));
  for (const [row, place] of places) {
    const entry = entries.get(row.dataset.entry ?? '');
    for (let count = hiddenCount(row, entry, query, transcript); count > 0 && left > 0; count -= 1) {
      add(place, row.dataset.entry ?? '', undefined);
      left -= 1;
    }
  }
  return [...byRow].sort(([a], [b]) => a - b).flatMap(([, matches]) => matches);
}

/** Opens what holds a match, so that it is shown from the next frame on. */
export function openMatch(root: HTMLElement, { entryId, ordinal }: Match, query: string): void {
  const row = [...root.querySelectorAll<HTMLElement>('[data-entry]')].find(
    ({ dataset }) => dataset.entry === entryId,
  );
  if (row === undefined) {
    return;
  }
  openRow(row);
  const head = headOf(row);
  const isInHead = head !== undefined && ordinal < findRanges(head, query).length;
  if (!isInHead) {
    openBody(row);
  }
}

function hiddenCount(
  row: HTMLElement,
  entry: Entry | undefined,
  query: string,
  transcript: Transcript,
): number {
  const isFolded = row.closest('[hidden]') !== null;
  const head = isFolded ? (headOf(row)?.textContent ?? '') : '';
  const isClosed = row.querySelector(':scope > .line-button[aria-expanded="false"]') !== null;
  const body = isClosed && entry !== undefined ? bodyText(entry, transcript) : '';
  return occurrences(head, query) + occurrences(body, query);
}

function headOf(row: HTMLElement): HTMLElement | undefined {
  return row.querySelector<HTMLElement>(':scope > .line-button') ?? undefined;
}

function occurrences(text: string, query: string): number {
  return query === '' || text === '' ? 0 : text.toLowerCase().split(query.toLowerCase()).length - 1;
}

function rowOf(range: Range): HTMLElement | undefined {
  return range.startContainer.parentElement?.closest<HTMLElement>('[data-entry]') ?? undefined;
}

/** Right before the first row that comes after it. */
function placeBetween(range: Range, places: ReadonlyMap<HTMLElement, number>): number {
  const group = range.startContainer.parentElement?.closest('.tool-group');
  const first = group?.querySelector<HTMLElement>('[data-entry]') ?? undefined;
  return (first === undefined ? 0 : (places.get(first) ?? 0)) - 0.5;
}
