import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { QueuedPrompt } from '../../shared/protocol';
import { strings } from '../strings';
import { useChat } from '../chatContext';
import { contextWords } from '../composer/contextWords';
import { IconButton } from '../controls/button';
import { Icon } from '../controls/icon';
import { useInlineEdit, type EditEnd } from '../controls/useInlineEdit';

interface QueuedPromptsProps {
  readonly sessionId: string;
  readonly queue: readonly QueuedPrompt[];
  readonly canSteer: boolean;
}

export function QueuedPrompts({ sessionId, queue, canSteer }: QueuedPromptsProps) {
  if (queue.length === 0) {
    return null;
  }
  return (
    <ul class="strip queue" aria-label={strings.queued}>
      {queue.map((prompt, index) => (
        <QueuedRow
          key={prompt.id}
          sessionId={sessionId}
          prompt={prompt}
          index={index}
          count={queue.length}
          canSteer={canSteer}
        />
      ))}
    </ul>
  );
}

interface QueuedRowProps {
  readonly sessionId: string;
  readonly prompt: QueuedPrompt;
  readonly index: number;
  readonly count: number;
  readonly canSteer: boolean;
}

function QueuedRow({ sessionId, prompt, index, count, canSteer }: QueuedRowProps) {
  const chat = useChat();
  const [isEditing, setIsEditing] = useState(false);
  const { id, attachments } = prompt;
  const names = attachments.map(({ name }) => name).join(', ');
  const toComposer = () => chat.store.receive({ type: 'focusComposer' });
  const finish = ({ text, isByKey }: EditEnd) => {
    setIsEditing(false);
    if (text !== undefined && (text.trim() !== '' || names !== '') && text !== prompt.text) {
      chat.post({ type: 'editQueued', sessionId, id, text });
    }
    if (isByKey) {
      toComposer();
    }
  };
  return (
    <li class="queued" data-testid="queued-prompt" data-queued-id={id}>
      {isEditing ? (
        <QueuedEditor text={prompt.text} onEnd={finish} />
      ) : (
        <>
          <Icon name="clockface" />
          <span class="strip-text" dir="auto" title={prompt.text}>
            {prompt.text === '' ? names : prompt.text}
          </span>
          {attachments.length > 0 && (
            <span
              class="queued-attachments"
              role="img"
              aria-label={contextWords.attachmentCount(attachments.length)}
              title={names}
            >
              <Icon name="attach" />
              {attachments.length}
            </span>
          )}
          <span class="queued-actions">
            {count > 1 && (
              <>
                <IconButton
                  icon="arrow-up"
                  label={strings.moveUp}
                  isDisabled={index === 0}
                  onClick={() => chat.post({ type: 'moveQueued', sessionId, id, index: index - 1 })}
                />
                <IconButton
                  icon="arrow-down"
                  label={strings.moveDown}
                  isDisabled={index === count - 1}
                  onClick={() => chat.post({ type: 'moveQueued', sessionId, id, index: index + 1 })}
                />
              </>
            )}
            <IconButton icon="edit" label={strings.editQueued} onClick={() => setIsEditing(true)} />
            {canSteer && (
              <IconButton
                icon="target"
                label={strings.steerQueued}
                onClick={() => {
                  chat.post({ type: 'steerQueued', sessionId, id });
                  toComposer();
                }}
              />
            )}
            <IconButton
              icon="send"
              label={strings.sendNow}
              tooltip={strings.sendNowTooltip}
              onClick={() => {
                chat.post({ type: 'sendQueuedNow', sessionId, id });
                chat.store.sent();
                toComposer();
              }}
            />
            <IconButton
              icon="close"
              label={strings.removeQueued}
              onClick={() => {
                chat.post({ type: 'removeQueued', sessionId, id });
                toComposer();
              }}
            />
          </span>
        </>
      )}
    </li>
  );
}

interface QueuedEditorProps {
  readonly text: string;
  readonly onEnd: (end: EditEnd) => void;
}

function QueuedEditor({ text, onEnd }: QueuedEditorProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const edit = useInlineEdit(onEnd);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(text.length, text.length);
  }, []);
  return (
    <textarea
      ref={input}
      class="input queued-editor"
      aria-label={strings.editQueued}
      rows={Math.min(6, text.split('\n').length)}
      defaultValue={text}
      {...edit}
    />
  );
}
