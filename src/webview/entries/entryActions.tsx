import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { strings } from '../../shared/strings';
import { useChat } from '../chatContext';
import { IconButton } from '../controls/button';
import { turnFactsOf } from './turnFacts';

/** Buttons that lie over the corner of an entry and appear with the pointer or the focus: nothing moves for them. */
export function EntryActions({ children }: { readonly children: ComponentChildren }) {
  const root = useRef<HTMLDivElement>(null);
  return (
    <div class="entry-actions" ref={root}>
      <TurnFacts actions={root} />
      {children}
    </div>
  );
}

/** Found out when somebody looks, so that it costs nothing while turns run. */
function TurnFacts({ actions }: { readonly actions: RefObject<HTMLDivElement | null> }) {
  const { store } = useChat();
  const [facts, setFacts] = useState<string>();
  useEffect(() => {
    const row = actions.current?.closest<HTMLElement>('[data-entry]');
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
  return facts === undefined ? null : <span class="turn-facts">{facts}</span>;
}

const COPIED_MS = 1500;

export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) {
      return;
    }
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    // A refused clipboard leaves the button as it is; there is nothing else to do about it.
    void navigator.clipboard.writeText(text()).then(
      () => setIsCopied(true),
      () => undefined,
    );
  };
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      label={label}
      tooltip={isCopied ? strings.copied : label}
      onClick={copy}
    />
  );
}
