import { useState } from 'preact/hooks';
import { strings } from '../../shared/strings';
import type { PlanEntry, Transcript } from '../../shared/transcript/model';
import { Icon } from '../controls/icon';
import { WithCode } from '../controls/withCode';
import { PlanItems } from '../entries/planItems';

/** The plan that is being worked on: its current step, and all of it on demand. */
export function PlanStrip({ transcript }: { readonly transcript: Transcript }) {
  const [isOpen, setIsOpen] = useState(false);
  const plan = currentPlan(transcript);
  if (plan === undefined) {
    return null;
  }
  const done = plan.items.filter((item) => item.status === 'completed').length;
  const current =
    plan.items.find((item) => item.status === 'running') ??
    plan.items.find((item) => item.status === 'pending');
  return (
    <div class="strip" data-testid="plan-strip">
      <button type="button" class="strip-line" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span class="strip-text" dir="auto">
          <WithCode text={current?.text ?? strings.plan} />
        </span>
        <span class="strip-count">
          {done}/{plan.items.length}
        </span>
      </button>
      {isOpen && (
        <div class="strip-body">
          <PlanItems items={plan.items} />
        </div>
      )}
    </div>
  );
}

/** Of the plans of the last turn that made any, the latest that is not done. All are in the transcript. */
function currentPlan({ entries }: Transcript): PlanEntry | undefined {
  const last = entries.findLastIndex((entry) => entry.kind === 'plan');
  const start = entries.findLastIndex((entry, at) => at < last && entry.kind === 'user');
  const plan = entries.findLast(
    (entry, at) =>
      at > start && entry.kind === 'plan' && entry.items.some((item) => item.status !== 'completed'),
  );
  return plan?.kind === 'plan' ? plan : undefined;
}
