import { merge3 } from './merge3';
import { commonEnd, commonStart } from './textEdits';

/** `text`, made from `base`, with what was typed into `base` in the meantime. Of that nothing is ever lost. */
export function withTyped(base: string, text: string, typedInto: string): string {
  return merge3(base, text, typedInto) ?? insertTyped(base, text, typedInto);
}

/** In the very lines: behind what stands there now, because it was typed later. */
function insertTyped(base: string, text: string, typedInto: string): string {
  const head = commonStart(base, typedInto);
  const tail = commonEnd(base.slice(head), typedInto.slice(head));
  const added = typedInto.slice(head, typedInto.length - tail);
  const kept = commonStart(base, text);
  const keptAtEnd = commonEnd(base.slice(kept), text.slice(kept));
  const at = head < kept ? head : text.length - Math.min(keptAtEnd, base.length - head);
  return text.slice(0, at) + added + text.slice(at);
}
