import type { Entry, ToolEntry } from '../shared/transcript/model';

export type Row =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'group'; readonly id: string; readonly tools: readonly ToolEntry[] };

const FOLD_FROM = 3;

/** Runs of finished reads and searches become one row each. */
export function rowsOf(entries: readonly Entry[]): Row[] {
  const rows: Row[] = [];
  let run: ToolEntry[] = [];
  const endRun = () => {
    const [first] = run;
    if (first !== undefined && run.length >= FOLD_FROM) {
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
      endRun();
      rows.push({ kind: 'entry', entry });
    }
  }
  endRun();
  return rows;
}

function isFoldable(entry: Entry): entry is ToolEntry {
  return (
    entry.kind === 'tool' &&
    entry.status === 'completed' &&
    (entry.toolKind === 'read' || entry.toolKind === 'search') &&
    entry.permissions.every((permission) => permission.outcome !== undefined)
  );
}
