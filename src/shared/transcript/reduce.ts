import { assertNever } from '../assertNever';
import { appendSummary, closeOpenCompactions, upsertCompaction } from './compactions';
import type {
  EndNotice,
  KnownBefore,
  NoticeAdded,
  TranscriptEvent,
  TurnEnded,
  TurnOutcome,
  TurnStarted,
} from './events';
import { answerElicitation, closeOpenElicitations } from './elicitations';
import { addSteered } from './echoes';
import { appendChunk } from './messages';
import { emptyTranscript, type Entry, type Transcript } from './model';
import { removePlan, upsertPlan } from './plans';
import { appendTerminalOutput, emptyTerminal, terminalOf } from './terminals';
import { answerPermission, askPermission, cancelTools, closeOpenTools, upsertTool } from './tools';

/** Pure. Entries that an event does not touch keep their identity, so views can skip them by `===`. */
export function reduce(state: Transcript, event: TranscriptEvent): Transcript {
  switch (event.type) {
    case 'turnStarted':
      return startTurn(state, event);
    case 'turnCancelling':
      return state.turn.state === 'running' && state.turn.turnId === event.turnId
        ? { ...state, entries: cancelTools(state.entries), turn: { ...state.turn, isCancelling: true } }
        : state;
    case 'turnEnded':
      return endTurn(state, event);
    case 'messageSteered':
      return withEntries(state, addSteered(state.entries, event));
    case 'messageChunk':
      return withEntries(state, appendChunk(state, event));
    case 'toolUpserted':
      return withEntries(state, upsertTool(state.entries, event, isCancelling(state)));
    case 'permissionAsked':
      return withEntries(state, askPermission(state.entries, event));
    case 'permissionAnswered':
      return withEntries(state, answerPermission(state.entries, event));
    case 'elicitationAsked':
      return withEntries(state, [
        ...state.entries,
        {
          kind: 'elicitation',
          id: event.id,
          at: event.at,
          message: event.message,
          request: event.request,
          outcome: undefined,
        },
      ]);
    case 'elicitationAnswered':
      return withEntries(state, answerElicitation(state.entries, event));
    case 'planUpserted':
      return withEntries(state, upsertPlan(state, event));
    case 'planRemoved':
      return withEntries(state, removePlan(state.entries, event.id));
    case 'noticeAdded':
      return withEntries(state, [...state.entries, notice(event.at, event)]);
    case 'noticeRemoved':
      return withEntries(state, without(state.entries, 'notice', event.entryId));
    case 'compactionUpserted':
      return withEntries(state, upsertCompaction(state.entries, event));
    case 'compactionChunk':
      return withEntries(state, appendSummary(state.entries, event));
    case 'terminalStarted': {
      const terminal = terminalOf(state.terminals, event.terminalId) ?? emptyTerminal(event.terminalId);
      return {
        ...state,
        terminals: { ...state.terminals, [event.terminalId]: { ...terminal, isOurs: true } },
      };
    }
    case 'terminalOutput':
      return { ...state, terminals: appendTerminalOutput(state.terminals, event) };
    case 'terminalExited': {
      const terminal = terminalOf(state.terminals, event.terminalId) ?? emptyTerminal(event.terminalId);
      return {
        ...state,
        terminals: { ...state.terminals, [event.terminalId]: { ...terminal, exit: event.exit } },
      };
    }
    case 'commandsChanged':
      return { ...state, commands: event.commands };
    case 'configChanged':
      return { ...state, config: event.config };
    case 'configValueChanged':
      return { ...state, config: state.config.map((option) => withValue(option, event)) };
    case 'usageChanged':
      return { ...state, usage: event.usage };
    case 'titleChanged':
      return { ...state, title: event.title };
    case 'cleared':
      return { ...emptyTranscript, turn: state.turn, title: state.title, usage: state.usage };
    case 'replayEnded':
      return withEntries(state, closeOpen(withKnown(state.entries, event.known), 'cancelled'));
    default:
      return assertNever(event);
  }
}

function isCancelling({ turn }: Transcript): boolean {
  return turn.state === 'running' && turn.isCancelling;
}

function withEntries(state: Transcript, entries: readonly Entry[]): Transcript {
  return entries === state.entries ? state : { ...state, entries };
}

function startTurn(state: Transcript, event: TurnStarted): Transcript {
  return {
    ...state,
    entries: [
      ...state.entries,
      {
        kind: 'user',
        id: event.entryId,
        at: event.at,
        messageId: undefined,
        blocks: event.blocks,
        turnId: event.turnId,
      },
    ],
    turn: { state: 'running', turnId: event.turnId, startedAt: event.at, isCancelling: false },
  };
}

function endTurn(state: Transcript, event: TurnEnded): Transcript {
  // A follow-up prompt may already have started the next turn; its state is not ours to end.
  if (state.turn.state === 'idle' || state.turn.turnId !== event.turnId) {
    return state;
  }
  const closed = closeOpen(withTurnEnd(state.entries, event), event.outcome.kind);
  const said = event.outcome.notice;
  return {
    ...state,
    entries: said === undefined ? closed : [...closed, notice(event.at, said)],
    turn: { state: 'idle' },
  };
}

function closeOpen(entries: readonly Entry[], outcome: TurnOutcome['kind']): readonly Entry[] {
  return closeOpenCompactions(closeOpenElicitations(closeOpenTools(entries, outcome)), outcome);
}

function withTurnEnd(
  entries: readonly Entry[],
  { turnId, at, tokens, filesChanged }: TurnEnded,
): readonly Entry[] {
  const index = entries.findLastIndex((entry) => entry.kind === 'user' && entry.turnId === turnId);
  const prompt = entries[index];
  if (prompt?.kind !== 'user') {
    return entries;
  }
  const files = filesChanged === undefined ? {} : { filesChanged };
  return entries.with(index, { ...prompt, end: { at, tokens }, ...files });
}

function withKnown(entries: readonly Entry[], known: KnownBefore | undefined): readonly Entry[] {
  if (known === undefined) {
    return entries;
  }
  return entries.map((entry) => {
    if (entry.kind === 'user') {
      return { ...entry, ...known.prompts[entry.id] };
    }
    // Ids of tool calls are the agent's: one may be called `__proto__`.
    return entry.kind === 'tool' && Object.hasOwn(known.permissions, entry.id)
      ? { ...entry, permissions: known.permissions[entry.id] ?? [] }
      : entry;
  });
}

function notice(at: number, said: EndNotice | NoticeAdded): Entry {
  return {
    kind: 'notice',
    id: said.entryId,
    at,
    severity: said.severity,
    text: said.text,
    detail: said.detail,
    actions: said.actions ?? [],
  };
}

function without(entries: readonly Entry[], kind: Entry['kind'], id: string): readonly Entry[] {
  const index = entries.findLastIndex((entry) => entry.kind === kind && entry.id === id);
  return index < 0 ? entries : entries.toSpliced(index, 1);
}

function withValue(
  option: Transcript['config'][number],
  change: { readonly id: string; readonly value: string | boolean },
): Transcript['config'][number] {
  // A mode change names the mode, not the option that holds it.
  if (option.id !== change.id && option.category !== change.id) {
    return option;
  }
  if (option.input.type === 'boolean') {
    return { ...option, input: { type: 'boolean', value: change.value === true } };
  }
  return { ...option, input: { ...option.input, value: String(change.value) } };
}
