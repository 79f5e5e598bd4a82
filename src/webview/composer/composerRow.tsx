import { useRef } from 'preact/hooks';
import type { ChatState } from '../../shared/protocol';
import { strings } from '../strings';
import type { Transcript } from '../../shared/transcript/model';
import { IconButton } from '../controls/button';
import { useFitting } from '../controls/useFitting';
import { usePopup } from '../controls/usePopup';
import { shortcut } from '../shortcut';
import { AgentPicker, ConfigPicker, inOrder, isMain } from './configPickers';
import { contextWords } from './contextWords';
import { MoreOptions } from './moreOptions';
import { UsageRing } from './usageRing';

interface ComposerRowProps {
  readonly state: ChatState;
  readonly transcript: Transcript;
  /** There is something to send. */
  readonly canSend: boolean;
  readonly onAttach: () => void;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

export function ComposerRow({ state, transcript, canSend, onAttach, onSend, onStop }: ComposerRowProps) {
  const isRunning = transcript.turn.state === 'running';
  const isCancelling = transcript.turn.state === 'running' && transcript.turn.isCancelling;
  // Then Send takes the meter's place: Stop must not move, nor the pickers wrap, at the first letter typed.
  const isQueuing = isRunning && canSend;
  // A start that failed leaves a notice but no session: another agent may be what helps. A tab keeps its session.
  const isFresh = state.session === undefined || (state.place === 'view' && transcript.entries.length === 0);
  const canChooseAgent = isFresh && !isRunning && state.progress === undefined && state.agents.length > 0;
  const sessionAgent = state.session?.agentId;
  const config = inOrder(transcript.config);
  const row = useRef<HTMLDivElement>(null);
  const menu = usePopup();
  const before = canChooseAgent ? 2 : 1;
  const fitting = useFitting(
    row,
    [transcript.config, canChooseAgent, state.agentId, state.agents.length],
    before + config.filter(isMain).length,
    menu.isOpen,
  );
  const inRow = fitting === undefined ? config : config.slice(0, Math.max(0, fitting - before));
  return (
    <div class="composer-row">
      <div ref={row} class={`composer-pickers${fitting === undefined ? ' measuring' : ''}`}>
        <IconButton icon="attach" label={contextWords.attachFiles} onClick={onAttach} />
        {canChooseAgent && <AgentPicker agents={state.agents} agentId={sessionAgent ?? state.agentId} />}
        {inRow.map((option) => (
          <ConfigPicker key={option.id} option={option} />
        ))}
        {/* Always there, so that it keeps the focus while the row is measured. */}
        <MoreOptions
          menu={menu}
          options={config.slice(inRow.length)}
          isHidden={fitting !== undefined && inRow.length === config.length}
        />
      </div>
      <div class="composer-actions">
        {transcript.usage !== undefined && !isQueuing && <UsageRing usage={transcript.usage} />}
        {(!isRunning || isQueuing) && (
          <IconButton
            icon="send"
            label={strings.send}
            tooltip={isRunning ? strings.queue : strings.sendTooltip}
            class="send"
            isDisabled={!canSend}
            onClick={onSend}
          />
        )}
        {isRunning && (
          <IconButton
            icon="debug-stop"
            label={strings.stop}
            tooltip={isCancelling ? strings.stopping : strings.stopTooltip(shortcut('parley.stopTurn'))}
            class="stop"
            onClick={onStop}
          />
        )}
      </div>
    </div>
  );
}
