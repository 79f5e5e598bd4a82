import { plainReference, type LinkTarget } from './links';

const NOT_PLAIN = 'a, code, pre, button';
const WORD = /[^\s"'`“”‘’<>()[\]{},;|*]+/g;

/** Makes links of words such as `src/app.ts:12`. */
export function linkPlainReferences(
  source: string,
  content: DocumentFragment,
  setTarget: (anchor: HTMLElement, target: LinkTarget) => void,
): void {
  if (!mayHoldReference(source)) {
    return;
  }
  for (const text of plainTexts(content)) {
    const parts = linked(text.data, setTarget);
    if (parts.length > 0) {
      text.replaceWith(...parts);
    }
  }
}

function plainTexts(content: DocumentFragment): Text[] {
  const { SHOW_ELEMENT, SHOW_TEXT, FILTER_REJECT, FILTER_ACCEPT } = window.NodeFilter;
  const walker = document.createTreeWalker(content, SHOW_ELEMENT | SHOW_TEXT, {
    acceptNode: (node) =>
      node instanceof window.Element && node.matches(NOT_PLAIN) ? FILTER_REJECT : FILTER_ACCEPT,
  });
  const texts: Text[] = [];
  while (walker.nextNode() !== null) {
    const node = walker.currentNode;
    if (node instanceof window.Text && mayHoldReference(node.data)) {
      texts.push(node);
    }
  }
  return texts;
}

/** Nearly no text does: this is cheaper than looking at its words. */
function mayHoldReference(text: string): boolean {
  return /\w\.[a-z]/i.test(text) && /[\\/]|:\d/.test(text);
}

/** Empty when there is nothing to link. */
function linked(
  text: string,
  setTarget: (anchor: HTMLElement, target: LinkTarget) => void,
): (string | Node)[] {
  const parts: (string | Node)[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    const word = match[0].replace(/[.:!?]+$/, '');
    const target = plainReference(word);
    if (target !== undefined) {
      const anchor = document.createElement('a');
      anchor.textContent = word;
      setTarget(anchor, target);
      parts.push(text.slice(end, match.index), anchor);
      end = match.index + word.length;
    }
  }
  return parts.length === 0 ? parts : [...parts, text.slice(end)];
}
