import { basename, dirname } from 'node:path';
import type { SessionRecord } from './sessionRecord';

export const groupings = ['date', 'folder', 'agent'] as const;
export type Grouping = (typeof groupings)[number];

export interface SessionGroup<T> {
  readonly key: string;
  readonly label: string;
  readonly members: readonly T[];
}

interface Grouped {
  readonly record: Pick<SessionRecord, 'agentId' | 'agentName' | 'workdir'>;
}

/** In the order of their first members. Undefined when the list is better off flat: one group says nothing. */
export function groupSessions<T extends Grouped>(
  sessions: readonly T[],
  grouping: Grouping,
): readonly SessionGroup<T>[] | undefined {
  if (grouping === 'date') {
    return undefined;
  }
  const byKey = new Map<string, T[]>();
  for (const session of sessions) {
    const key = grouping === 'folder' ? session.record.workdir : session.record.agentId;
    byKey.set(key, [...(byKey.get(key) ?? []), session]);
  }
  if (byKey.size < 2) {
    return undefined;
  }
  const folders = [...byKey.keys()];
  return [...byKey].map(([key, members]) => ({
    key,
    label: grouping === 'folder' ? folderLabel(key, folders) : (members[0]?.record.agentName ?? key),
    members,
  }));
}

/** The folder's name, with its parent's where two are called the same. */
function folderLabel(folder: string, all: readonly string[]): string {
  const name = basename(folder);
  const isAlone = all.filter((other) => basename(other) === name).length === 1;
  return isAlone ? name : `${basename(dirname(folder))}/${name}`;
}
