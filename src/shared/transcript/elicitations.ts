import type { ElicitationAnswered } from './events';
import type { Entry } from './model';

export function answerElicitation(entries: readonly Entry[], event: ElicitationAnswered): readonly Entry[] {
  const index = entries.findLastIndex((entry) => entry.kind === 'elicitation' && entry.id === event.id);
  const found = entries[index];
  // Only the first answer counts: a withdrawal may cross the user's own.
  const isCompletion =
    found?.kind === 'elicitation' && found.outcome === 'accepted' && event.outcome === 'completed';
  if (found?.kind !== 'elicitation' || (found.outcome !== undefined && !isCompletion)) {
    return entries;
  }
  const answer = event.answer === undefined ? {} : { answer: event.answer };
  return entries.with(index, { ...found, outcome: event.outcome, ...answer });
}

export function closeOpenElicitations(entries: readonly Entry[]): readonly Entry[] {
  if (!entries.some((entry) => entry.kind === 'elicitation' && entry.outcome === undefined)) {
    return entries;
  }
  return entries.map((entry) =>
    entry.kind === 'elicitation' && entry.outcome === undefined ? { ...entry, outcome: 'cancelled' } : entry,
  );
}
