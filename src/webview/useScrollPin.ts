import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pinnedAfterScroll, pinnedAfterWheel, type ScrollPosition } from './scrollIntent';

export interface ScrollPin {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly hasNews: boolean;
  readonly goToEnd: () => void;
}

/** Keeps the end in sight while the user wants it there. `version` changes with the content. */
export function useScrollPin(sessionId: string, version: unknown): ScrollPin {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isPinned = useRef(true);
  const lastTop = useRef(0);
  const [hasNews, setHasNews] = useState(false);

  const follow = useCallback(() => {
    const element = scroller.current;
    if (element !== null && isPinned.current) {
      element.scrollTop = element.scrollHeight;
      lastTop.current = element.scrollTop;
    }
  }, []);
  const goToEnd = useCallback(() => {
    isPinned.current = true;
    setHasNews(false);
    follow();
  }, [follow]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return;
    }
    const scrolled = () => {
      const now = positionOf(element);
      isPinned.current = pinnedAfterScroll(isPinned.current, lastTop.current, now);
      lastTop.current = now.top;
      if (isPinned.current) {
        setHasNews(false);
      }
    };
    const wheeled = (event: WheelEvent) => {
      // With Control it zooms.
      if (event.ctrlKey || isTakenInside(element, event)) {
        return;
      }
      isPinned.current = pinnedAfterWheel(isPinned.current, event.deltaY, positionOf(element));
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    element.addEventListener('wheel', wheeled, { passive: true });
    // Called between layout and paint: to follow as soon as the transcript changes would lay out the page once more.
    const sizes = new ResizeObserver(follow);
    sizes.observe(element);
    if (content.current !== null) {
      sizes.observe(content.current);
    }
    return () => {
      element.removeEventListener('scroll', scrolled);
      element.removeEventListener('wheel', wheeled);
      sizes.disconnect();
    };
  }, [follow]);

  useLayoutEffect(goToEnd, [sessionId, goToEnd]);
  useLayoutEffect(() => {
    if (!isPinned.current) {
      setHasNews(true);
    }
  }, [version]);
  return { scroller, content, hasNews, goToEnd };
}

/** Whether a box inside, such as a terminal, scrolls up instead of the transcript. */
function isTakenInside(scroller: HTMLElement, { target }: WheelEvent): boolean {
  let box = target instanceof window.Element ? target : null;
  while (box !== null && box !== scroller) {
    if (box.scrollTop > 0) {
      return true;
    }
    box = box.parentElement;
  }
  return false;
}

function positionOf(element: HTMLElement): ScrollPosition {
  return { top: element.scrollTop, height: element.scrollHeight, viewport: element.clientHeight };
}
