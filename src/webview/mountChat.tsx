import { render } from 'preact';
import { App } from './app';
import type { HostChannel } from './host';

/** Returns a function that takes the chat down again. */
export function mountChat(root: Element, host: HostChannel): () => void {
  render(<App host={host} />, root);
  return () => render(null, root);
}
