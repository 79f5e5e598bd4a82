import { appended, placeOfTool, replaced } from './entryList';
import type { PermissionAnswered, PermissionAsked, ToolUpserted, TurnOutcome } from './events';
import type { Entry, Permission, ToolEntry, ToolStatus } from './model';

/** A tool call, or what changed in it. An unknown id makes a new entry: some agents never announce theirs. */
export function upsertTool(
  entries: readonly Entry[],
  event: ToolUpserted,
  isCancelling: boolean,
): readonly Entry[] {
  return changeTool(entries, event.id, event.at, (tool) => ({
    ...tool,
    title: event.title ?? tool.title,
    name: event.name ?? tool.name,
    toolKind: event.toolKind ?? tool.toolKind,
    status: nextStatus(tool.status, event.status, isCancelling),
    content: event.content ?? tool.content,
    locations: event.locations ?? tool.locations,
    rawInput: event.rawInput ?? tool.rawInput,
    rawOutput: event.rawOutput ?? tool.rawOutput,
    parentId: event.parentId ?? tool.parentId,
    ...(event.folder === undefined ? {} : { folder: event.folder }),
  }));
}

/**
 * A refused call that its agent then reports as failed stays "rejected": the user knows why. One that the user has
 * cancelled may still come to an end, but not back to work.
 */
function nextStatus(
  previous: ToolStatus,
  reported: ToolStatus | undefined,
  isCancelling: boolean,
): ToolStatus {
  const isKnownBetter =
    (previous === 'rejected' && reported === 'failed') ||
    (previous === 'cancelled' && isCancelling && reported !== undefined && !isClosed(reported));
  return reported === undefined || isKnownBetter ? previous : reported;
}

/** At once when the user stops the turn, whenever the agent hears of it. Questions are answered by who asked them. */
export function cancelTools(entries: readonly Entry[]): readonly Entry[] {
  return entries.some(isUnfinished)
    ? entries.map((entry) => (isUnfinished(entry) ? { ...entry, status: 'cancelled' } : entry))
    : entries;
}

function isUnfinished(entry: Entry): entry is ToolEntry {
  return entry.kind === 'tool' && !isClosed(entry.status);
}

export function askPermission(entries: readonly Entry[], event: PermissionAsked): readonly Entry[] {
  const asked: Permission = { requestId: event.requestId, options: event.options, outcome: undefined };
  return changeTool(entries, event.toolId, event.at, (tool) => ({
    ...tool,
    permissions: [...tool.permissions, asked],
  }));
}

export function answerPermission(entries: readonly Entry[], event: PermissionAnswered): readonly Entry[] {
  return changeTool(entries, event.toolId, event.at, (tool) => {
    const permissions = tool.permissions.map((permission) =>
      permission.requestId === event.requestId && permission.outcome === undefined
        ? { ...permission, outcome: event.outcome }
        : permission,
    );
    return { ...tool, permissions, status: statusAfterAnswer(tool, event) };
  });
}

/** When the user rejects, some agents send nothing more for that call (real-agents: Gemini). */
function statusAfterAnswer(tool: ToolEntry, event: PermissionAnswered): ToolStatus {
  const { outcome } = event;
  if (outcome.kind === 'cancelled' || isClosed(tool.status)) {
    return tool.status;
  }
  const permission = tool.permissions.find((asked) => asked.requestId === event.requestId);
  const chosen = permission?.options.find((option) => option.id === outcome.optionId);
  return chosen?.kind === 'reject_once' || chosen?.kind === 'reject_always' ? 'rejected' : tool.status;
}

/** Nothing stays open past its turn: no spinner, no unanswered question. */
export function closeOpenTools(entries: readonly Entry[], outcome: TurnOutcome['kind']): readonly Entry[] {
  if (!entries.some(isOpenTool)) {
    return entries;
  }
  const status = outcome === 'failed' ? 'failed' : 'cancelled';
  return entries.map((entry) => (isOpenTool(entry) ? closed(entry, status) : entry));
}

function isOpenTool(entry: Entry): entry is ToolEntry {
  return entry.kind === 'tool' && (!isClosed(entry.status) || entry.permissions.some(isOpen));
}

function closed(tool: ToolEntry, status: ToolStatus): ToolEntry {
  return {
    ...tool,
    status: isClosed(tool.status) ? tool.status : status,
    permissions: tool.permissions.map((permission) =>
      isOpen(permission) ? { ...permission, outcome: { kind: 'cancelled' } } : permission,
    ),
  };
}

function isClosed(status: ToolStatus): boolean {
  return status !== 'pending' && status !== 'running';
}

function isOpen(permission: Permission): boolean {
  return permission.outcome === undefined;
}

function changeTool(
  entries: readonly Entry[],
  id: string,
  at: number,
  change: (tool: ToolEntry) => ToolEntry,
): readonly Entry[] {
  const index = placeOfTool(entries, id);
  const found = entries[index];
  return found?.kind === 'tool'
    ? replaced(entries, index, change(found))
    : appended(entries, change(unknownTool(id, at)));
}

function unknownTool(id: string, at: number): ToolEntry {
  return {
    kind: 'tool',
    id,
    at,
    title: '',
    name: undefined,
    toolKind: 'other',
    status: 'pending',
    content: [],
    locations: [],
    rawInput: undefined,
    rawOutput: undefined,
    parentId: undefined,
    permissions: [],
  };
}
