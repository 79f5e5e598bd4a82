import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scrollToTop } from './reveal';

export interface Find {
  /** Zero while it is closed; another number for every time it is asked for. */
  readonly request: number;
  readonly open: () => void;
  readonly close: () => void;
}

/** The keys of the transcript: find, and from prompt to prompt. They work wherever in the chat the focus is. */
export function useFind(sessionId: string, hasTranscript: boolean): Find {
  const [request, setRequest] = useState(0);
  const count = useRef(0);
  const before = useRef<Element | null>(null);
  const open = useCallback(() => {
    const { activeElement } = document;
    if (activeElement?.closest('.find-bar') === null) {
      before.current = activeElement;
    }
    count.current += 1;
    setRequest(count.current);
  }, []);
  const close = useCallback(() => {
    const isInBar = document.querySelector('.find-bar')?.contains(document.activeElement) === true;
    setRequest(0);
    if (isInBar && before.current instanceof HTMLElement && before.current.isConnected) {
      before.current.focus({ preventScroll: true });
    }
  }, []);
  // It was asked for in that conversation: in the next one it would take the focus by itself.
  useLayoutEffect(() => setRequest(0), [sessionId, hasTranscript]);
  useEffect(() => {
    if (request === 0) {
      return;
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) {
        event.preventDefault();
        close();
      }
    };
    document.addEventListener('keydown', closeByKey);
    return () => document.removeEventListener('keydown', closeByKey);
  }, [request, close]);
  useEffect(() => {
    if (!hasTranscript) {
      return;
    }
    const press = (event: KeyboardEvent) => {
      if (isFindKey(event)) {
        open();
      } else if (!isPromptKey(event) || !goToPrompt(event.key === 'ArrowUp' ? -1 : 1)) {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the composer sees it, which has a use for plain arrows.
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, [hasTranscript, open]);
  return { request: hasTranscript ? request : 0, open, close };
}

function isFindKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'f' && ctrlKey !== metaKey && !altKey && !shiftKey;
}

function isPromptKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (key === 'ArrowUp' || key === 'ArrowDown') && altKey && !ctrlKey && !metaKey && !shiftKey;
}

/** False when there is no further prompt in that direction. */
function goToPrompt(step: 1 | -1): boolean {
  const scroller = document.querySelector<HTMLElement>('[data-testid="transcript"]');
  const prompts = [...document.querySelectorAll<HTMLElement>('[data-entry][data-kind="user"]')];
  const focused = prompts.findIndex((prompt) => prompt.contains(document.activeElement));
  const target = focused < 0 ? nearest(scroller, prompts, step) : prompts[focused + step];
  if (scroller === null || target === undefined) {
    return false;
  }
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
  scrollToTop(scroller, target);
  return true;
}

function nearest(
  scroller: HTMLElement | null,
  prompts: readonly HTMLElement[],
  step: 1 | -1,
): HTMLElement | undefined {
  const { top, bottom } = (scroller ?? document.body).getBoundingClientRect();
  const topOf = (prompt: HTMLElement) => prompt.getBoundingClientRect().top;
  return step < 0
    ? prompts.findLast((prompt) => topOf(prompt) < bottom)
    : prompts.find((prompt) => topOf(prompt) > top);
}
