/**
 * Lets the browser leave out an element while it is far out of sight. What can be scrolled inside is first made
 * unscrollable, because the browser goes through all that is scrollable in each frame, drawn or not; and that must be
 * drawn once, because nothing inside changes any more while it is left out.
 */
export function setAside(element: Element): void {
  // The pages of component tests have none.
  if (!('IntersectionObserver' in window)) {
    element.classList.add('far');
    return;
  }
  // To measure it at once would lay out the page once more in the frame that is being made.
  const sight = new IntersectionObserver(([seen]) => {
    sight.disconnect();
    if (seen?.isIntersecting !== false) {
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
  });
  sight.observe(element);
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
