import type { RuleScope } from '../../shared/protocol';
import { openPermissions } from '../../shared/transcript/select';
import { ruleFor, type PermissionPolicy } from '../permissions/policy';
import type { Session } from './session';

/**
 * Makes a rule of what was asked, then answers the question by it: this once, because an agent's own "always" may
 * mean far more than the rule.
 */
export async function alwaysAllow(
  policy: Pick<PermissionPolicy, 'remember'>,
  session: Session,
  requestId: string,
  scope: RuleScope,
): Promise<void> {
  const asked = openPermissions(session.transcript).find(
    ({ permission }) => permission.requestId === requestId,
  );
  const option = asked?.permission.options.find(({ kind }) => kind === 'allow_once');
  if (asked === undefined || option === undefined) {
    return;
  }
  const { record, workdir, roots } = session;
  const rule = ruleFor(scope, { agentId: record.agentId, workdir, roots, tool: asked.tool });
  if (rule !== undefined) {
    await policy.remember(rule);
  }
  session.answerPermission(requestId, option.id);
}
