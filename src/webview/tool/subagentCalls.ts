import { useEffect, useState } from 'preact/hooks';
import type { Entry, ToolEntry } from '../../shared/transcript/model';
import { useChat } from '../chatContext';
import type { Store } from '../store';

const none: readonly ToolEntry[] = [];

/**
 * Which calls belong under which. Rows are skipped by the identity of their entry, and a parent's does
 * not change with its children, so those who show a parent are told here.
 */
class SubagentCalls {
  private entries: readonly Entry[] = [];
  private children: ReadonlyMap<string, readonly ToolEntry[]> = new Map();
  private readonly watchers = new Map<string, Set<() => void>>();

  constructor(private readonly store: Store) {
    store.onDidChange(() => this.update());
  }

  /** In the order of their arrival. */
  of(parentId: string): readonly ToolEntry[] {
    this.update();
    return this.children.get(parentId) ?? none;
  }

  watch(parentId: string, see: () => void): () => void {
    const watchers = this.watchers.get(parentId) ?? new Set();
    this.watchers.set(parentId, watchers.add(see));
    return () => {
      watchers.delete(see);
      if (watchers.size === 0) {
        this.watchers.delete(parentId);
      }
    };
  }

  private update(): void {
    const { entries } = this.store.view.transcript;
    if (entries === this.entries) {
      return;
    }
    this.entries = entries;
    const before = this.children;
    this.children = childrenIn(entries);
    if (before.size === 0 && this.children.size === 0) {
      return;
    }
    for (const id of new Set([...before.keys(), ...this.children.keys()])) {
      if (!areSame(before.get(id) ?? none, this.children.get(id) ?? none)) {
        this.watchers.get(id)?.forEach((see) => see());
      }
    }
  }
}

const trackers = new WeakMap<Store, SubagentCalls>();

function trackerOf(store: Store): SubagentCalls {
  const tracker = trackers.get(store) ?? new SubagentCalls(store);
  trackers.set(store, tracker);
  return tracker;
}

/** The calls that a sub-agent made under this one. */
export function useSubagentCalls(parentId: string): readonly ToolEntry[] {
  const tracker = trackerOf(useChat().store);
  const [, redraw] = useState(0);
  useEffect(() => tracker.watch(parentId, () => redraw((count) => count + 1)), [tracker, parentId]);
  return tracker.of(parentId);
}

/** Whether a call is shown under its parent, rather than where it arrived. */
export function useIsNested(tool: ToolEntry): boolean {
  return useSubagentCalls(tool.parentId ?? '').some(({ id }) => id === tool.id);
}

function childrenIn(entries: readonly Entry[]): ReadonlyMap<string, readonly ToolEntry[]> {
  const nested = entries.filter((entry) => entry.kind === 'tool' && entry.parentId !== undefined);
  const children = new Map<string, ToolEntry[]>();
  if (nested.length === 0) {
    return children;
  }
  const parents = new Map(entries.flatMap((entry) => (entry.kind === 'tool' ? [[entry.id, entry]] : [])));
  for (const tool of nested) {
    if (tool.kind === 'tool' && tool.parentId !== undefined && isReachable(tool, parents)) {
      children.set(tool.parentId, [...(children.get(tool.parentId) ?? []), tool]);
    }
  }
  return children;
}

/** Calls that name each other as parents would all be nowhere. */
function isReachable(tool: ToolEntry, tools: ReadonlyMap<string, ToolEntry>): boolean {
  const seen = new Set<string>();
  let id: string | undefined = tool.id;
  while (id !== undefined && !seen.has(id)) {
    seen.add(id);
    const above: ToolEntry | undefined = tools.get(id);
    id = above?.parentId;
    if (id !== undefined && !tools.has(id)) {
      // Its top is unknown and stands by itself, with everything under it.
      return above !== tool;
    }
  }
  return id === undefined;
}

function areSame(a: readonly ToolEntry[], b: readonly ToolEntry[]): boolean {
  return a.length === b.length && a.every((tool, index) => tool === b[index]);
}
