import { GrowingCode, keepWrapped } from './codeBlock';
import { FrameBudget } from './frameBudget';
import { openFenceOf, type OpenFence } from './openFence';
import { definitionsAfter, renderBlock, type LinkDefinitions } from './renderBlock';
import { setAside } from '../setAside';
import { countSettled, splitBlocks } from './splitBlocks';
import type { LoadImage } from './workspaceImages';

/** From here on a tail without a settled block is lexed in steps that grow with it: linear in sum. */
const LONG_TAIL_CHARS = 8_192;
const GROWTH = 1.25;
const IDLE_MS = 300;
/** Enough of what was consumed to notice text that is not an append. */
const CHECK_CHARS = 64;
/** What is lexed of a flood at a time. All of it is drawn before more is lexed. */
const PORTION_CHARS = 16_384;

/** Blocks are laid out in runs, so that one more block costs the same after many as after few. */
const RUN_BLOCKS = 24;
/** Runs at the end are in sight or about to change; the browser may leave out all before them. */
const NEAR_RUNS = 2;

interface Block {
  /** Its text without the blank lines at its end, which come late and change nothing, and the links known to it. */
  readonly key: string;
  readonly element: HTMLElement;
  readonly linksAfter: LinkDefinitions;
}

/**
 * Shows Markdown that grows. Settled blocks keep their DOM nodes for good; only the tail is lexed
 * again, and the code of an open fence is appended as text. Call `finish` when the text is whole.
 */
export class StreamingMarkdown {
  private source = '';
  private consumed = 0;
  private lastSeen = '';
  /** Text after the settled blocks. */
  private tail = '';
  private lexedLength = 0;
  /** The blocks of `tail`. */
  private texts: readonly string[] = [];
  /** What shows them, in this order. From `next` on it may still show what stood there before. */
  private blocks: Block[] = [];
  /** The first of `texts` that is still to be drawn. */
  private next = 0;
  /** The links that the settled blocks define. */
  private links: LinkDefinitions = {};
  private fence: GrowingFence | undefined;
  private pending: HTMLElement | undefined;
  private timer: number | undefined;
  /** How many runs there were before the update at hand. */
  private drawnRuns = 0;
  /** Asked for while there is more text than one frame may draw. */
  private frame: number | undefined;
  private isWhole = false;

  constructor(
    private readonly container: HTMLElement,
    private readonly loadImage: LoadImage,
  ) {}

  update(source: string): void {
    this.take(source);
    this.draw();
  }

  /** As much as fits into a frame now, the rest in the next ones. */
  updateGradually(source: string): void {
    this.take(source);
    if (this.frame === undefined) {
      this.drawForOneFrame();
    }
  }

  /** Shows everything as it will stay, whatever was put off. */
  finish(): void {
    if (this.frame !== undefined) {
      this.isWhole = true;
      return;
    }
    this.drawPending();
    this.fence?.code.highlight();
    // Should text come after all, the fence is built anew: colouring has replaced its text nodes.
    this.fence = undefined;
  }

  dispose(): void {
    window.clearTimeout(this.timer);
    this.stopFrames();
  }

  private take(source: string): void {
    const seenAt = this.consumed - this.lastSeen.length;
    if (source.length < this.consumed || !source.startsWith(this.lastSeen, seenAt)) {
      this.reset();
    }
    this.source = source;
    this.isWhole = false;
  }

  private drawForOneFrame(): void {
    this.frame = undefined;
    if (!this.draw(new FrameBudget())) {
      this.container.ariaBusy = 'true';
      this.frame = requestAnimationFrame(() => this.drawForOneFrame());
      return;
    }
    this.container.ariaBusy = null;
    if (this.isWhole) {
      this.finish();
    }
  }

  /** Until all is drawn or the budget is used up. Returns whether all is drawn. */
  private draw(budget?: FrameBudget): boolean {
    this.drawnRuns = this.container.childElementCount;
    do {
      if (this.next < this.texts.length) {
        this.drawBlock();
      } else if (!this.takePortion()) {
        return true;
      }
    } while (budget?.isLeft !== false);
    return false;
  }

  /** False when there is no more. */
  private takePortion(): boolean {
    const { source, consumed } = this;
    const last = Math.min(source.length, consumed + PORTION_CHARS);
    // A `\r` at the very end may be half of a line break.
    const end = source.charAt(last - 1) === '\r' ? last - 1 : last;
    if (end <= consumed) {
      return false;
    }
    this.consumed = end;
    this.lastSeen = source.slice(Math.max(0, end - CHECK_CHARS), end);
    this.append(source.slice(consumed, end).replace(/\r\n?/g, '\n'));
    return true;
  }

  private stopFrames(): void {
    if (this.frame !== undefined) {
      cancelAnimationFrame(this.frame);
      this.frame = undefined;
      this.container.ariaBusy = null;
    }
  }

