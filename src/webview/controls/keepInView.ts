const MARGIN_PX = 8;

/** Moves a popup sideways so that it stays inside a narrow view, and keeps it below the top. */
export function keepInView(popup: HTMLElement): void {
  // Where it stands by itself, not where it was moved to before, nor with a popup that it stands in.
  popup.style.setProperty('--shift', '0px');
  const { left, right, bottom } = popup.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  if (right > width - MARGIN_PX) {
    popup.style.setProperty('--shift', `${Math.max(width - MARGIN_PX - right, MARGIN_PX - left)}px`);
  }
  popup.style.setProperty('--room', `${Math.max(120, bottom - MARGIN_PX)}px`);
}

/**
 * Scrolls a list, and nothing but the list, until its active option is in sight. `scrollIntoView`
 * would move the frame as well: VS Code's own element around a webview can be scrolled by a few pixels.
 */
export function revealActive(list: HTMLElement | null): void {
  const option = list?.querySelector('[data-active]');
  if (list === null || option === null || option === undefined) {
    return;
  }
  const frame = list.getBoundingClientRect();
  const { top, bottom } = option.getBoundingClientRect();
  if (top < frame.top) {
    list.scrollTop -= frame.top - top;
  } else if (bottom > frame.bottom) {
    list.scrollTop += bottom - frame.bottom;
  }
}
