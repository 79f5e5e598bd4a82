/** More marks than this help nobody, and each costs. */
export const MAX_MATCHES = 2_000;
/** Controls that lie over an entry are not its text. */
const NOT_TEXT = '[hidden], .entry-actions, .code-bar, .visually-hidden';
const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, pre, div, td, th, button, summary, blockquote, label';

interface Piece {
  readonly node: Text;
  /** Where its text begins in the text of all pieces. */
  readonly start: number;
}

/** Where a text occurs in what is shown, whatever its case, over the bounds of words in bold and colours of code. */
export function findRanges(root: HTMLElement, query: string): Range[] {
  const wanted = query.toLowerCase();
  if (wanted === '') {
    return [];
  }
  const { text, pieces } = textIn(root);
  const ranges: Range[] = [];
  let piece = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    piece = pieceAt(pieces, at, piece);
    const first = pieces[piece];
    const last = pieces[pieceAt(pieces, at + wanted.length - 1, piece)];
    if (first === undefined || last === undefined || ranges.length === MAX_MATCHES) {
      return ranges;
    }
    const range = document.createRange();
    range.setStart(first.node, at - first.start);
    range.setEnd(last.node, at + wanted.length - last.start);
    ranges.push(range);
  }
  return ranges;
}

function textIn(root: HTMLElement): { readonly text: string; readonly pieces: readonly Piece[] } {
  const walker = document.createTreeWalker(
    root,
    window.NodeFilter.SHOW_ELEMENT | window.NodeFilter.SHOW_TEXT,
    {
      acceptNode: (node) =>
        node instanceof window.Element && node.matches(NOT_TEXT)
          ? window.NodeFilter.FILTER_REJECT
          : window.NodeFilter.FILTER_ACCEPT,
    },
  );
  const pieces: Piece[] = [];
  const texts: string[] = [];
  let length = 0;
  let block: Element | null = null;
  while (walker.nextNode() !== null) {
    const node = walker.currentNode;
    if (!(node instanceof window.Text)) {
      continue;
    }
    const inside = node.parentElement?.closest(BLOCKS) ?? null;
    // No query has a line break, so nothing is found from one block into the next.
    if (inside !== block && length > 0) {
      texts.push('\n');
      length += 1;
    }
    block = inside;
    pieces.push({ node, start: length });
    texts.push(lowerCase(node.data));
    length += node.data.length;
  }
  return { text: texts.join(''), pieces };
}

/** A few letters become longer in lower case; then the places of all that follow would be wrong. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

function pieceAt(pieces: readonly Piece[], offset: number, from: number): number {
  let index = from;
  while ((pieces[index + 1]?.start ?? Infinity) <= offset) {
    index += 1;
  }
  return index;
}
