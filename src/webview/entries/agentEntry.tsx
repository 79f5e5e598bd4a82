import { strings } from '../strings';
import type { AgentEntry } from '../../shared/transcript/model';
import { textOf } from '../../shared/transcript/select';
import { ContentBlocks } from '../contentBlocks';
import { CopyButton, EntryActions } from './entryActions';

export function AgentRow({ entry, isLive }: { readonly entry: AgentEntry; readonly isLive: boolean }) {
  return (
    <div class="entry agent" data-entry={entry.id} data-kind="agent">
      <ContentBlocks blocks={entry.blocks} text="markdown" isLive={isLive} />
      {!isLive && (
        <EntryActions>
          <CopyButton label={strings.copyAnswer} text={() => textOf(entry.blocks)} />
        </EntryActions>
      )}
    </div>
  );
}
