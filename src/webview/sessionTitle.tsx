import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionSummary } from '../shared/protocol';
import { strings } from './strings';
import { useChat } from './chatContext';
import { useInlineEdit, type EditEnd } from './controls/useInlineEdit';
import { shortcut } from './shortcut';

/** What the session is called: the host decides between the user's name for it and the agent's. */
export function SessionTitle({ session }: { readonly session: SessionSummary }) {
  const chat = useChat();
  const [isRenaming, setIsRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const takesFocus = useRef(false);
  useLayoutEffect(() => {
    if (takesFocus.current) {
      takesFocus.current = false;
      button.current?.focus();
    }
  }, [isRenaming]);
  const { title } = session;
  if (isRenaming) {
    const finish = ({ text, isByKey }: EditEnd) => {
      takesFocus.current = isByKey;
      setIsRenaming(false);
      const name = text?.trim() ?? '';
      if (name !== '' && name !== title) {
        chat.post({ type: 'renameSession', sessionId: session.sessionId, title: name });
      }
    };
    return <TitleField title={title} onEnd={finish} />;
  }
  const shown = title === '' ? strings.newSession : title;
  return (
    <button
      ref={button}
      type="button"
      class="session-title"
      title={strings.renameHint(
        shown,
        session.agentName,
        shortcut('parley.previousSession'),
        shortcut('parley.nextSession'),
      )}
      onDblClick={() => setIsRenaming(true)}
      onKeyDown={(event) => {
        if (event.key === 'F2') {
          event.preventDefault();
          setIsRenaming(true);
        }
      }}
    >
      <bdi>{shown}</bdi>
    </button>
  );
}

interface TitleFieldProps {
  readonly title: string;
  readonly onEnd: (end: EditEnd) => void;
}

function TitleField({ title, onEnd }: TitleFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const edit = useInlineEdit(onEnd);
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  return (
    <input
      ref={input}
      class="input session-rename"
      aria-label={strings.sessionTitle}
      defaultValue={title}
      {...edit}
    />
  );
}
