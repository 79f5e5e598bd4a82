const MARGIN_PX = 8;

/** Moves a popup sideways so that it stays inside a narrow view, and keeps it below the top. */
export function keepInView(popup: HTMLElement): void {
  const { left, right, bottom } = popup.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  if (right > width - MARGIN_PX) {
    popup.style.setProperty('--shift', `${Math.max(width - MARGIN_PX - right, MARGIN_PX - left)}px`);
  }
  popup.style.setProperty('--room', `${Math.max(120, bottom - MARGIN_PX)}px`);
}
