import { useState } from 'preact/hooks';
import { strings } from '../strings';
import type { PlanEntry, Transcript } from '../../shared/transcript/model';
import { Icon } from '../controls/icon';
import { WithCode } from '../controls/withCode';
import { PlanItems } from '../entries/planItems';

/** The plans that are being worked on: the current step of each, and all of it on demand. */
export function PlanStrip({ transcript }: { readonly transcript: Transcript }) {
  return (
    <>
      {openPlans(transcript).map((plan) => (
        <PinnedPlan key={plan.id} plan={plan} />
      ))}
    </>
  );
}

function PinnedPlan({ plan }: { readonly plan: PlanEntry }) {
  const [isOpen, setIsOpen] = useState(false);
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
        </span>{' '}
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

/** Of the running turn, those that are not done. All are in the transcript. */
function openPlans({ entries, turn }: Transcript): PlanEntry[] {
  if (turn.state === 'idle') {
    return [];
  }
  const start = entries.findLastIndex((entry) => entry.kind === 'user' && entry.turnId === turn.turnId);
  return entries
    .slice(start + 1)
    .filter((entry) => entry.kind === 'plan')
    .filter(({ items }) => items.some((item) => item.status !== 'completed'));
}
