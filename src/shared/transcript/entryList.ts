import type { Entry } from './model';

/** Entries that nobody but `ownEntries` has seen yet: they may be changed in place. */
interface OwnEntries {
  readonly list: Entry[];
  /** Where the last call with an id is. */
  readonly tools: Map<string, number>;
}

let own: OwnEntries | undefined;

export function appended(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  if (own?.list !== entries) {
    return [...entries, entry];
  }
  if (entry.kind === 'tool') {
    own.tools.set(entry.id, entries.length);
  }
  own.list.push(entry);
  return entries;
}

/** With an entry of the same kind and id. */
export function replaced(entries: readonly Entry[], index: number, entry: Entry): readonly Entry[] {
  if (own?.list !== entries) {
    return entries.with(index, entry);
  }
  own.list[index] = entry;
  return entries;
}

/** Below 0 when there is none. */
export function placeOfTool(entries: readonly Entry[], id: string): number {
  return own?.list !== entries
    ? entries.findLastIndex((entry) => entry.kind === 'tool' && entry.id === id)
    : (own.tools.get(id) ?? -1);
}

/** Until `work` is done, what its parameter gives for entries is changed in place by the functions above. */
export function ownEntries<T>(work: (copy: (entries: readonly Entry[]) => readonly Entry[]) => T): T {
  try {
    return work((entries) => {
      if (own?.list !== entries) {
        own = { list: [...entries], tools: new Map(entries.flatMap(toolPlace)) };
      }
      return own.list;
    });
  } finally {
    own = undefined;
  }
}

function toolPlace(entry: Entry, index: number): readonly (readonly [string, number])[] {
  return entry.kind === 'tool' ? [[entry.id, index]] : [];
}
