import type { TranscriptEvent } from '../../shared/transcript/events';
import type { PermissionOutcome } from '../../shared/transcript/model';
import type { PermissionQuestion } from '../agent/agentSession';
import { outcomeByRule } from '../permissions/policy';
import type { Session, SessionContext } from './session';

/** Asked and answered in one go: the user sees that it was asked, and which rule answered. */
export function answerByRule(
  session: Session,
  { toolId, options }: PermissionQuestion,
  { decide, now, newId }: SessionContext,
  dispatch: (event: TranscriptEvent) => void,
): PermissionOutcome | undefined {
  const tool = session.transcript.entries.findLast((entry) => entry.kind === 'tool' && entry.id === toolId);
  if (tool?.kind !== 'tool') {
    return undefined;
  }
  const { record, workdir, roots } = session;
  const answer = decide?.({ agentId: record.agentId, workdir, roots, tool });
  const outcome = answer === undefined ? undefined : outcomeByRule(answer, options);
  if (outcome !== undefined) {
    const at = now();
    const requestId = newId();
    dispatch({ type: 'permissionAsked', at, requestId, toolId, options });
    dispatch({ type: 'permissionAnswered', at, requestId, toolId, outcome });
  }
  return outcome;
}
