import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Popup {
  readonly isOpen: boolean;
  /** Around the button and what it opens. */
  readonly root: RefObject<HTMLDivElement | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly toggle: () => void;
  /** Gives the focus back to the button. */
  readonly close: () => void;
  /** For the button: the arrows open what it stands for. */
  readonly openByArrow: (event: KeyboardEvent) => void;
}

/** A button that opens something, until the user picks from it or goes elsewhere. */
export function usePopup(): Popup {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) {
      return;
    }
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) {
        setIsOpen(false);
      }
    };
    document.addEventListener('pointerdown', closeOutside, true);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside, true);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);
  return {
    isOpen,
    root,
    button,
    toggle: () => setIsOpen(!isOpen),
    close: () => {
      setIsOpen(false);
      button.current?.focus();
    },
    openByArrow: (event) => {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        setIsOpen(true);
      }
    },
  };
}
