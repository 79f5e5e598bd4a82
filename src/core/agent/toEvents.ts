import {
  asArray,
  asNumber,
  asObject,
  asObjects,
  asOneOf,
  asString,
  isObject,
  type JsonObject,
} from '../../shared/json';
import type { ToolUpserted, TranscriptEvent } from '../../shared/transcript/events';
import {
  toolKinds,
  type CompactionEntry,
  type PlanItem,
  type ToolContent,
  type ToolKind,
  type ToolStatus,
} from '../../shared/transcript/model';
import { readConfigOptions } from './configOptions';
import { readBlock } from './contentBlocks';

export interface EventContext {
  now(): number;
  newId(): string;
  /** What could not be understood. Known but unused kinds are no problem and are not reported. */
  onUnknown(what: string): void;
}

/** Translates one `session/update` into events. Tolerant: an odd field costs that field, never the update. */
export function toEvents(update: JsonObject, context: EventContext): readonly TranscriptEvent[] {
  const at = context.now();
  const kind = asString(update.sessionUpdate);
  switch (kind) {
    case 'user_message_chunk':
      return messageChunk('user', update, context);
    case 'agent_message_chunk':
      return messageChunk('agent', update, context);
    case 'agent_thought_chunk':
      return messageChunk('thought', update, context);
    case 'tool_call':
    case 'tool_call_update':
      return toolEvents(update, context);
    case 'plan':
      return [{ type: 'planUpserted', at, id: 'plan', items: readPlanItems(update.entries) }];
    case 'plan_update':
      return planUpdate(asObject(update.plan), at);
    case 'plan_removed':
      return [{ type: 'planRemoved', id: asString(update.planId) ?? 'plan' }];
    case 'available_commands_update':
      return [{ type: 'commandsChanged', commands: readCommands(update.availableCommands) }];
    case 'current_mode_update': {
      // The documentation's own example says `modeId`.
      const value = asString(update.currentModeId) ?? asString(update.modeId);
      return value === undefined ? [] : [{ type: 'configValueChanged', id: 'mode', value }];
    }
    case 'config_option_update':
      return [{ type: 'configChanged', config: readConfigOptions(update.configOptions) }];
    case 'session_info_update':
      return update.title === undefined ? [] : [{ type: 'titleChanged', title: asString(update.title) }];
    case 'usage_update':
      return usage(update);
    case 'notice':
      return [
        {
          type: 'noticeAdded',
          at,
          entryId: context.newId(),
          severity: asOneOf(update.severity, ['info', 'warning', 'error']) ?? 'info',
          text: asString(update.title) ?? '',
          detail: asString(update.description),
        },
      ];
    case 'compaction_update':
      return [
        {
          type: 'compactionUpserted',
          at,
          id: asString(update.compactionId) ?? 'compaction',
          status: compactionStatus(update.status),
          summary: summaryOf(update.summary),
          error:
            update.error === null ? '' : (asString(update.error) ?? asString(asObject(update.error).message)),
        },
      ];
    case 'compaction_summary_chunk':
      return [
        {
          type: 'compactionChunk',
          at,
          id: asString(update.compactionId) ?? 'compaction',
          text: blocksText([update.content]),
        },
      ];
    // Known but unused: agents say these of sub-agents' own sessions, which are shown by their tool calls.
    case 'subagent_update':
    case 'session_message':
    case 'session_message_chunk':
      return [];
    default:
      context.onUnknown(`session update "${kind ?? JSON.stringify(update.sessionUpdate)}"`);
      return [];
  }
}

function messageChunk(
  role: 'user' | 'agent' | 'thought',
  update: JsonObject,
  context: EventContext,
): readonly TranscriptEvent[] {
  const block = readBlock(update.content);
  if (block === undefined) {
    context.onUnknown(`content of a ${role} message: ${JSON.stringify(update.content)}`);
    return [];
  }
  if (block.kind === 'unknown') {
    context.onUnknown(`content block "${block.type}"`);
  }
  const messageId = asString(update.messageId);
  return [{ type: 'messageChunk', at: context.now(), role, entryId: context.newId(), messageId, block }];
}

/** A tool call as it comes in updates and in permission requests, with the terminal output it may carry. */
export function toolEvents(tool: JsonObject, context: EventContext): readonly TranscriptEvent[] {
  const id = asString(tool.toolCallId);
  if (id === undefined) {
    context.onUnknown('a tool call without an id');
    return [];
  }
  const meta = asObject(tool._meta);
  const claude = asObject(meta.claudeCode);
  const event: ToolUpserted = {
    type: 'toolUpserted',
    at: context.now(),
    id,
    title: asString(tool.title),
    name: asString(tool.name) ?? asString(claude.toolName),
    toolKind: tool.kind === undefined || tool.kind === null ? undefined : readToolKind(tool.kind),
    status: readToolStatus(tool.status),
    content: Array.isArray(tool.content) ? readToolContent(tool.content, context) : undefined,
    locations: Array.isArray(tool.locations) ? readLocations(tool.locations) : undefined,
    rawInput: tool.rawInput ?? undefined,
    rawOutput: tool.rawOutput ?? undefined,
    parentId: asString(claude.parentToolUseId),
    folder: asString(asObject(meta.terminal_info).cwd),
  };
  return [event, ...terminalEvents(meta)];
}

