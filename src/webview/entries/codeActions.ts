import type { WebviewMessage } from '../../shared/protocol';

/** What the buttons of all code blocks do, in one place: the blocks are not preact's. */
export function handleCodeActions(root: HTMLElement, post: (message: WebviewMessage) => void): () => void {
  const click = (event: Event) => {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-code-action]') : null;
    const block = button?.closest<HTMLElement>('.code-block');
    if (button === null || block === null || block === undefined) {
      return;
    }
    const text = block.querySelector('code')?.textContent ?? '';
    switch (button.dataset.codeAction) {
      case 'insert':
        post({ type: 'insertCode', text });
        return;
      case 'newFile':
        post({ type: 'newFile', text, language: block.dataset.language ?? '' });
        return;
      case 'wrap':
        button.setAttribute('aria-pressed', String(block.classList.toggle('wrapped')));
        return;
    }
  };
  root.addEventListener('click', click);
  return () => root.removeEventListener('click', click);
}
