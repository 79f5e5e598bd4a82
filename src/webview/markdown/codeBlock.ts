import { strings } from '../strings';
import { highlightInto } from './highlight';

/** One text node of this size is laid out again on every append; whole chunks never are. */
const CHUNK_CHARS = 4_096;

/** The frame of a code block: language and buttons above, the code scrolling sideways. */
export function codeFrame(language: string): { readonly element: HTMLElement; readonly code: HTMLElement } {
  const element = document.createElement('div');
  element.className = 'code-block';
  element.dataset.language = language;
  const bar = document.createElement('div');
  bar.className = 'code-bar';
  const label = document.createElement('span');
  label.className = 'code-language';
  label.textContent = language;
  const copy = iconButton('copy', strings.copyCode);
  copy.dataset.copyCode = '';
  const wrap = actionButton('word-wrap', strings.wrapLines, 'wrap');
  wrap.setAttribute('aria-pressed', 'false');
  bar.append(
    label,
    wrap,
    actionButton('insert', strings.insertCode, 'insert'),
    actionButton('new-file', strings.codeToFile, 'newFile'),
    copy,
  );
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', strings.codeLabel(language));
  const code = document.createElement('code');
  element.dir = 'ltr';
  pre.append(code);
  element.append(bar, pre);
  return { element, code };
}

function iconButton(icon: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `icon-button codicon codicon-${icon}`;
  button.title = label;
  button.setAttribute('aria-label', label);
  return button;
}

/** What it does is up to one listener for all blocks. */
function actionButton(icon: string, label: string, action: string): HTMLButtonElement {
  const button = iconButton(icon, label);
  button.dataset.codeAction = action;
  return button;
}

/** What the user has chosen for a block outlives it, when the block is built anew. */
export function keepWrapped(before: ParentNode, now: ParentNode): void {
  if (before.querySelector('.code-block.wrapped') === null) {
    return;
  }
  const blocks = now.querySelectorAll('.code-block');
  before.querySelectorAll('.code-block').forEach((block, index) => {
    if (block.classList.contains('wrapped')) {
      blocks[index]?.classList.add('wrapped');
      blocks[index]?.querySelector('[data-code-action="wrap"]')?.setAttribute('aria-pressed', 'true');
    }
  });
}

/** A finished code block. */
export function codeBlock(text: string, language: string): HTMLElement {
  const { element, code } = codeFrame(language);
  highlightInto(code, text, language);
  return element;
}

/** A code block whose end has not come: text is only ever appended, and coloured at the end. */
export class GrowingCode {
  readonly element: HTMLElement;
  private readonly code: HTMLElement;
  private chunk: Text | undefined;

  constructor(private readonly language: string) {
    const frame = codeFrame(language);
    this.element = frame.element;
    this.code = frame.code;
  }

  append(text: string): void {
    let rest = text;
    while (rest !== '') {
      const node = this.openChunk();
      const cut = node.length + rest.length < CHUNK_CHARS ? -1 : rest.indexOf('\n');
      const part = cut < 0 ? rest : rest.slice(0, cut + 1);
      node.appendData(part);
      rest = rest.slice(part.length);
      if (cut >= 0) {
        this.chunk = undefined;
      }
    }
  }

  highlight(): void {
    const text = this.code.textContent.replace(/\n$/, '');
    highlightInto(this.code, text, this.language);
    this.chunk = undefined;
  }

  private openChunk(): Text {
    if (this.chunk !== undefined) {
      return this.chunk;
    }
    const line = document.createElement('span');
    line.className = 'code-chunk';
    this.chunk = document.createTextNode('');
    line.append(this.chunk);
    this.code.append(line);
    return this.chunk;
  }
}