function readToolKind(value: unknown): ToolKind {
  return asOneOf(value, toolKinds) ?? 'other';
}

function readToolStatus(value: unknown): ToolStatus | undefined {
  if (value === 'in_progress') {
    return 'running';
  }
  return asOneOf(value, ['pending', 'completed', 'failed', 'cancelled']);
}

function readToolContent(items: readonly unknown[], context: EventContext): readonly ToolContent[] {
  return items.flatMap((item): readonly ToolContent[] => {
    if (!isObject(item)) {
      return [];
    }
    if (item.type === 'diff') {
      const path = asString(item.path) ?? '';
      return [{ kind: 'diff', path, oldText: asString(item.oldText), newText: asString(item.newText) ?? '' }];
    }
    if (item.type === 'terminal') {
      return [{ kind: 'terminal', terminalId: asString(item.terminalId) ?? '' }];
    }
    // The documentation has an example without the wrapper, which some agents follow.
    const block = readBlock(item.type === 'content' ? item.content : item);
    if (block === undefined || block.kind === 'unknown') {
      context.onUnknown(`tool content "${asString(item.type) ?? ''}"`);
    }
    return block === undefined ? [] : [{ kind: 'block', block }];
  });
}

function readLocations(items: readonly unknown[]): ToolUpserted['locations'] {
  return items.flatMap((item) => {
    const path = isObject(item) ? asString(item.path) : undefined;
    return path === undefined ? [] : [{ path, line: asNumber(asObject(item).line) }];
  });
}

/** Output of commands the agent runs itself: a convention in `_meta`, not the protocol's terminals. */
function terminalEvents(meta: JsonObject): readonly TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  for (const key of ['terminal_output', 'terminal_output_delta']) {
    const output = asObject(meta[key]);
    const terminalId = asString(output.terminal_id);
    const data = asString(output.data);
    if (terminalId !== undefined && data !== undefined) {
      events.push({ type: 'terminalOutput', terminalId, data });
    }
  }
  const exit = asObject(meta.terminal_exit);
  const terminalId = asString(exit.terminal_id);
  if (terminalId !== undefined) {
    const code = asNumber(exit.exit_code);
    events.push({ type: 'terminalExited', terminalId, exit: { code, signal: asString(exit.signal) } });
  }
  return events;
}

function readPlanItems(value: unknown): readonly PlanItem[] {
  return asObjects(value).map((item) => ({
    text: asString(item.content) ?? '',
    status: item.status === 'in_progress' ? 'running' : (asOneOf(item.status, ['completed']) ?? 'pending'),
    priority: asOneOf(item.priority, ['high', 'medium', 'low']) ?? 'medium',
  }));
}

function planUpdate(plan: JsonObject, at: number): readonly TranscriptEvent[] {
  const markdown = asString(plan.content);
  const uri = asString(plan.uri);
  return [
    {
      type: 'planUpserted',
      at,
      id: asString(plan.planId) ?? 'plan',
      items: readPlanItems(plan.entries),
      ...(markdown === undefined ? {} : { markdown }),
      ...(uri === undefined ? {} : { uri }),
    },
  ];
}

function readCommands(value: unknown): Extract<TranscriptEvent, { type: 'commandsChanged' }>['commands'] {
  return asObjects(value).flatMap((command) => {
    const name = asString(command.name);
    if (name === undefined) {
      return [];
    }
    return [
      {
        name,
        description: asString(command.description) ?? '',
        hint: asString(asObject(command.input).hint),
      },
    ];
  });
}

function usage(update: JsonObject): readonly TranscriptEvent[] {
  const used = asNumber(update.used);
  const size = asNumber(update.size);
  if (used === undefined || size === undefined) {
    return [];
  }
  const cost = asObject(update.cost);
  const amount = asNumber(cost.amount);
  const currency = asString(cost.currency) ?? '';
  return [
    {
      type: 'usageChanged',
      usage: { used, size, cost: amount === undefined ? undefined : { amount, currency } },
    },
  ];
}

function compactionStatus(value: unknown): CompactionEntry['status'] | undefined {
  return value === 'in_progress' ? 'running' : asOneOf(value, ['completed', 'failed', 'cancelled']);
}

function summaryOf(value: unknown): string | undefined {
  if (value === null) {
    return '';
  }
  return Array.isArray(value) ? blocksText(value) : undefined;
}

function blocksText(items: unknown): string {
  return asArray(items)
    .map(readBlock)
    .map((block) => (block?.kind === 'text' ? block.text : ''))
    .join('');
}
