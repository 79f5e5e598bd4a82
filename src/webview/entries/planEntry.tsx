import { strings } from '../strings';
import type { PlanEntry } from '../../shared/transcript/model';
import { FileChip } from '../blockChip';
import { useExpansion } from '../chatContext';
import { Icon } from '../controls/icon';
import { Markdown } from '../markdown/markdown';
import { PlanItems } from './planItems';
import { TurnFacts } from './turnFactsLine';

/** The strip above the composer is where a plan is followed; here is where it was made. */
export function PlanRow({ entry }: { readonly entry: PlanEntry }) {
  const [isOpen, toggle] = useExpansion(entry.id, entry.markdown !== undefined || entry.uri !== undefined);
  const done = entry.items.filter((item) => item.status === 'completed').length;
  return (
    <div class="entry plan" data-entry={entry.id} data-kind="plan">
      <button type="button" class="line-button" aria-expanded={isOpen} onClick={toggle}>
        <Icon name="tasklist" />
        <span class="line-title">
          {entry.items.length === 0 ? strings.plan : strings.planProgress(done, entry.items.length)}
        </span>
        <TurnFacts />
        <span class="line-chevron">
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        </span>
      </button>
      {isOpen && (
        <div class="tool-body">
          {entry.items.length > 0 && <PlanItems items={entry.items} />}
          {entry.markdown !== undefined && <Markdown text={entry.markdown} />}
          {entry.uri !== undefined && <FileChip uri={entry.uri} />}
        </div>
      )}
    </div>
  );
}
