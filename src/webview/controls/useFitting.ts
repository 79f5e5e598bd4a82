import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** What leads to the rest takes the place of an icon button. */
const MORE_PX = 28;
/** A main item that is the last one may be cut off down to this before it gives way. */
const MAIN_MIN_PX = 64;

/**
 * How many children of a row fit into it, counted from the first; undefined while they are measured, when all have
 * to be in the row in their full width. `shown` changes with them. The first `main` of them may be cut off. What leads
 * to the rest is the last child, and `isHeld` while it is open: nothing may move out of it then.
 */
export function useFitting(
  row: RefObject<HTMLElement | null>,
  shown: readonly unknown[],
  main: number,
  isHeld: boolean,
): number | undefined {
  const [fitting, setFitting] = useState<number>();
  useLayoutEffect(() => {
    if (!isHeld) {
      setFitting(undefined);
    }
  }, [isHeld, ...shown]);
  useLayoutEffect(() => {
    if (fitting === undefined && row.current !== null) {
      const { widths, room } = measure(row.current);
      setFitting(countFitting(widths, room, main));
    }
  }, [fitting, ...shown]);
  useEffect(() => {
    if (row.current === null) {
      return;
    }
    let width = row.current.clientWidth;
    const sizes = new ResizeObserver(() => {
      const now = row.current?.clientWidth ?? width;
      if (now !== width) {
        width = now;
        setFitting(undefined);
      }
    });
    sizes.observe(row.current);
    return () => sizes.disconnect();
  }, []);
  return fitting;
}

export function countFitting(widths: readonly number[], room: number, main: number): number {
  if (widths.reduce((sum, width) => sum + width, 0) <= room) {
    return widths.length;
  }
  let taken = MORE_PX;
  const firstOut = widths.findIndex((width, index) => {
    const least = index < main ? Math.min(width, MAIN_MIN_PX) : width;
    const isOut = taken + least > room;
    taken += width;
    return isOut;
  });
  return firstOut < 0 ? widths.length : firstOut;
}

/** Each with the gap behind it, so that the row has room for one gap more. */
function measure(row: HTMLElement): { readonly widths: readonly number[]; readonly room: number } {
  const gap = Number.parseFloat(getComputedStyle(row).columnGap) || 0;
  return {
    widths: [...row.children].slice(0, -1).map((child) => child.getBoundingClientRect().width + gap),
    room: row.clientWidth + gap,
  };
}
