import { useEffect, useRef, useState } from 'preact/hooks';
import { strings } from '../strings';
import { currentSessionId, useChat } from '../chatContext';
import { IconButton } from '../controls/button';

/** Whether the files of that time are known is found out when somebody looks, as rows are many and keep still. */
export function RestoreButton({ turnId }: { readonly turnId: number }) {
  const chat = useChat();
  const { store } = chat;
  const root = useRef<HTMLSpanElement>(null);
  const isKnown = () => store.view.state?.checkpoints.includes(turnId) === true;
  const [isOffered, setIsOffered] = useState(isKnown);
  useEffect(() => {
    const row = root.current?.closest('[data-entry]');
    const look = () => setIsOffered(isKnown());
    row?.addEventListener('pointerenter', look);
    row?.addEventListener('focusin', look);
    return () => {
      row?.removeEventListener('pointerenter', look);
      row?.removeEventListener('focusin', look);
    };
  }, [store, turnId]);
  const restore = () => chat.post({ type: 'restoreCheckpoint', sessionId: currentSessionId(chat), turnId });
  return (
    <span ref={root} class="restore-button">
      {isOffered && <IconButton icon="discard" label={strings.restoreFiles} onClick={restore} />}
    </span>
  );
}
