/**
 * Lets the browser leave out an element while it is far out of sight. What can be scrolled inside is first made
 * unscrollable, because the browser goes through all that is scrollable in each frame, drawn or not; and that must be
 * drawn once, because nothing inside changes any more while it is left out.
 */
export function setAside(element: Element): void {
  if (isInSight(element)) {
    element.classList.add('far');
    return;
  }
  element.classList.add('still');
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      element.addEventListener('contentvisibilityautostatechange', comeBack);
      element.classList.add('far');
    }),
  );
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= window.innerHeight;
}

function comeBack(event: Event): void {
  const { target, currentTarget } = event;
  if (!(currentTarget instanceof Element) || target !== currentTarget) {
    return;
  }
  if ('skipped' in event && event.skipped === false) {
    currentTarget.classList.remove('still');
    currentTarget.removeEventListener('contentvisibilityautostatechange', comeBack);
  }
}
