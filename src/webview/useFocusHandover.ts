import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The focus of a question that was answered goes to the next one, else to the line of its entry; never to nowhere. */
export function useFocusHandover(card: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = card.current;
    const row = element?.closest<HTMLElement>('[data-entry]');
    return () => {
      if (row === null || row === undefined || element?.contains(document.activeElement) !== true) {
        return;
      }
      requestAnimationFrame(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body;
        if (isLost && row.isConnected) {
          nextAfter(row)?.focus({ preventScroll: true });
        }
      });
    };
  }, []);
}

function nextAfter(row: HTMLElement): HTMLElement | null {
  return (
    document.querySelector<HTMLElement>('[data-question="open"]') ??
    row.querySelector<HTMLElement>(':scope > button, :scope > [data-question]')
  );
}
