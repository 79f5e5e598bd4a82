import type { WebviewMessage } from '../shared/protocol';

/**
 * Handles every click on a link in one place. Nothing is ever followed by the page itself, and VS
 * Code's own listener further up must not open the link a second time.
 */
export function openLinks(root: HTMLElement, post: (message: WebviewMessage) => void): () => void {
  const click = (event: Event) => {
    const element =
      event.target instanceof Element ? event.target.closest<HTMLElement>('a, [data-copy-code]') : null;
    if (element === null) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (element.dataset.copyCode !== undefined) {
      copyCode(element);
      return;
    }
    const message = messageFor(element);
    if (message !== undefined) {
      post(message);
    }
  };
  const press = (event: KeyboardEvent) => {
    if (
      event.key === 'Enter' &&
      event.target instanceof HTMLElement &&
      event.target.dataset.path !== undefined
    ) {
      event.target.click();
    }
  };
  root.addEventListener('click', click);
  root.addEventListener('auxclick', click);
  root.addEventListener('keydown', press);
  return () => {
    root.removeEventListener('click', click);
    root.removeEventListener('auxclick', click);
    root.removeEventListener('keydown', press);
  };
}

function messageFor(anchor: HTMLElement): WebviewMessage | undefined {
  const { path, line } = anchor.dataset;
  if (path !== undefined) {
    return { type: 'openLocation', path, line: line === undefined ? undefined : Number(line) };
  }
  const href = anchor.getAttribute('href') ?? '';
  return /^(?:https?:|mailto:)/i.test(href) ? { type: 'openLink', href } : undefined;
}

const COPIED_MS = 1500;

function copyCode(button: HTMLElement): void {
  const text = button.closest('.code-block')?.querySelector('code')?.textContent ?? '';
  // A refused clipboard leaves the button as it is; there is nothing else to do about it.
  void navigator.clipboard.writeText(text).then(
    () => {
      button.classList.replace('codicon-copy', 'codicon-check');
      setTimeout(() => button.classList.replace('codicon-check', 'codicon-copy'), COPIED_MS);
    },
    () => undefined,
  );
}
