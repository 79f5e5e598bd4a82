const SCROLLERS = '.transcript, .box-scroll, .box-text, .command, .code-block pre';
const MARGIN_PX = 24;
/** What was out of sight has its real height only once it was drawn. */
const SETTLING_FRAMES = 3;

/** Brings a place of the transcript into sight, in every box that scrolls around it. */
export function reveal(range: Range): void {
  const start = range.startContainer;
  const element = start instanceof window.Element ? start : start.parentElement;
  let frames = 0;
  const scroll = () => {
    for (let box = element?.closest<HTMLElement>(SCROLLERS); box; box = outside(box)) {
      scrollBox(box, rectOf(range, element));
    }
    frames += 1;
    if (frames < SETTLING_FRAMES) {
      requestAnimationFrame(scroll);
    }
  };
  scroll();
}

/** Puts an entry at the top of the transcript. */
export function scrollToTop(scroller: HTMLElement, entry: HTMLElement): void {
  let frames = 0;
  const scroll = () => {
    const distance = entry.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTop += distance - MARGIN_PX / 2;
    frames += 1;
    if (frames < SETTLING_FRAMES) {
      requestAnimationFrame(scroll);
    }
  };
  scroll();
}

function outside(box: HTMLElement): HTMLElement | null | undefined {
  return box.parentElement?.closest<HTMLElement>(SCROLLERS);
}

function scrollBox(box: HTMLElement, place: DOMRect): void {
  const frame = box.getBoundingClientRect();
  const isInSight = place.top >= frame.top + MARGIN_PX && place.bottom <= frame.bottom - MARGIN_PX;
  if (box.scrollHeight > box.clientHeight && !isInSight) {
    box.scrollTop += place.top - frame.top - box.clientHeight / 3;
  }
  if (box.scrollWidth > box.clientWidth && (place.left < frame.left || place.right > frame.right)) {
    box.scrollLeft += place.left - frame.left - box.clientWidth / 3;
  }
}

export function rectOf(range: Range, element: Element | null): DOMRect {
  // The pages of component tests have no layout, and no such method.
  if ('getBoundingClientRect' in range) {
    return range.getBoundingClientRect();
  }
  return (element ?? document.body).getBoundingClientRect();
}
