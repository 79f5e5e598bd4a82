export interface ScrollPosition {
  readonly top: number;
  /** Of the content. */
  readonly height: number;
  /** Of the window onto it. */
  readonly viewport: number;
}

/** Zoom levels make positions fractional; a line's worth of slack is not felt. */
const END_PX = 4;

export function isAtEnd({ top, height, viewport }: ScrollPosition): boolean {
  return height - viewport - top <= END_PX;
}

/**
 * Whether the view follows new content after a scroll event. Growth never moves `top`, so a
 * smaller `top` away from the end is the user going up; only reaching the end pins again.
 */
export function pinnedAfterScroll(isPinned: boolean, before: number, now: ScrollPosition): boolean {
  if (isAtEnd(now)) {
    return true;
  }
  return now.top < before ? false : isPinned;
}

/** A wheel that turns up unpins before anything moves, or the next chunk would pull it back. */
export function pinnedAfterWheel(isPinned: boolean, deltaY: number, now: ScrollPosition): boolean {
  const canMove = now.height > now.viewport && now.top > 0;
  return deltaY < 0 && canMove ? false : isPinned;
}
