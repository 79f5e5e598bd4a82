import { strings } from '../strings';
import type { ToolEntry } from '../../shared/transcript/model';
import { ShownUnderProvider } from '../tool/subagentCalls';
import { EntryRows } from './entryRows';

interface NestedCallsProps {
  readonly parentId: string;
  readonly calls: readonly ToolEntry[];
  readonly isOpen: boolean;
  /** The sub-agent still works. */
  readonly mayGoOn: boolean;
}

/** What a sub-agent did, under the call that started it. The rows stay in the document, where searching counts them. */
export function NestedCalls({ parentId, calls, isOpen, mayGoOn }: NestedCallsProps) {
  return (
    <ShownUnderProvider value={parentId}>
      <div class="nested-calls" role="group" aria-label={strings.nestedCalls} hidden={!isOpen}>
        <EntryRows entries={calls} isOpenEnd={mayGoOn} />
      </div>
    </ShownUnderProvider>
  );
}
