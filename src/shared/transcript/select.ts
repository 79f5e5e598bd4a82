import type { ContentBlock, Entry, Permission, ToolEntry, Transcript } from './model';

export interface OpenPermission {
  readonly tool: ToolEntry;
  readonly permission: Permission;
}

/** Questions that wait for the user, oldest first. */
export function openPermissions(transcript: Transcript): OpenPermission[] {
  return transcript.entries.flatMap((entry) =>
    entry.kind === 'tool'
      ? entry.permissions
          .filter((permission) => permission.outcome === undefined)
          .map((permission) => ({ tool: entry, permission }))
      : [],
  );
}

export function isWaitingForUser(transcript: Transcript): boolean {
  return transcript.entries.some(isOpenQuestion);
}

export function isOpenQuestion(entry: Entry): boolean {
  return (
    (entry.kind === 'tool' && entry.permissions.some((permission) => permission.outcome === undefined)) ||
    (entry.kind === 'elicitation' && entry.outcome === undefined)
  );
}

export function promptCount(transcript: Transcript): number {
  return transcript.entries.filter((entry) => entry.kind === 'user').length;
}

export function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('');
}

/** What the agent said since the last prompt, as plain text. */
export function lastAnswer(transcript: Transcript): string {
  const start = transcript.entries.findLastIndex((entry) => entry.kind === 'user');
  return transcript.entries
    .slice(start + 1)
    .map((entry: Entry) => (entry.kind === 'agent' ? textOf(entry.blocks) : ''))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** From a turn's prompt to the next turn's, with what the user added to it meanwhile. */
export function entriesOfTurn({ entries }: Transcript, turnId: number): readonly Entry[] {
  const start = entries.findLastIndex((entry) => entry.kind === 'user' && entry.turnId === turnId);
  if (start < 0) {
    return [];
  }
  const length = entries
    .slice(start + 1)
    .findIndex((entry) => entry.kind === 'user' && entry.turnId !== undefined);
  return entries.slice(start, length < 0 ? undefined : start + 1 + length);
}
