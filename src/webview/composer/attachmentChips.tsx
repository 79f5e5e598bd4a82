import { useRef } from 'preact/hooks';
import type { Attachment } from '../../shared/attachments';
import { Icon } from '../controls/icon';
import { detailOf, iconOf } from './attachmentList';
import { contextWords } from './contextWords';

interface AttachmentChipsProps {
  readonly attachments: readonly Attachment[];
  /** Why images will not reach the agent. */
  readonly imageWarning: string | undefined;
  readonly onRemove: (id: string) => void;
  /** The last chip went, or the user is done with them. */
  readonly onLeave: () => void;
}

/** What goes along with the prompt, above its text. */
export function AttachmentChips({ attachments, imageWarning, onRemove, onLeave }: AttachmentChipsProps) {
  const list = useRef<HTMLUListElement>(null);
  const buttonAt = (index: number) =>
    list.current?.querySelectorAll<HTMLButtonElement>('.attachment-remove').item(index) ?? undefined;
  const remove = (index: number) => {
    const attachment = attachments[index];
    // Found before the chip goes: the focus would fall out of the chat.
    const neighbour = buttonAt(index < attachments.length - 1 ? index + 1 : index - 1);
    if (attachment === undefined) {
      return;
    }
    if (attachments.length > 1 && neighbour !== undefined) {
      neighbour.focus();
    } else {
      onLeave();
    }
    onRemove(attachment.id);
  };
  const press = (event: KeyboardEvent, index: number) => {
    switch (event.key) {
      case 'ArrowLeft':
        buttonAt(Math.max(0, index - 1))?.focus();
        break;
      case 'ArrowRight':
        if (index < attachments.length - 1) {
          buttonAt(index + 1)?.focus();
        } else {
          onLeave();
        }
        break;
      case 'Delete':
      case 'Backspace':
        remove(index);
        break;
      case 'Escape':
      case 'ArrowDown':
        onLeave();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ul ref={list} class="attachments" aria-label={contextWords.attached}>
      {attachments.map((attachment, index) => {
        const isLeftOut = attachment.kind === 'image' && imageWarning !== undefined;
        return (
          <li
            key={attachment.id}
            class={`attachment${isLeftOut ? ' left-out' : ''}`}
            data-testid="attachment"
            data-attachment-kind={attachment.kind}
            title={isLeftOut ? imageWarning : detailOf(attachment)}
          >
            <ChipPicture attachment={attachment} isLeftOut={isLeftOut} />
            <span class="attachment-name">{attachment.name}</span>
            <button
              type="button"
              class="attachment-remove codicon codicon-close"
              aria-label={contextWords.remove(attachment.name)}
              title={contextWords.remove(attachment.name)}
              onClick={() => remove(index)}
              onKeyDown={(event) => press(event, index)}
            />
          </li>
        );
      })}
    </ul>
  );
}

function ChipPicture({
  attachment,
  isLeftOut,
}: {
  readonly attachment: Attachment;
  readonly isLeftOut: boolean;
}) {
  if (isLeftOut) {
    return <Icon name="warning" />;
  }
  return attachment.kind === 'image' ? (
    <img class="attachment-thumbnail" alt="" src={`data:${attachment.mimeType};base64,${attachment.data}`} />
  ) : (
    <Icon name={iconOf(attachment)} />
  );
}
