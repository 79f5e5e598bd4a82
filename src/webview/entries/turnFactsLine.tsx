import { useEffect, useRef, useState } from 'preact/hooks';
import { useChat } from '../chatContext';
import { turnFactsOf } from './turnFacts';

/** Found out when somebody looks, so that it costs nothing while turns run. Lies over its row: nothing moves for it. */
export function TurnFacts() {
  const { store } = useChat();
  const place = useRef<HTMLSpanElement>(null);
  const [facts, setFacts] = useState<string>();
  useEffect(() => {
    const row = place.current?.closest<HTMLElement>('[data-entry]');
    if (row === null || row === undefined) {
      return;
    }
    const look = () => setFacts(turnFactsOf(store.view.transcript, row.dataset.entry ?? ''));
    row.addEventListener('pointerenter', look);
    row.addEventListener('focusin', look);
    return () => {
      row.removeEventListener('pointerenter', look);
      row.removeEventListener('focusin', look);
    };
  }, [store]);
  return (
    <span ref={place} class="turn-facts">
      {facts}
    </span>
  );
}
