import type { AgentSummary } from '../../shared/protocol';
import { strings } from '../../shared/strings';
import type { ConfigOption } from '../../shared/transcript/model';
import { currentSessionId, useChat } from '../chatContext';
import { Icon } from '../controls/icon';
import { Picker } from '../controls/picker';

/** Mode, then model, then the rest in the agent's own order. */
const FIRST = ['mode', 'model'];

export function ConfigPickers({ config }: { readonly config: readonly ConfigOption[] }) {
  const chat = useChat();
  const set = (configId: string, value: string | boolean) => {
    chat.post({ type: 'setConfig', sessionId: currentSessionId(chat), configId, value });
  };
  return (
    <>
      {config
        .toSorted((a, b) => rank(a) - rank(b))
        .map((option) => {
          const { id, input } = option;
          return input.type === 'boolean' ? (
            <button
              key={id}
              type="button"
              class="toggle-button"
              data-config-id={id}
              aria-pressed={input.value}
              title={option.description ?? option.name}
              onClick={() => set(id, !input.value)}
            >
              <Icon name={input.value ? 'pass' : 'circle-large-outline'} />
              <span class="picker-value">{option.name}</span>
            </button>
          ) : (
            <Picker
              key={id}
              label={option.name}
              tooltip={option.description ?? option.name}
              groups={input.groups}
              value={input.value}
              attributes={{ 'data-config-id': id }}
              onPick={(value) => set(id, value)}
            />
          );
        })}
    </>
  );
}

function rank(option: ConfigOption): number {
  const at = FIRST.indexOf(option.category ?? option.id);
  return at < 0 ? FIRST.length : at;
}

interface AgentPickerProps {
  readonly agents: readonly AgentSummary[];
  readonly agentId: string | undefined;
}

export function AgentPicker({ agents, agentId }: AgentPickerProps) {
  const chat = useChat();
  const values = agents.map((agent) => ({
    value: agent.id,
    title: agent.name,
    description: agent.description,
  }));
  return (
    <Picker
      label={strings.agent}
      icon="hubot"
      groups={[{ name: undefined, values }]}
      value={agentId}
      attributes={{ 'data-testid': 'agent-picker' }}
      onPick={(id) => chat.post({ type: 'selectAgent', agentId: id })}
    />
  );
}
