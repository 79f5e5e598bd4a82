import { isOpenQuestion } from '../shared/transcript/select';
import { scrollToTop } from './find/reveal';
import type { Store } from './store';

/** The picture follows the host by a frame or two, and what is far up is drawn when there is time. */
const MAX_FRAMES = 60;

/** Brings the oldest question that waits for the user into sight, and the focus to where it is answered. */
export function goToQuestion(store: Store): void {
  let frames = 0;
  const go = () => {
    const id = store.view.transcript.entries.find(isOpenQuestion)?.id;
    const entry = entryElements().find((element) => element.dataset.entry === id);
    const target = entry === undefined ? null : answerIn(entry);
    frames += 1;
    if (entry !== undefined && target !== null) {
      target.focus({ preventScroll: true });
      bringToSight(entry);
    } else if (frames < MAX_FRAMES) {
      requestAnimationFrame(go);
    }
  };
  go();
}

function entryElements(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-testid="transcript"] [data-entry]')];
}

/** A permission takes number keys as a whole. */
function answerIn(entry: HTMLElement): HTMLElement | null {
  return (
    entry.querySelector<HTMLElement>('.permission-group') ??
    entry.querySelector<HTMLElement>('.permission :is(input, select, textarea, button)')
  );
}

function bringToSight(entry: HTMLElement): void {
  const scroller = entry.closest<HTMLElement>('[data-testid="transcript"]');
  if (scroller === null) {
    return;
  }
  const frame = scroller.getBoundingClientRect();
  const { top, bottom } = entry.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) {
    scrollToTop(scroller, entry);
  }
}
