import type { AgentSummary } from '../shared/protocol';
import { strings } from './strings';
import { runAction, useChat } from './chatContext';
import { Icon } from './controls/icon';
import { CalmPage, DEMO } from './emptyStates';

/** For whoever has set up no agent: those that are here already, more of them, or the demo. */
export function AgentOffer({ agents }: { readonly agents: readonly AgentSummary[] }) {
  const chat = useChat();
  return (
    <CalmPage icon="hubot" title={strings.noAgentsTitle} text={strings.noAgentsText}>
      <div class="big-buttons">
        {agents.map(({ id, name, description }) => (
          <BigButton
            key={id}
            icon="terminal"
            title={strings.useAgent(name)}
            text={strings.agentFound(description ?? id)}
            onClick={() => chat.post({ type: 'addAgent', agentId: id })}
          />
        ))}
        <BigButton
          icon="cloud-download"
          title={strings.installAgent}
          text={strings.installAgentText}
          onClick={() => runAction(chat, 'installAgent')}
        />
        <BigButton
          icon="beaker"
          title={strings.tryDemo}
          text={strings.tryDemoText}
          onClick={() => {
            chat.post({ type: 'selectAgent', agentId: DEMO });
            chat.store.receive({ type: 'focusComposer' });
          }}
        />
      </div>
      <button type="button" class="link-button" onClick={() => runAction(chat, 'openSettings')}>
        {strings.ownAgent}
      </button>
    </CalmPage>
  );
}

interface BigButtonProps {
  readonly icon: string;
  readonly title: string;
  readonly text: string;
  readonly onClick: () => void;
}

function BigButton({ icon, title, text, onClick }: BigButtonProps) {
  return (
    <button type="button" class="big-button" onClick={onClick}>
      <Icon name={icon} />
      <span class="option-text">
        <span class="option-title">{title}</span>
        <span class="option-description">{text}</span>
      </span>
    </button>
  );
}
