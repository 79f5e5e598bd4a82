import { strings } from '../../shared/strings';
import type { UserEntry } from '../../shared/transcript/model';
import { textOf } from '../../shared/transcript/select';
import { useChat } from '../chatContext';
import { ContentBlocks } from '../contentBlocks';
import { IconButton } from '../controls/button';
import { CopyButton, EntryActions } from './entryActions';

export function UserRow({ entry }: { readonly entry: UserEntry }) {
  const { store } = useChat();
  const text = () => textOf(entry.blocks);
  return (
    <div class="entry user" data-entry={entry.id} data-kind="user">
      <ContentBlocks blocks={entry.blocks} text="plain" />
      <EntryActions>
        <IconButton
          icon="edit"
          label={strings.editAgain}
          onClick={() => store.receive({ type: 'insertText', text: text() })}
        />
        <CopyButton label={strings.copyPrompt} text={text} />
      </EntryActions>
    </div>
  );
}