  private reset(): void {
    this.stopFrames();
    this.container.replaceChildren();
    this.consumed = 0;
    this.lastSeen = '';
    this.tail = '';
    this.lexedLength = 0;
    this.texts = [];
    this.blocks = [];
    this.next = 0;
    this.fence = undefined;
    this.pending = undefined;
    this.links = {};
  }

  private append(added: string): void {
    this.tail += added;
    if (this.fence !== undefined) {
      if (this.fence.append(added)) {
        return;
      }
      this.fence = undefined;
    }
    if (this.tail.length > LONG_TAIL_CHARS && this.tail.length < this.lexedLength * GROWTH) {
      this.showUnlexed(added);
      return;
    }
    this.lexTail();
  }

  /** The end of a very long block, as plain text until it is worth lexing the block again. */
  private showUnlexed(added: string): void {
    if (this.pending === undefined) {
      this.pending = document.createElement('div');
      this.pending.className = 'md-pending';
      this.pending.dir = 'auto';
      this.container.append(this.pending);
    }
    this.pending.append(added);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.drawPending(), IDLE_MS);
  }

  private drawPending(): void {
    if (this.pending !== undefined) {
      this.lexTail();
      this.draw();
    }
  }

  private lexTail(): void {
    this.pending?.remove();
    this.pending = undefined;
    this.texts = splitBlocks(this.tail);
    this.next = 0;
  }

  private drawBlock(): void {
    const text = this.texts[this.next] ?? '';
    this.blocks[this.next] = this.blockFor(text, this.next);
    this.next += 1;
    if (this.next === this.texts.length) {
      this.settle();
    }
  }

  /** All blocks of the tail are drawn: those that no later text can change are let go of. */
  private settle(): void {
    for (const { element } of this.blocks.splice(this.texts.length)) {
      const run = element.parentElement;
      element.remove();
      if (run?.childElementCount === 0) {
        run.remove();
      }
    }
    this.followOpenFence();
    const settled = countSettled(this.texts);
    this.links = this.blocks[settled - 1]?.linksAfter ?? this.links;
    this.blocks.splice(0, settled);
    this.texts = this.texts.slice(settled);
    this.next = this.texts.length;
    this.tail = this.texts.join('');
    this.lexedLength = this.tail.length;
  }

  private blockFor(text: string, index: number): Block {
    const links = this.blocks[index - 1]?.linksAfter ?? this.links;
    const shown = text.replace(/\n+$/, '');
    const key = `${Object.keys(links).length} ${shown}`;
    const old = this.blocks[index];
    if (old?.key === key) {
      return old;
    }
    const element = document.createElement('div');
    element.className = 'md-block';
    element.dir = 'auto';
    element.append(renderBlock(shown, links, this.loadImage));
    if (old === undefined) {
      this.openRun().append(element);
    } else {
      keepWrapped(old.element, element);
      old.element.replaceChildren(...element.childNodes);
    }
    return { key, element: old?.element ?? element, linksAfter: definitionsAfter(text, links) };
  }

  private openRun(): Element {
    const last = this.container.lastElementChild;
    if (last !== null && last.childElementCount < RUN_BLOCKS) {
      return last;
    }
    const run = document.createElement('div');
    run.className = 'md-run';
    this.container.append(run);
    const { children } = this.container;
    const index = children.length - 1 - NEAR_RUNS;
    const far = children[index];
    if (far !== undefined && index < this.drawnRuns) {
      setAside(far);
    } else {
      far?.classList.add('far');
    }
    return run;
  }

  private followOpenFence(): void {
    const last = this.texts.at(-1);
    const block = this.blocks.at(-1);
    const fence = last === undefined ? undefined : openFenceOf(last);
    if (last === undefined || block === undefined || fence === undefined) {
      return;
    }
    this.fence = new GrowingFence(fence, last.slice(fence.start));
    const content = document.createDocumentFragment();
    content.append(this.fence.code.element);
    keepWrapped(block.element, content);
    block.element.replaceChildren(content);
    // Its raw text is no longer what is shown: the block is built anew when the fence closes.
    this.blocks[this.blocks.length - 1] = { ...block, key: '' };
  }
}

/** The last block while it is an unclosed fence. Only the line that is being written can close it. */
class GrowingFence {
  readonly code: GrowingCode;
  private line = '';

  constructor(
    private readonly fence: OpenFence,
    text: string,
  ) {
    this.code = new GrowingCode(fence.language);
    this.append(text);
  }

  /** False when the text closes the fence; the tail must be lexed again then. */
  append(text: string): boolean {
    const lines = (this.line + text).split('\n');
    if (lines.some(this.fence.isClosingLine)) {
      return false;
    }
    this.line = lines.at(-1) ?? '';
    this.code.append(text);
    return true;
  }
}
