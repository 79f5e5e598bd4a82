import { useEffect } from 'preact/hooks';
import { strings } from './strings';
import type { Transcript } from '../shared/transcript/model';
import { useChat } from './chatContext';
import { Icon } from './controls/icon';
import { RowChunk } from './rowChunk';
import { useChunks } from './useChunks';
import { useScrollPin } from './useScrollPin';

/** At the end, where rows change, the browser must know their real heights. */
const NEAR_CHUNKS = 2;

interface TranscriptViewProps {
  readonly sessionId: string;
  readonly transcript: Transcript;
}

export function TranscriptView({ sessionId, transcript }: TranscriptViewProps) {
  const { store } = useChat();
  const pin = useScrollPin(sessionId, transcript.entries);
  useEffect(() => store.onDidSend(pin.goToEnd), [store, pin.goToEnd]);
  const chunks = useChunks(transcript.entries);
  const last = transcript.entries.at(-1);
  const isRunning = transcript.turn.state === 'running';
  return (
    <div class="transcript-frame">
      <div
        class="transcript"
        data-testid="transcript"
        role="region"
        aria-label={strings.transcript}
        tabIndex={0}
        ref={pin.scroller}
      >
        <div class="rows" ref={pin.content}>
          {chunks.map((chunk, index) => (
            <RowChunk
              key={chunk.key}
              chunk={chunk}
              live={isRunning && index === chunks.length - 1 ? last : undefined}
              isFar={index < chunks.length - NEAR_CHUNKS}
            />
          ))}
        </div>
      </div>
      {pin.hasNews && (
        <button type="button" class="news-button" onClick={pin.goToEnd}>
          <Icon name="arrow-down" />
          {strings.newMessages}
        </button>
      )}
    </div>
  );
}
