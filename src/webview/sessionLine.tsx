import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ChatState, SessionSummary } from '../shared/protocol';
import { strings } from '../shared/strings';
import { runAction, useChat } from './chatContext';
import { IconButton } from './controls/button';
import { Icon } from './controls/icon';

interface SessionLineProps {
  readonly state: ChatState;
  readonly title: string | undefined;
  readonly isWaiting: boolean;
  /** Undefined while there is nothing to find anything in. */
  readonly onFind: (() => void) | undefined;
}

export function SessionLine({ state, title, isWaiting, onFind }: SessionLineProps) {
  const { session } = state;
  if (session === undefined && state.progress === undefined) {
    return null;
  }
  return (
    <div class="session-line">
      <Icon name="hubot" />
      {session !== undefined && <SessionTitle session={session} title={title ?? session.title} />}
      <SessionStateWords state={state} isWaiting={isWaiting} />
      {onFind !== undefined && (
        <IconButton
          class="session-find"
          icon="search"
          label={strings.findOpen}
          tooltip={strings.findTooltip(/mac/i.test(navigator.platform))}
          onClick={onFind}
        />
      )}
    </div>
  );
}

function SessionTitle({ session, title }: { readonly session: SessionSummary; readonly title: string }) {
  const chat = useChat();
  const [isRenaming, setIsRenaming] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.select();
  }, [isRenaming]);
  const shown = title === '' ? strings.newSession : title;
  if (!isRenaming) {
    return (
      <button
        type="button"
        class="session-title"
        title={strings.renameHint(shown, session.agentName)}
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
  const finish = (name: string) => {
    setIsRenaming(false);
    if (name.trim() !== '' && name.trim() !== title) {
      chat.post({ type: 'renameSession', sessionId: session.sessionId, title: name.trim() });
    }
  };
  return (
    <input
      ref={input}
      class="input session-rename"
      aria-label={strings.sessionTitle}
      defaultValue={title}
      onBlur={(event) => finish(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.isComposing) {
          finish(event.currentTarget.value);
        } else if (event.key === 'Escape') {
          event.stopPropagation();
          setIsRenaming(false);
        }
      }}
    />
  );
}

function SessionStateWords({ state, isWaiting }: { readonly state: ChatState; readonly isWaiting: boolean }) {
  const chat = useChat();
  const { session } = state;
  if (state.progress !== undefined) {
    return <span class="session-state">{state.progress}</span>;
  }
  if (isWaiting) {
    return <span class="session-state attention">{strings.waitingForYou}</span>;
  }
  if (
    session === undefined ||
    session.isReadOnly ||
    session.status === 'active' ||
    session.status === 'idle'
  ) {
    return null;
  }
  return (
    <span class="session-state" title={session.statusReason}>
      {strings.sessionStatus[session.status]}
      <span aria-hidden="true"> · </span>
      <button type="button" class="link-button" onClick={() => runAction(chat, 'reconnect')}>
        {strings.reconnect}
      </button>
    </span>
  );
}
