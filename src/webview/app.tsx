import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../shared/protocol';
import { strings } from './strings';
import { isWaitingForUser } from '../shared/transcript/select';
import { AgentOffer } from './agentOffer';
import { Announcer } from './announcer';
import { ChatProvider, type Chat } from './chatContext';
import { Composer } from './composer/composer';
import { NoFolder, ReadOnlyBar, Skeleton, Untrusted, Welcome } from './emptyStates';
import { handleCodeActions } from './entries/codeActions';
import { FindBar } from './find/findBar';
import { useFind } from './find/useFind';
import { goToQuestion } from './goToQuestion';
import type { HostChannel } from './host';
import { WorkspaceImages } from './markdown/workspaceImages';
import { openLinks } from './openLinks';
import { SessionLine } from './sessionLine';
import { Store, type View } from './store';
import { ChangesBar } from './strip/changesBar';
import { PlanStrip } from './strip/planStrip';
import { QueuedPrompts } from './strip/queuedPrompts';
import { toggleToolCalls } from './toggleToolCalls';
import { TranscriptView } from './transcriptView';

export function App({ host }: { readonly host: HostChannel }) {
  const [chat] = useState(() => newChat(host));
  const [view, setView] = useState(chat.store.view);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const endView = chat.store.onDidChange(setView);
    const endMessages = host.subscribe((message) => {
      if (message.type === 'image') {
        chat.images.receive(message);
      } else if (message.type === 'goToQuestion') {
        goToQuestion(chat.store);
      } else if (message.type === 'toggleToolCalls') {
        toggleToolCalls();
      } else {
        chat.store.receive(message);
      }
    });
    host.post({ type: 'ready' });
    return () => {
      endMessages();
      endView();
    };
  }, [chat, host]);
  useEffect(() => {
    const tell = ({ type }: Event) => host.post({ type: 'focusChanged', hasFocus: type === 'focus' });
    window.addEventListener('focus', tell);
    window.addEventListener('blur', tell);
    host.post({ type: 'focusChanged', hasFocus: document.hasFocus() });
    return () => {
      window.removeEventListener('focus', tell);
      window.removeEventListener('blur', tell);
    };
  }, [host]);
  useEffect(() => (root.current === null ? undefined : openLinks(root.current, chat.post)), [chat]);
  useEffect(() => (root.current === null ? undefined : handleCodeActions(root.current, chat.post)), [chat]);

  const { state, transcript } = view;
  const isRunning = transcript.turn.state === 'running';
  const isWorking = isRunning && !isWaitingForUser(transcript);
  return (
    <ChatProvider value={chat}>
      <div
        ref={root}
        class="chat fades"
        data-testid="parley-chat"
        data-session-id={state?.session?.sessionId ?? ''}
        data-session-status={state?.session?.status ?? 'none'}
        data-turn={isRunning ? 'running' : 'idle'}
        data-place={state?.place}
      >
        {isWorking && <div class="progress" role="progressbar" aria-label={strings.working} />}
        {state !== undefined && <ChatBody state={state} view={view} />}
        <Announcer sessionId={view.sessionId} transcript={transcript} />
      </div>
    </ChatProvider>
  );
}

function newChat(host: HostChannel): Chat {
  const store = new Store(host);
  const post: Chat['post'] = (message) => host.post(message);
  const images = new WorkspaceImages(post, () => store.view.sessionId);
  return { store, post, images, expansion: new Map(), forms: new Map() };
}

function ChatBody({ state, view }: { readonly state: ChatState; readonly view: View }) {
  const { transcript, sessionId } = view;
  const { session } = state;
  const find = useFind(sessionId, transcript.entries.length > 0);
  if (session === undefined && state.obstacle !== undefined) {
    return state.obstacle === 'noFolder' ? <NoFolder /> : <Untrusted />;
  }
  return (
    <>
      <SessionLine
        state={state}
        isWaiting={isWaitingForUser(transcript)}
        onFind={transcript.entries.length > 0 ? find.open : undefined}
      />
      {find.request > 0 && <FindBar request={find.request} sessionId={sessionId} onClose={find.close} />}
      <Content state={state} view={view} />
      <div class="bottom">
        {session?.isReadOnly !== true && <PlanStrip transcript={transcript} />}
        <ChangesBar sessionId={sessionId} changes={state.changes} />
        <QueuedPrompts sessionId={sessionId} queue={state.queue} canSteer={session?.canSteer === true} />
        {session?.isReadOnly === true ? (
          <ReadOnlyBar />
        ) : (
          <Composer
            state={state}
            sessionId={sessionId}
            transcript={transcript}
            isFindOpen={find.request > 0}
          />
        )}
      </div>
    </>
  );
}

function Content({ state, view }: { readonly state: ChatState; readonly view: View }) {
  const { transcript, sessionId } = view;
  const isBehind = state.session !== undefined && state.session.sessionId !== sessionId;
  if (transcript.entries.length > 0 && !isBehind) {
    return <TranscriptView key={sessionId} sessionId={sessionId} transcript={transcript} />;
  }
  if (isBehind || (state.session !== undefined && state.progress !== undefined)) {
    return <Skeleton label={state.progress ?? strings.loading} />;
  }
  return (
    <div class="transcript-frame">
      <div
        class="transcript"
        data-testid="transcript"
        role="region"
        aria-label={strings.transcript}
        tabIndex={0}
      >
        {state.offer === undefined || state.progress !== undefined ? (
          <Welcome state={state} commands={transcript.commands} />
        ) : (
          <AgentOffer agents={state.offer} />
        )}
      </div>
    </div>
  );
}
