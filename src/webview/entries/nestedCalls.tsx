import { strings } from '../../shared/strings';
import type { ToolEntry } from '../../shared/transcript/model';
import { ShownUnderProvider } from '../tool/subagentCalls';
import { rowsOf } from '../transcriptRows';
import { EntryRow } from './entryRow';
import { ToolGroup } from './toolGroup';

interface NestedCallsProps {
  readonly parentId: string;
  readonly calls: readonly ToolEntry[];
  readonly isOpen: boolean;
}

/** What a sub-agent did, under the call that started it. The rows stay in the document, so that they can be found. */
export function NestedCalls({ parentId, calls, isOpen }: NestedCallsProps) {
  return (
    <ShownUnderProvider value={parentId}>
      <div class="nested-calls" role="group" aria-label={strings.nestedCalls} hidden={!isOpen}>
        {rowsOf(calls).map((row) =>
          row.kind === 'group' ? (
            <ToolGroup key={`group ${row.id}`} id={row.id} tools={row.tools} />
          ) : (
            <EntryRow key={row.entry.id} entry={row.entry} isLive={false} />
          ),
        )}
      </div>
    </ShownUnderProvider>
  );
}
