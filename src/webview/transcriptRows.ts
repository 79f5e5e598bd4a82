import type { Entry, ToolEntry } from '../shared/transcript/model';

export type Row =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'group'; readonly id: string; readonly tools: readonly ToolEntry[] };

const FOLD_FROM = 3;

/**
 * Runs of finished reads and searches become one row each, once they have ended: rows that fold while they come would
 * move under the pointer. What the user has opened stays where it is.
 */
export function rowsOf(
  entries: readonly Entry[],
  isOpenEnd: boolean,
  choice: (id: string) => boolean | undefined,
): Row[] {
  const rows: Row[] = [];
  let run: ToolEntry[] = [];
  const endRun = (hasEnded: boolean) => {
    const [first] = run;
    if (first !== undefined && hasEnded && mayFold(first, run, choice)) {
      rows.push({ kind: 'group', id: first.id, tools: run });
    } else {
      rows.push(...run.map((entry): Row => ({ kind: 'entry', entry })));
    }
    run = [];
  };
  for (const entry of entries) {
    if (isFoldable(entry)) {
      run.push(entry);
    } else {
      endRun(true);
      rows.push({ kind: 'entry', entry });
    }
  }
  endRun(!isOpenEnd);
  return rows;
}

/** By this the group knows what the user has made of it. */
export function groupKey(id: string): string {
  return `group ${id}`;
}

function mayFold(
  first: ToolEntry,
  run: readonly ToolEntry[],
  choice: (id: string) => boolean | undefined,
): boolean {
  // Rows can be opened in a group, too, which is opened before them.
  const isGroup = choice(groupKey(first.id)) !== undefined;
  return run.length >= FOLD_FROM && (isGroup || run.every(({ id }) => choice(id) !== true));
}

function isFoldable(entry: Entry): entry is ToolEntry {
  return (
    entry.kind === 'tool' &&
    entry.status === 'completed' &&
    (entry.toolKind === 'read' || entry.toolKind === 'search') &&
    entry.permissions.every((permission) => permission.outcome !== undefined)
  );
}
