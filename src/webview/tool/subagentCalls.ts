import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
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

  /** Whether any of them, however deep, has a question. */
  areWaiting(parentId: string): boolean {
    return this.of(parentId).some(
      (tool) => tool.permissions.some(({ outcome }) => outcome === undefined) || this.areWaiting(tool.id),
    );
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
    const parents = [...new Set([...before.keys(), ...this.children.keys()])];
    const changed = parents.filter((id) => !areSame(before.get(id) ?? none, this.children.get(id) ?? none));
    // A question far below opens everything above it.
    for (const id of new Set(changed.flatMap((parent) => [parent, ...this.above(parent)]))) {
      this.watchers.get(id)?.forEach((see) => see());
    }
  }

  private above(id: string): string[] {
    for (const [parent, tools] of this.children) {
      if (tools.some((tool) => tool.id === id)) {
        return [parent, ...this.above(parent)];
      }
    }
    return [];
  }
}

const trackers = new WeakMap<Store, SubagentCalls>();

function trackerOf(store: Store): SubagentCalls {
  const tracker = trackers.get(store) ?? new SubagentCalls(store);
  trackers.set(store, tracker);
  return tracker;
}

export interface CallsBelow {
  readonly calls: readonly ToolEntry[];
  readonly areWaiting: boolean;
}

/** The calls that a sub-agent made under this one. */
export function useCallsBelow(parentId: string): CallsBelow {
  const tracker = trackerOf(useChat().store);
  const [, redraw] = useState(0);
  useEffect(() => tracker.watch(parentId, () => redraw((count) => count + 1)), [tracker, parentId]);
  return { calls: tracker.of(parentId), areWaiting: tracker.areWaiting(parentId) };
}

/** Whether there is a question under any of these calls. */
export function useAreWaitingBelow(tools: readonly ToolEntry[]): boolean {
  const tracker = trackerOf(useChat().store);
  const [, redraw] = useState(0);
  const ids = tools.map(({ id }) => id);
  useEffect(() => {
    const ends = ids.map((id) => tracker.watch(id, () => redraw((count) => count + 1)));
    return () => ends.forEach((end) => end());
  }, [tracker, ids.join(' ')]);
  return ids.some((id) => tracker.areWaiting(id));
}

const ShownUnder = createContext<string | undefined>(undefined);
/** Around the rows that stand under a call. */
export const ShownUnderProvider = ShownUnder.Provider;

/** Which of the calls have their place where they are asked to be drawn: under their parent, if it is there. */
export function useOwnCalls(tools: readonly ToolEntry[]): readonly ToolEntry[] {
  const tracker = trackerOf(useChat().store);
  const place = useContext(ShownUnder);
  const [, redraw] = useState(0);
  const parents = [...new Set(tools.flatMap(({ parentId }) => parentId ?? []))];
  useEffect(() => {
    // A parent may come after its children.
    const ends = parents.map((id) => tracker.watch(id, () => redraw((count) => count + 1)));
    return () => ends.forEach((end) => end());
  }, [tracker, parents.join(' ')]);
  return tools.filter(
    ({ id, parentId }) =>
      parentId === place || parentId === undefined || !tracker.of(parentId).some((tool) => tool.id === id),
  );
}

function childrenIn(entries: readonly Entry[]): ReadonlyMap<string, readonly ToolEntry[]> {
  const children = new Map<string, ToolEntry[]>();
  if (!entries.some((entry) => entry.kind === 'tool' && entry.parentId !== undefined)) {
    return children;
  }
  const tools = entries.filter((entry) => entry.kind === 'tool');
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  for (const tool of tools) {
    if (tool.parentId !== undefined && hasPlaceUnder(byId.get(tool.parentId), tool, byId)) {
      const siblings = children.get(tool.parentId) ?? [];
      siblings.push(tool);
      children.set(tool.parentId, siblings);
    }
  }
  return children;
}

/** Calls that name each other as parents would all be nowhere. */
function hasPlaceUnder(
  parent: ToolEntry | undefined,
  tool: ToolEntry,
  byId: ReadonlyMap<string, ToolEntry>,
): boolean {
  const seen = new Set([tool.id]);
  let above = parent;
  while (above !== undefined) {
    if (seen.has(above.id)) {
      return false;
    }
    seen.add(above.id);
    above = above.parentId === undefined ? undefined : byId.get(above.parentId);
  }
  return parent !== undefined;
}

function areSame(a: readonly ToolEntry[], b: readonly ToolEntry[]): boolean {
  return a.length === b.length && a.every((tool, index) => tool === b[index]);
}
