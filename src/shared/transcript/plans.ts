import type { PlanUpserted } from './events';
import type { Entry, PlanEntry, Transcript } from './model';

/** A plan belongs to the turn that made it: another turn's is another entry, unless the agent only repeats itself. */
export function upsertPlan(state: Transcript, event: PlanUpserted): readonly Entry[] {
  const { entries } = state;
  const index = entries.findLastIndex((entry) => isPlan(entry, event.id));
  const last = entries[index];
  if (isEmpty(event)) {
    return index > turnStart(state) ? removePlan(entries, event.id) : entries;
  }
  if (last?.kind !== 'plan') {
    return [...entries, planEntry(event.id, event)];
  }
  if (index > turnStart(state)) {
    return entries.with(index, { ...planEntry(last.id, event), at: last.at });
  }
  if (isSame(last, event)) {
    return entries;
  }
  const count = entries.filter((entry) => isPlan(entry, event.id)).length;
  return [...entries, planEntry(`${event.id} ${count + 1}`, event)];
}

export function removePlan(entries: readonly Entry[], planId: string): readonly Entry[] {
  const index = entries.findLastIndex((entry) => isPlan(entry, planId));
  return index < 0 ? entries : entries.toSpliced(index, 1);
}

/** The agent takes it back. What an earlier turn planned stays. */
function isEmpty({ items, markdown = '', uri }: PlanUpserted): boolean {
  return items.length === 0 && markdown === '' && uri === undefined;
}

function isPlan(entry: Entry, planId: string): boolean {
  return entry.kind === 'plan' && entry.planId === planId;
}

/** Messages that are added to a running turn do not begin another. */
function turnStart({ entries, turn }: Transcript): number {
  return entries.findLastIndex(
    (entry) => entry.kind === 'user' && (turn.state === 'idle' || entry.turnId === turn.turnId),
  );
}

function planEntry(id: string, { id: planId, at, items, markdown, uri }: PlanUpserted): PlanEntry {
  return { kind: 'plan', id, planId, at, items, markdown, uri };
}

function isSame(plan: PlanEntry, { items, markdown, uri }: PlanUpserted): boolean {
  return JSON.stringify([plan.items, plan.markdown, plan.uri]) === JSON.stringify([items, markdown, uri]);
}
