import { strings } from '../strings';
import type { ToolEntry } from '../../shared/transcript/model';
import { useExpansion } from '../chatContext';
import { Icon } from '../controls/icon';
import { useAreWaitingBelow, useOwnCalls } from '../tool/subagentCalls';
import { groupKey } from '../transcriptRows';
import { EntryRow } from './entryRow';

/** A run of reads and searches on one line. Its rows stay in the document, where searching counts them. */
export function ToolGroup({ id, tools: run }: { readonly id: string; readonly tools: readonly ToolEntry[] }) {
  const [isExpanded, toggle] = useExpansion(groupKey(id), false);
  // A question is never hidden: without an answer the turn stands still.
  const isOpen = useAreWaitingBelow(run) || isExpanded;
  const tools = useOwnCalls(run);
  if (tools.length === 0) {
    return null;
  }
  const reads = tools.filter((tool) => tool.toolKind === 'read').length;
  return (
    <div class="tool-group">
      <button type="button" class="line-button" aria-expanded={isOpen} onClick={toggle}>
        <Icon name={reads > 0 ? 'book' : 'search'} />
        <span class="line-title">{strings.toolGroup(reads, tools.length - reads)}</span>
        <span class="line-chevron">
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        </span>
        <span class="tool-status">
          <Icon name="check" />
        </span>
      </button>
      <div class="tool-group-rows" hidden={!isOpen}>
        {tools.map((tool) => (
          <EntryRow key={tool.id} entry={tool} isLive={false} />
        ))}
      </div>
    </div>
  );
}
