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

/** A plan that is done, or from before the last prompt of a finished turn, is in the transcript only. */
function currentPlan(transcript: Transcript): PlanEntry | undefined {
  const plan = transcript.entries.findLast((entry) => entry.kind === 'plan');
  if (plan?.kind !== 'plan' || plan.items.every((item) => item.status === 'completed')) {
    return undefined;
  }
  return plan;
}
