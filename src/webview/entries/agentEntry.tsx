import type { AgentEntry } from '../../shared/transcript/model';
import { ContentBlocks } from '../contentBlocks';

export function AgentRow({ entry, isLive }: { readonly entry: AgentEntry; readonly isLive: boolean }) {
  return (
    <div class="entry agent" data-entry={entry.id} data-kind="agent">
      <ContentBlocks blocks={entry.blocks} text="markdown" isLive={isLive} />
    </div>
  );
}
