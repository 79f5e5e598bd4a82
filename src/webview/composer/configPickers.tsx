import type { AgentSummary } from '../../shared/protocol';
import { strings } from '../strings';
import type { ConfigOption } from '../../shared/transcript/model';
import { currentSessionId, useChat } from '../chatContext';
import { Icon } from '../controls/icon';
import { Picker } from '../controls/picker';

/** Mode, then model with what belongs to it, then the rest in the agent's own order. */
const ORDER = ['mode', 'model', 'model_config'];

export function inOrder(config: readonly ConfigOption[]): readonly ConfigOption[] {
  return config.toSorted((a, b) => rank(a) - rank(b));
}

/** What is in the row at every width, as long as there is room to tell one from the other. */
export function isMain({ category, id }: ConfigOption): boolean {
  return ['mode', 'model'].includes(category ?? id);
}

function rank({ category, id }: ConfigOption): number {
  const at = ORDER.indexOf(category ?? id);
  return at < 0 ? ORDER.length : at;
}

export function ConfigPicker({ option }: { readonly option: ConfigOption }) {
  const chat = useChat();
  const { id, input } = option;
  const set = (value: string | boolean) => {
    chat.post({ type: 'setConfig', sessionId: currentSessionId(chat), configId: id, value });
  };
  return input.type === 'boolean' ? (
    <button
      type="button"
      class="toggle-button"
      data-config-id={id}
      aria-pressed={input.value}
      title={option.description ?? option.name}
      onClick={() => set(!input.value)}
    >
      <Icon name={input.value ? 'pass' : 'circle-large-outline'} />
      <span class="picker-value">{option.name}</span>
    </button>
  ) : (
    <Picker
      label={option.name}
      tooltip={option.description ?? option.name}
      groups={input.groups}
      value={input.value}
      attributes={{ 'data-config-id': id }}
      onPick={set}
    />
  );
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
