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
    const { codeAction } = button.dataset;
    if (codeAction === 'insert') {
      post({ type: 'insertCode', text });
    } else if (codeAction === 'newFile') {
      post({ type: 'newFile', text, language: block.dataset.language ?? '' });
    } else if (codeAction === 'wrap') {
      button.setAttribute('aria-pressed', String(block.classList.toggle('wrapped')));
    }
  };
  root.addEventListener('click', click);
  return () => root.removeEventListener('click', click);
}
