import { strings } from '../strings';
import type { PlanItem } from '../../shared/transcript/model';
import { Icon } from '../controls/icon';
import { WithCode } from '../controls/withCode';

const icons = { pending: 'circle-large-outline', running: 'record', completed: 'pass-filled' } as const;

export function PlanItems({ items }: { readonly items: readonly PlanItem[] }) {
  // Where all are equal, none comes first.
  const hasPriorities = items.some(({ priority }) => priority !== items[0]?.priority);
  return (
    <ol class="plan-items">
      {items.map((item, index) => (
        <li key={index} class={`plan-item ${item.status}`}>
          <span role="img" aria-label={strings.planStatus[item.status]}>
            <Icon name={icons[item.status]} />
          </span>
          <span dir="auto">
            <WithCode text={item.text} />
          </span>
          {hasPriorities && item.priority !== 'medium' && (
            <span class="plan-priority">{strings.planPriority[item.priority]}</span>
          )}
        </li>
      ))}
    </ol>
  );
}
