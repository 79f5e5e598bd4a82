import {
  methods,
  type PermissionOption,
  type ToolCallUpdate,
  type ToolKind,
} from '@agentclientprotocol/sdk/unstable';
import type { ToolRun } from './toolRun';
import type { Turn } from './turn';

/** Asks the user, unless the mode or an earlier "always" has answered already. */
export async function isAllowed(turn: Turn, tool: ToolRun, kind: ToolKind, always: string): Promise<boolean> {
  if (turn.session.settings.mode === 'auto' || turn.session.alwaysAllowed.has(kind)) {
    return true;
  }
  const answer = await askUser(turn, { toolCallId: tool.id, kind }, [
    { optionId: 'allow', kind: 'allow_once', name: 'Allow' },
    { optionId: 'always', kind: 'allow_always', name: always },
    { optionId: 'reject', kind: 'reject_once', name: 'Reject' },
  ]);
  if (answer === 'always') {
    turn.session.alwaysAllowed.add(kind);
  }
  return answer === 'allow' || answer === 'always';
}

/** The id of the chosen option. Throws when the client cancels, which ends the turn. */
export async function askUser(
  turn: Turn,
  toolCall: ToolCallUpdate,
  options: PermissionOption[],
): Promise<string> {
  turn.signal.throwIfAborted();
  const { outcome } = await turn.client.request(
    methods.client.session.requestPermission,
    { sessionId: turn.session.id, toolCall, options },
    turn.requestOptions,
  );
  if (outcome.outcome === 'selected') {
    return outcome.optionId;
  }
  turn.session.cancelTurn();
  turn.signal.throwIfAborted();
  return '';
}
