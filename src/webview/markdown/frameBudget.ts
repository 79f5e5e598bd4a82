/** With the layout that follows, well below what a user would notice as a halt. */
const FRAME_MS = 14;
/** Whoever has just pressed a key or a button waits for that to be drawn, and for nothing else. */
const AFTER_INPUT_MS = 2;

let hasInput = false;
for (const type of ['keydown', 'pointerdown']) {
  window.addEventListener(type, () => (hasInput = true), { capture: true, passive: true });
}

/** How long one frame may draw of what has come: less when it is to show what the user has just done. */
export class FrameBudget {
  private readonly end: number;

  constructor() {
    this.end = performance.now() + (hasInput ? AFTER_INPUT_MS : FRAME_MS);
    hasInput = false;
  }

  get isLeft(): boolean {
    return performance.now() < this.end && !isInputPending();
  }
}

/** Not in TypeScript's own types, and not in every browser. */
interface InputScheduling {
  readonly scheduling?: { isInputPending(): boolean };
}

function isInputPending(): boolean {
  const { scheduling }: InputScheduling = navigator as InputScheduling;
  return scheduling?.isInputPending() === true;
}
