import { Lexer, Parser, Renderer, type Tokens, type TokensList } from 'marked';
import { strings } from '../strings';
import { codeBlock } from './codeBlock';
import { languageOf } from './openFence';
import { fileReference, linkTarget, type LinkTarget } from './links';
import { plainDom } from './plainDom';
import { linkPlainReferences } from './plainReferences';
import { sanitize } from './sanitize';
import type { LoadImage } from './workspaceImages';

export type LinkDefinitions = Readonly<Record<string, Pick<Tokens.Link | Tokens.Image, 'href' | 'title'>>>;

/** One top-level block as safe DOM. Link definitions count from where they stand: earlier blocks are settled. */
export function renderBlock(source: string, links: LinkDefinitions, load: LoadImage): DocumentFragment {
  const lexer = new Lexer({ gfm: true });
  Object.assign(lexer.tokens.links, links);
  const tokens = lexer.lex(source);
  const [only] = tokens;
  if (only?.type === 'code' && tokens.every((token) => token === only || token.type === 'space')) {
    const content = document.createDocumentFragment();
    content.append(codeBlock(String(only.text), languageOf(String(only.lang ?? ''))));
    return content;
  }
  const content = plainDom(source, tokens) ?? overHtml(tokens, load);
  linkFileNames(content);
  linkPlainReferences(source, content, setTarget);
  return content;
}

function overHtml(tokens: TokensList, load: LoadImage): DocumentFragment {
  const content = sanitize(new Parser({ renderer }).parse(tokens));
  finishCode(content);
  finishLinks(content);
  finishImages(content, load);
  finishTables(content);
  finishTasks(content);
  return content;
}

const DEFINITION = /^ {0,3}\[[^\]\n]+\]:/m;

export function definitionsAfter(source: string, links: LinkDefinitions): LinkDefinitions {
  if (!DEFINITION.test(source)) {
    return links;
  }
  const lexer = new Lexer({ gfm: true });
  lexer.blockTokens(source, lexer.tokens);
  return { ...lexer.tokens.links, ...links };
}

class BlockRenderer extends Renderer {
  override checkbox({ checked }: Tokens.Checkbox): string {
    return `<span data-task="${checked ? 'done' : 'open'}"></span>`;
  }

  /** File references have forms (`app.ts:3`, `C:\a.ts`) that would pass for an unknown scheme. */
  override link(token: Tokens.Link): string {
    const target = linkTarget(token.href);
    if (target?.kind !== 'location') {
      return super.link(token);
    }
    const line = target.line === undefined ? '' : `:${target.line}`;
    const path = target.path.replace(/\\/g, '/');
    const encoded = path.split('/').map(encodeURIComponent).join('/').replace(/%3A/g, ':');
    const isAbsolute = path.startsWith('/') || /^[a-z]:/i.test(path);
    const prefix = path.startsWith('/') ? 'file://' : 'file:///';
    return super.link({ ...token, href: isAbsolute ? `${prefix}${encoded}${line}` : `./${encoded}${line}` });
  }
}

const renderer = new BlockRenderer();

function finishCode(content: DocumentFragment): void {
  for (const code of content.querySelectorAll('pre > code')) {
    const language = /^language-(.*)$/.exec(code.className)?.[1] ?? '';
    code.parentElement?.replaceWith(codeBlock(code.textContent.replace(/\n$/, ''), language));
  }
}

function finishLinks(content: DocumentFragment): void {
  for (const anchor of content.querySelectorAll('a')) {
    setTarget(anchor, linkTarget(anchor.getAttribute('href') ?? ''));
  }
}

function linkFileNames(content: DocumentFragment): void {
  for (const code of content.querySelectorAll('code')) {
    const target = code.closest('a, pre') === null ? fileReference(code.textContent) : undefined;
    if (target !== undefined) {
      const anchor = document.createElement('a');
      code.replaceWith(anchor);
      anchor.append(code);
      setTarget(anchor, target);
    }
  }
}

/** Places in files have no `href`: VS Code would open it by itself, beside our own message. */
function setTarget(anchor: HTMLElement, target: LinkTarget | undefined): void {
  if (target?.kind === 'url') {
    anchor.title = target.href;
    return;
  }
  anchor.removeAttribute('href');
  if (target === undefined) {
    return;
  }
  anchor.dataset.path = plainPath(target.path);
  if (target.line !== undefined) {
    anchor.dataset.line = String(target.line);
  }
  anchor.tabIndex = 0;
  anchor.setAttribute('role', 'link');
  anchor.title = strings.openFile(anchor.dataset.path);
}

/** What the page may not load by itself is a link. Images of the workspace take its place once the host has read them. */
function finishImages(content: DocumentFragment, load: LoadImage): void {
  for (const image of content.querySelectorAll<HTMLElement>('img:not([src])')) {
    const url = image.dataset.src ?? '';
    const label = image.getAttribute('alt') ?? '';
    const link = document.createElement(image.closest('a') === null ? 'a' : 'span');
    link.textContent = label === '' ? url : label;
    const target = linkTarget(url);
    if (target?.kind === 'url') {
      link.setAttribute('href', target.href);
    }
    if (link instanceof window.HTMLAnchorElement) {
      setTarget(link, target);
    }
    image.replaceWith(link);
    if (target?.kind === 'location') {
      load(plainPath(target.path), (address) => {
        const shown = document.createElement('img');
        shown.src = address;
        shown.alt = label;
        link.replaceChildren(shown);
      });
    }
  }
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}

function finishTables(content: DocumentFragment): void {
  for (const table of content.querySelectorAll('table')) {
    const scroller = document.createElement('div');
    scroller.className = 'md-table';
    scroller.tabIndex = 0;
    scroller.setAttribute('role', 'group');
    scroller.setAttribute('aria-label', strings.tableLabel);
    table.replaceWith(scroller);
    scroller.append(table);
  }
}

function finishTasks(content: DocumentFragment): void {
  for (const task of content.querySelectorAll<HTMLElement>('[data-task]')) {
    const isDone = task.dataset.task === 'done';
    task.className = `md-task codicon codicon-${isDone ? 'pass-filled' : 'circle-large-outline'}`;
    task.setAttribute('role', 'img');
    task.setAttribute('aria-label', isDone ? strings.done : strings.notDone);
    task.closest('li')?.classList.add('md-task-item');
  }
}
