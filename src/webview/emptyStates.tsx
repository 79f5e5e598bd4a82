import type { ComponentChildren } from 'preact';
import type { ChatState } from '../shared/protocol';
import { strings } from './strings';
import type { Command } from '../shared/transcript/model';
import { runAction, useChat } from './chatContext';
import { Button } from './controls/button';
import { Icon } from './controls/icon';

interface CalmPageProps {
  readonly icon: string;
  readonly title: string;
  readonly text?: string;
  readonly children?: ComponentChildren;
}

export function CalmPage({ icon, title, text, children }: CalmPageProps) {
  return (
    <div class="calm-page">
      <span class="calm-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

export function NoFolder() {
  const chat = useChat();
  return (
    <CalmPage icon="folder-opened" title={strings.noFolderTitle} text={strings.noFolderText}>
      <Button onClick={() => runAction(chat, 'openFolder')}>{strings.openFolder}</Button>
    </CalmPage>
  );
}

export function Untrusted() {
  const chat = useChat();
  return (
    <CalmPage icon="workspace-untrusted" title={strings.untrustedTitle} text={strings.untrustedText}>
      <Button onClick={() => runAction(chat, 'trustWorkspace')}>{strings.trust}</Button>
    </CalmPage>
  );
}

const SUGGESTIONS = 4;
export const DEMO = 'demo';

interface WelcomeProps {
  readonly state: ChatState;
  readonly commands: readonly Command[];
}

/** A session in which nothing was said yet. */
export function Welcome({ state, commands }: WelcomeProps) {
  const chat = useChat();
  const agent = state.agents.find(({ id }) => id === (state.session?.agentId ?? state.agentId));
  const isDemo = agent?.id === DEMO;
  const suggested = commands.length === 0 && isDemo ? strings.demoCommands : commands;
  return (
    <CalmPage
      icon="hubot"
      title={state.session?.agentName ?? agent?.name ?? strings.newSession}
      // Of the others it is their command, which is nothing to greet anybody with.
      text={isDemo ? agent.description : undefined}
    >
      {suggested.length > 0 && <Suggestions commands={suggested.slice(0, SUGGESTIONS)} />}
      {isDemo && state.agents.length === 1 && (
        <button type="button" class="link-button" onClick={() => runAction(chat, 'openSettings')}>
          {strings.ownAgent}
        </button>
      )}
      {state.recent.length > 0 && (
        <div class="recent">
          <h3 id="recent-sessions">{strings.recentSessions}</h3>
          <ul aria-labelledby="recent-sessions">
            {state.recent.map((session) => (
              <li key={session.sessionId}>
                <button
                  type="button"
                  class="recent-session"
                  onClick={() => chat.post({ type: 'openSession', sessionId: session.sessionId })}
                >
                  <span class="recent-title">
                    <bdi>{session.title === '' ? strings.newSession : session.title}</bdi>
                  </span>
                  <span class="recent-detail">
                    {strings.recentDetail(session.agentName, Date.now() - session.lastActiveAt)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </CalmPage>
  );
}

/** A click writes the command; sending it stays the user's. */
function Suggestions({ commands }: { readonly commands: readonly Command[] }) {
  const { store } = useChat();
  return (
    <div class="suggestions" role="group" aria-label={strings.commands}>
      {commands.map(({ name, description }) => (
        <button
          key={name}
          type="button"
          class="suggestion"
          title={description}
          onClick={() => store.receive({ type: 'insertText', text: `/${name} ` })}
        >
          <span class="suggestion-name">/{name}</span>
          <span class="suggestion-text">{description}</span>
        </button>
      ))}
    </div>
  );
}

/** The shape of what is about to come, without pretending that anything moves. */
export function Skeleton({ label }: { readonly label: string }) {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {['request', 'line', 'line', 'short', 'request', 'line', 'short'].map((shape, index) => (
        <div key={index} class={`skeleton-${shape}`} />
      ))}
    </div>
  );
}

export function ReadOnlyBar() {
  const chat = useChat();
  return (
    <div class="read-only-bar">
      <Icon name="lock" />
      <span>{strings.readOnly}</span>
      <Button onClick={() => runAction(chat, 'continueInNewSession')}>{strings.continueInNew}</Button>
    </div>
  );
}
