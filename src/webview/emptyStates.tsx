import type { ComponentChildren } from 'preact';
import type { ChatState } from '../shared/protocol';
import { strings } from '../shared/strings';
import type { ActionCommand, Command } from '../shared/transcript/model';
import { runAction, useChat } from './chatContext';
import { Button } from './controls/button';
import { Icon } from './controls/icon';

interface CalmPageProps {
  readonly icon: string;
  readonly title: string;
  readonly text?: string;
  readonly children?: ComponentChildren;
}

function CalmPage({ icon, title, text, children }: CalmPageProps) {
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

export function NoAgents() {
  return (
    <CalmPage icon="hubot" title={strings.noAgentsTitle} text={strings.noAgentsText}>
      <div class="big-buttons">
        <BigButton
          icon="extensions"
          title={strings.installAgent}
          text={strings.installAgentText}
          command="installAgent"
        />
        <BigButton
          icon="settings-gear"
          title={strings.configureAgent}
          text={strings.configureAgentText}
          command="openSettings"
        />
      </div>
    </CalmPage>
  );
}

interface BigButtonProps {
  readonly icon: string;
  readonly title: string;
  readonly text: string;
  readonly command: ActionCommand;
}

function BigButton({ icon, title, text, command }: BigButtonProps) {
  const chat = useChat();
  return (
    <button type="button" class="big-button" onClick={() => runAction(chat, command)}>
      <Icon name={icon} />
      <span class="option-text">
        <span class="option-title">{title}</span>
        <span class="option-description">{text}</span>
      </span>
    </button>
  );
}

const SUGGESTIONS = 4;

interface WelcomeProps {
  readonly state: ChatState;
  readonly commands: readonly Command[];
}

/** A session in which nothing was said yet. */
export function Welcome({ state, commands }: WelcomeProps) {
  const chat = useChat();
  const agent = state.agents.find(({ id }) => id === (state.session?.agentId ?? state.agentId));
  const fill = (command: Command) => {
    chat.store.receive({ type: 'insertText', text: `/${command.name} ` });
  };
  return (
    <CalmPage
      icon="hubot"
      title={state.session?.agentName ?? agent?.name ?? strings.newSession}
      text={agent?.description}
    >
      {commands.length > 0 && (
        <div class="suggestions" role="group" aria-label={strings.commands}>
          {commands.slice(0, SUGGESTIONS).map((command) => (
            <button
              key={command.name}
              type="button"
              class="suggestion"
              title={command.description}
              onClick={() => fill(command)}
            >
              /{command.name}
            </button>
          ))}
        </div>
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
