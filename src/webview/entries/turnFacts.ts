import { strings } from '../../shared/strings';
import type { Entry, Transcript, UserEntry } from '../../shared/transcript/model';

/** What a finished turn came to, for the last of its answers; undefined for every other entry. */
export function turnFactsOf(transcript: Transcript, entryId: string): string | undefined {
  const { entries, turn } = transcript;
  const index = entries.findLastIndex((entry) => entry.id === entryId && entry.kind === 'agent');
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
  if (answers.findLast((entry) => entry.kind === 'agent') !== entries[index]) {
    return undefined;
  }
  const files = prompt.filesChanged ?? filesChanged(answers);
  const facts = strings.turnFacts(durationOf(prompt, answers), files, prompt.end?.tokens ?? 0);
  return facts === '' ? undefined : facts;
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
