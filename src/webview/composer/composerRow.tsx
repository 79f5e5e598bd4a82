import type { ChatState } from '../../shared/protocol';
import { strings } from '../../shared/strings';
import type { Transcript } from '../../shared/transcript/model';
import { IconButton } from '../controls/button';
import { AgentPicker, ConfigPickers } from './configPickers';
import { UsageRing } from './usageRing';

interface ComposerRowProps {
  readonly state: ChatState;
  readonly transcript: Transcript;
  readonly hasText: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

export function ComposerRow({ state, transcript, hasText, onSend, onStop }: ComposerRowProps) {
  const isRunning = transcript.turn.state === 'running';
  const isCancelling = transcript.turn.state === 'running' && transcript.turn.isCancelling;
  const isEmpty = transcript.entries.length === 0 && !isRunning && state.progress === undefined;
  const canChooseAgent = isEmpty && state.agents.length > 0;
  const sessionAgent = state.session?.agentId;
  return (
    <div class="composer-row">
      <div class="composer-pickers">
        {canChooseAgent && <AgentPicker agents={state.agents} agentId={sessionAgent ?? state.agentId} />}
        <ConfigPickers config={transcript.config} />
      </div>
      <div class="composer-actions">
        {transcript.usage !== undefined && <UsageRing usage={transcript.usage} />}
        {isRunning && (
          <IconButton
            icon="debug-stop"
            label={strings.stop}
            tooltip={isCancelling ? strings.stopping : strings.stopTooltip}
            class="stop"
            onClick={onStop}
          />
        )}
        {(!isRunning || hasText) && (
          <IconButton
            icon="send"
            label={strings.send}
            tooltip={isRunning ? strings.queue : strings.sendTooltip}
            class="send"
            isDisabled={!hasText}
            onClick={onSend}
          />
        )}
      </div>
    </div>
  );
}
