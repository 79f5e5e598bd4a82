import type { KnownBefore } from '../../shared/transcript/events';
import type { Entry, Transcript, UserEntry } from '../../shared/transcript/model';
import { textOf } from '../../shared/transcript/select';
import { diffLines } from '../files/lineDiff';

/** A prompt that both have, by its place in the entries of each. */
interface Match {
  readonly ours: number;
  readonly replayed: number;
}

/**
 * Whether the agent's account of the conversation holds nothing that ours lacks: then ours stays, for it knows more,
 * such as times, answers to questions and the output of commands.
 */
export function tellsNothingNew(ours: Transcript, replayed: Transcript): boolean {
  const matches = matchPrompts(ours, replayed);
  if (matches.length < promptPlaces(replayed).length) {
    return false;
  }
  const starts = [{ ours: 0, replayed: 0 }, ...matches];
  return starts.every((start, index) => {
    const end = starts[index + 1];
    const had = ours.entries.slice(start.ours, end?.ours);
    const told = replayed.entries.slice(start.replayed, end?.replayed);
    const said = answers(had).join('');
    return toolCount(told) <= toolCount(had) && answers(told).every((answer) => said.includes(answer));
  });
}

/** What we know of the replayed prompts and tool calls, and their agent cannot tell. */
export function knownBefore(ours: Transcript, replayed: Transcript): KnownBefore {
  const prompts = matchPrompts(ours, replayed).flatMap((match) => {
    const known = ours.entries[match.ours];
    const entry = replayed.entries[match.replayed];
    return known?.kind === 'user' && entry !== undefined ? [[entry.id, factsOf(known)] as const] : [];
  });
  const permissions = ours.entries.flatMap((entry) =>
    entry.kind === 'tool' && entry.permissions.length > 0 ? [[entry.id, entry.permissions] as const] : [],
  );
  return { prompts: Object.fromEntries(prompts), permissions: Object.fromEntries(permissions) };
}

function factsOf({ at, turnId, end, filesChanged }: UserEntry): KnownBefore['prompts'][string] {
  return {
    at,
    turnId,
    ...(end === undefined ? {} : { end }),
    ...(filesChanged === undefined ? {} : { filesChanged }),
  };
}

/** Prompts with the same text in the same order; either side may lack some. */
function matchPrompts(ours: Transcript, replayed: Transcript): readonly Match[] {
  const [ourPlaces, theirPlaces] = [promptPlaces(ours), promptPlaces(replayed)];
  const edits = diffLines(promptTexts(ours), promptTexts(replayed));
  const matches: Match[] = [];
  let [own, their, next] = [0, 0, 0];
  while (own < ourPlaces.length || their < theirPlaces.length) {
    const edit = edits[next];
    if (edit?.start === own) {
      own = edit.end;
      their += edit.lines.length;
      next++;
      continue;
    }
    const match = { ours: ourPlaces[own++], replayed: theirPlaces[their++] };
    if (match.ours !== undefined && match.replayed !== undefined) {
      matches.push({ ours: match.ours, replayed: match.replayed });
    }
  }
  return matches;
}

function promptPlaces({ entries }: Transcript): readonly number[] {
  return entries.flatMap((entry, place) => (entry.kind === 'user' ? [place] : []));
}

function promptTexts({ entries }: Transcript): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === 'user' ? [withoutSpace(textOf(entry.blocks))] : []));
}

function toolCount(entries: readonly Entry[]): number {
  return entries.filter(({ kind }) => kind === 'tool').length;
}

function answers(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => (entry.kind === 'agent' ? [withoutSpace(textOf(entry.blocks))] : []));
}

/** Agents do not keep it as it was. */
function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
