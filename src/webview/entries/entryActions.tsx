import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { strings } from '../strings';
import { IconButton } from '../controls/button';
import { TurnFacts } from './turnFactsLine';

/** Buttons that lie over the corner of an entry and appear with the pointer or the focus: nothing moves for them. */
export function EntryActions({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="entry-actions">
      <TurnFacts />
      {children}
    </div>
  );
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
