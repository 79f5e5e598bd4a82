import type { MarkedToken, Token, Tokens } from 'marked';
import { codeBlock } from './codeBlock';
import { languageOf } from './openFence';

/** What only an HTML parser knows to read. */
const ENTITY = /&[#a-z]/i;

/**
 * Text and its structure as DOM, which is most of what agents write; undefined where there is more to it, such as HTML or
 * links. Nothing of an agent's becomes anything but text here, so nothing has to be cleaned; and HTML that is written, read
 * and walked through for each block is what a flood would wait for. It is the DOM that the detour over HTML gives.
 */
export function plainDom(source: string, tokens: readonly Token[]): DocumentFragment | undefined {
  if (ENTITY.test(source)) {
    return undefined;
  }
  const content = document.createDocumentFragment();
  return appendBlocks(content, tokens) ? content : undefined;
}

/** False when there is something among them that has to go over HTML. */
function appendBlocks(parent: Node, tokens: readonly Token[]): boolean {
  return tokens.every((token) => appendBlock(parent, token as MarkedToken));
}

function appendBlock(parent: Node, token: MarkedToken): boolean {
  switch (token.type) {
    case 'space':
      return true;
    case 'hr':
      return append(parent, 'hr', () => true) && breakLine(parent);
    case 'heading':
      return (
        append(parent, `h${token.depth}`, (heading) => appendInline(heading, token.tokens)) &&
        breakLine(parent)
      );
    case 'paragraph':
      return append(parent, 'p', (paragraph) => appendInline(paragraph, token.tokens)) && breakLine(parent);
    case 'text':
      return appendInline(parent, [token]);
    case 'code':
      parent.appendChild(codeBlock(token.text.replace(/\n$/, ''), languageOf(token.lang ?? '')));
      return breakLine(parent);
    case 'blockquote':
      return (
        append(parent, 'blockquote', (quote) => {
          breakLine(quote);
          return appendBlocks(quote, token.tokens);
        }) && breakLine(parent)
      );
    case 'list':
      return (
        append(parent, token.ordered ? 'ol' : 'ul', (list) => appendItems(list, token)) && breakLine(parent)
      );
    default:
      return false;
  }
}

function appendItems(list: HTMLElement, { ordered, start, items }: Tokens.List): boolean {
  if (ordered && start !== 1) {
    list.setAttribute('start', String(start));
  }
  breakLine(list);
  return items.every(
    (item) => append(list, 'li', (element) => appendBlocks(element, item.tokens)) && breakLine(list),
  );
}

function appendInline(parent: Node, tokens: readonly Token[]): boolean {
  return tokens.every((token) => appendSpan(parent, token as MarkedToken));
}

function appendSpan(parent: Node, token: MarkedToken): boolean {
  switch (token.type) {
    case 'text': {
      const inner = 'tokens' in token ? token.tokens : undefined;
      return inner === undefined ? appendText(parent, token.text) : appendInline(parent, inner);
    }
    case 'escape':
      return appendText(parent, token.text);
    case 'strong':
    case 'em':
    case 'del':
      return append(parent, token.type, (element) => appendInline(element, token.tokens));
    case 'codespan':
      return append(parent, 'code', (code) => appendText(code, token.text));
    case 'br':
      return append(parent, 'br', () => true);
    default:
      return false;
  }
}

function append(parent: Node, tag: string, fill: (element: HTMLElement) => boolean): boolean {
  const element = document.createElement(tag);
  parent.appendChild(element);
  return fill(element);
}

/** Neighbouring texts are one, as a parser of HTML would have them. */
function appendText(parent: Node, text: string): true {
  const { lastChild } = parent;
  if (lastChild instanceof window.Text) {
    lastChild.appendData(text);
  } else {
    parent.appendChild(document.createTextNode(text));
  }
  return true;
}

/** As after each block of HTML: what is copied and what is searched goes by it. */
function breakLine(parent: Node): true {
  return appendText(parent, '\n');
}
