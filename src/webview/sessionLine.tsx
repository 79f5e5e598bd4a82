import type { ChatState } from '../shared/protocol';
import { strings } from './strings';
import { runAction, useChat } from './chatContext';
import { IconButton } from './controls/button';
import { Icon } from './controls/icon';
import { goToQuestion } from './goToQuestion';
import { SessionTitle } from './sessionTitle';
import { shortcut } from './shortcut';

interface SessionLineProps {
  readonly state: ChatState;
  readonly isWaiting: boolean;
  /** Undefined while there is nothing to find anything in. */
  readonly onFind: (() => void) | undefined;
}

export function SessionLine({ state, isWaiting, onFind }: SessionLineProps) {
  const { session } = state;
  if (session === undefined && state.progress === undefined) {
    return null;
  }
  return (
    <div class="session-line">
      <Icon name="hubot" />
      {session !== undefined && <SessionTitle key={session.sessionId} session={session} />}
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

function SessionStateWords({ state, isWaiting }: { readonly state: ChatState; readonly isWaiting: boolean }) {
  const chat = useChat();
  const { session } = state;
  if (state.progress !== undefined) {
    return <span class="session-state">{state.progress}</span>;
  }
  if (isWaiting) {
    return (
      <button
        type="button"
        class="session-state attention"
        title={strings.goToQuestion(shortcut('parley.goToQuestion'))}
        onClick={() => goToQuestion(chat.store)}
      >
        {strings.waitingForYou}
      </button>
    );
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
