import { strings } from '../strings';
import type { Entry, Transcript, UserEntry } from '../../shared/transcript/model';

/** What a finished turn came to, for the last of its entries; undefined for every other one. */
export function turnFactsOf(transcript: Transcript, entryId: string): string | undefined {
  const { entries, turn } = transcript;
  const index = entries.findLastIndex((entry) => entry.id === entryId && isAnswer(entry));
  const start = index < 0 ? -1 : entries.findLastIndex((entry, at) => at < index && entry.kind === 'user');
  const prompt = entries[start];
  if (prompt?.kind !== 'user') {
    return undefined;
  }
  const next = entries.findIndex((entry, at) => at > index && entry.kind === 'user');
  if (next < 0 && turn.state === 'running') {
    return undefined;
  }
  const answers = entries.slice(start + 1, next < 0 ? entries.length : next);
  if (answers.findLast(isAnswer) !== entries[index]) {
    return undefined;
  }
  const files = prompt.filesChanged ?? filesChanged(answers);
  const facts = strings.turnFacts(durationOf(prompt, answers), files, prompt.end?.tokens ?? 0);
  return facts === '' ? undefined : facts;
}

/** What the agent said or did: notices come from elsewhere, and what a sub-agent does stands in the middle. */
function isAnswer(entry: Entry): boolean {
  switch (entry.kind) {
    case 'tool':
      return entry.parentId === undefined;
    case 'agent':
    case 'thought':
    case 'plan':
      return true;
    default:
      return false;
  }
}

/** Replayed entries have the time of their replay, which says nothing about the turn. */
function durationOf(prompt: UserEntry, answers: readonly Entry[]): number {
  if (prompt.turnId === undefined) {
    return 0;
  }
  if (prompt.end !== undefined) {
    return prompt.end.at - prompt.at;
  }
  return answers.reduce((longest, entry) => {
    const end = entry.kind === 'thought' ? entry.endedAt : entry.at;
    return Math.max(longest, end - prompt.at);
  }, 0);
}

function filesChanged(answers: readonly Entry[]): number {
  const paths = answers.flatMap((entry) =>
    entry.kind === 'tool' && entry.status === 'completed'
      ? entry.content.flatMap((content) => (content.kind === 'diff' ? [content.path] : []))
      : [],
  );
  return new Set(paths).size;
}
