import type { UserEntry } from '../../shared/transcript/model';
import { ContentBlocks } from '../contentBlocks';

export function UserRow({ entry }: { readonly entry: UserEntry }) {
  return (
    <div class="entry user" data-entry={entry.id} data-kind="user">
      <ContentBlocks blocks={entry.blocks} text="plain" />
    </div>
  );
}
