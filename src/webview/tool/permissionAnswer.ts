import { strings } from '../strings';
import type { Permission, ToolEntry } from '../../shared/transcript/model';

/** What was answered and by whom; undefined while the question is open. */
export function answerOf({ outcome, options }: Permission): string | undefined {
  if (outcome === undefined) {
    return undefined;
  }
  if (outcome.kind === 'cancelled') {
    return strings.questionWithdrawn;
  }
  const chosen = options.find((option) => option.id === outcome.optionId);
  const decision = chosen === undefined || chosen.kind === 'other' ? undefined : decisions[chosen.kind];
  if (outcome.rule !== undefined) {
    return strings.answeredByRule(decision ?? 'answered', outcome.rule);
  }
  if (decision === undefined || chosen?.kind.endsWith('_always') === true) {
    return strings.answeredWith(decision ?? 'answered', chosen?.name ?? outcome.optionId);
  }
  return strings.permissionDecision[decision];
}

const decisions = {
  allow_once: 'allowed',
  allow_always: 'allowed',
  reject_once: 'rejected',
  reject_always: 'rejected',
} as const;

export function answersOf(tool: ToolEntry): string[] {
  return tool.permissions.flatMap((permission) => answerOf(permission) ?? []);
}

/** What the user did not answer in person must be seen without opening the call. */
export function ruleAnswerOf(tool: ToolEntry): string | undefined {
  const byRule = tool.permissions.find(
    ({ outcome }) => outcome?.kind === 'selected' && outcome.rule !== undefined,
  );
  return byRule === undefined ? undefined : answerOf(byRule);
}
