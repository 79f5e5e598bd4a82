import { strings } from '../strings';
import type { UserEntry } from '../../shared/transcript/model';
import { useChat } from '../chatContext';
import { attachmentsOf, writtenText } from '../composer/attachmentList';
import { PromptBlocks } from '../composer/promptBlocks';
import { IconButton } from '../controls/button';
import { CopyButton, EntryActions } from './entryActions';
import { RestoreButton } from './restoreButton';

export function UserRow({ entry }: { readonly entry: UserEntry }) {
  const { store } = useChat();
  const text = () => writtenText(entry.blocks);
  const sendAgain = () => {
    const attachments = attachmentsOf(entry.blocks);
    if (attachments.length > 0) {
      store.receive({ type: 'attach', attachments });
    }
    store.receive({ type: 'insertText', text: text() });
  };
  return (
    <div class="entry user" data-entry={entry.id} data-kind="user">
      <PromptBlocks blocks={entry.blocks} />
      <EntryActions>
        {entry.turnId !== undefined && <RestoreButton turnId={entry.turnId} />}
        <IconButton icon="edit" label={strings.editAgain} onClick={sendAgain} />
        <CopyButton label={strings.copyPrompt} text={text} />
      </EntryActions>
    </div>
  );
}
