import Anser from 'anser';
import { setColours } from './terminalColours';

const SHOWN_LINES = 2_000;
/** Control sequences that move the cursor or set titles; only colours (`m`) mean something here. */
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const NOT_COLOUR = /\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-9;?]*[A-LN-Za-ln-z]|[()][0-9A-B]|[=>78])/g;
// eslint-disable-next-line no-control-regex -- see above
const COLOUR = /\x1b\[([0-9;]*)m/g;
/** An unreset colour carries on; no program nests more of them than this. */
const CARRIED = 8;

/** Draws terminal output that grows: lines that are complete are never drawn again. */
export class TerminalRenderer {
  private drawn = 0;
  private line = '';
  private lineElement: HTMLElement | undefined;
  /** Colour sequences that are in force where the current line starts. */
  private carried = '';
  /** The beginning is not shown any more. */
  isCut = false;

  constructor(private readonly container: HTMLElement) {}

  update(output: string): void {
    if (output.length < this.drawn) {
      this.reset();
    }
    const added = output.slice(this.drawn);
    this.drawn = output.length;
    if (added === '') {
      return;
    }
    const lines = (this.line + added).split('\n');
    lines.forEach((line, index) => {
      const isLast = index === lines.length - 1;
      this.draw(line);
      if (!isLast) {
        this.carried = carriedColours(this.carried + line);
        this.lineElement = undefined;
      }
    });
    this.line = lines.at(-1) ?? '';
    while (this.container.childElementCount > SHOWN_LINES) {
      this.isCut = true;
      this.container.firstElementChild?.remove();
    }
  }

  private reset(): void {
    this.container.replaceChildren();
    this.drawn = 0;
    this.line = '';
    this.carried = '';
    this.lineElement = undefined;
    this.isCut = false;
  }

  private draw(line: string): void {
    if (this.lineElement === undefined) {
      this.lineElement = document.createElement('div');
      this.lineElement.className = 'terminal-line';
      this.container.append(this.lineElement);
    }
    const parts = Anser.ansiToJson(this.carried + overwritten(line).replace(NOT_COLOUR, ''), {
      use_classes: true,
      remove_empty: true,
    });
    this.lineElement.replaceChildren(...parts.map(spanOf));
  }
}

/** Progress bars return to the start of their line; what was written last is what is seen. */
function overwritten(line: string): string {
  const trimmed = line.replace(/\r+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('\r') + 1);
}

/** Output as it reads. */
export function withoutControls(output: string): string {
  return output.replace(NOT_COLOUR, '').replace(COLOUR, '');
}

function carriedColours(text: string): string {
  const codes = [...text.matchAll(COLOUR)];
  const reset = codes.findLastIndex((code) => /^0*$/.test(code[1] ?? ''));
  return codes
    .slice(reset + 1)
    .slice(-CARRIED)
    .map((code) => code[0])
    .join('');
}

function spanOf(part: Anser.AnserJsonEntry): Node {
  const classes = [
    ...(part.fg ? [part.fg] : []),
    ...(part.bg ? [`${part.bg}-background`] : []),
    ...part.decorations.map((decoration) => `ansi-${decoration}`),
  ].filter((name) => /^ansi-[a-z-]+$/.test(name));
  if (!part.fg && !part.bg && classes.length === 0) {
    return document.createTextNode(part.content);
  }
  const span = document.createElement('span');
  span.className = classes.join(' ');
  setColours(span, part);
  span.textContent = part.content;
  return span;
}
