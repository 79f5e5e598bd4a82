import type { CompactionUpserted, CompactionChunk, TurnOutcome } from './events';
import type { CompactionEntry, Entry } from './model';

export function upsertCompaction(entries: readonly Entry[], event: CompactionUpserted): readonly Entry[] {
  return changeCompaction(entries, event, (previous) => ({
    ...previous,
    status: event.status ?? previous.status,
    summary: event.summary ?? previous.summary,
    error: event.error === '' ? undefined : (event.error ?? previous.error),
  }));
}

export function appendSummary(entries: readonly Entry[], event: CompactionChunk): readonly Entry[] {
  return changeCompaction(entries, event, (previous) => ({
    ...previous,
    summary: previous.summary + event.text,
  }));
}

/** Nothing goes on past its turn. An agent that ends it later may still say so. */
export function closeOpenCompactions(
  entries: readonly Entry[],
  outcome: TurnOutcome['kind'],
): readonly Entry[] {
  if (!entries.some(isRunning)) {
    return entries;
  }
  const status = outcome === 'failed' ? 'failed' : 'cancelled';
  return entries.map((entry) => (isRunning(entry) ? { ...entry, status } : entry));
}

function isRunning(entry: Entry): entry is CompactionEntry {
  return entry.kind === 'compaction' && entry.status === 'running';
}

function changeCompaction(
  entries: readonly Entry[],
  { id, at }: { readonly id: string; readonly at: number },
  change: (previous: CompactionEntry) => CompactionEntry,
): readonly Entry[] {
  const index = entries.findLastIndex((entry) => entry.kind === 'compaction' && entry.id === id);
  const found = entries[index];
  return found?.kind === 'compaction'
    ? entries.with(index, change(found))
    : [...entries, change({ kind: 'compaction', id, at, status: 'running', summary: '', error: undefined })];
}
