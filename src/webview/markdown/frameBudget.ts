/** Keys that are pressed must not wait. */
const WITH_INPUT_MS = 8;
/** With the layout that follows, well below what a user would notice as a halt. */
const WITHOUT_INPUT_MS = 20;

/** Not in TypeScript's own types, and not in every browser. */
interface InputScheduling {
  readonly scheduling?: { isInputPending(): boolean };
}

/** How long one frame may draw: less when the user is waiting for an answer to a key or a click. */
export class FrameBudget {
  private readonly started = performance.now();

  get isLeft(): boolean {
    const spent = performance.now() - this.started;
    return spent < WITH_INPUT_MS || (spent < WITHOUT_INPUT_MS && !isInputPending());
  }
}

/** Unknown counts as pending. */
function isInputPending(): boolean {
  const { scheduling }: InputScheduling = navigator as InputScheduling;
  return scheduling?.isInputPending() ?? true;
}
