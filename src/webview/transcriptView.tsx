import { useEffect } from 'preact/hooks';
import { strings } from '../shared/strings';
import type { Transcript } from '../shared/transcript/model';
import { useChat } from './chatContext';
import { Icon } from './controls/icon';
import { EntryRow } from './entries/entryRow';
import { ToolGroup } from './entries/toolGroup';
import { rowsOf } from './transcriptRows';
import { useScrollPin } from './useScrollPin';

interface TranscriptViewProps {
  readonly sessionId: string;
  readonly transcript: Transcript;
}

export function TranscriptView({ sessionId, transcript }: TranscriptViewProps) {
  const { store } = useChat();
  const pin = useScrollPin(sessionId, transcript.entries);
  useEffect(() => store.onDidSend(pin.goToEnd), [store, pin.goToEnd]);
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
          {rowsOf(transcript.entries).map((row) =>
            row.kind === 'group' ? (
              <ToolGroup key={`group ${row.id}`} id={row.id} tools={row.tools} />
            ) : (
              <EntryRow
                key={`${row.entry.kind} ${row.entry.id}`}
                entry={row.entry}
                isLive={isRunning && row.entry === last}
              />
            ),
          )}
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
