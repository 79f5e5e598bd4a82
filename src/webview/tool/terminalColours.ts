import type { AnserJsonEntry } from 'anser';

/** The basic colours are the theme's; a program that names others by number means just those. */
export function setColours(element: HTMLElement, part: AnserJsonEntry): void {
  const foreground = exactColour(part.fg, part.fg_truecolor);
  const background = exactColour(part.bg, part.bg_truecolor);
  if (foreground !== undefined) {
    element.style.color = foreground;
  }
  if (background !== undefined) {
    element.style.backgroundColor = background;
  }
}

function exactColour(name: string | null, trueColour: string | null): string | undefined {
  if (name === 'ansi-truecolor' && trueColour !== null && /^[\d, ]+$/.test(trueColour)) {
    return `rgb(${trueColour})`;
  }
  const index = /^ansi-palette-(\d{1,3})$/.exec(name ?? '')?.[1];
  return index === undefined ? undefined : paletteColour(Number(index));
}

const CUBE_START = 16;
const GREY_START = 232;

/** After 16 basic colours a cube of 6 × 6 × 6, then 24 greys, as xterm has them. */
function paletteColour(index: number): string {
  if (index >= GREY_START) {
    const grey = 8 + 10 * (index - GREY_START);
    return `rgb(${grey}, ${grey}, ${grey})`;
  }
  const place = index - CUBE_START;
  const levels = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6];
  return `rgb(${levels.map((level) => (level === 0 ? 0 : 55 + 40 * level)).join(', ')})`;
}
