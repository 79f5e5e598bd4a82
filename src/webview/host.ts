import type { HostMessage, WebviewMessage } from '../shared/protocol';

/** The way to the extension host. Tests put their own in its place. */
export interface HostChannel {
  post(message: WebviewMessage): void;
  /** Returns a function that ends the subscription. */
  subscribe(receive: (message: HostMessage) => void): () => void;
}

interface VsCodeApi {
  postMessage(message: WebviewMessage): void;
  setState(state: { readonly sessionId: string }): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

export function connectToVsCode(): HostChannel {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    subscribe: (receive) => {
      const listen = ({ data }: MessageEvent<HostMessage>) => {
        if (data.type === 'snapshot') {
          // By this VS Code's reload finds the session of an editor tab again.
          api.setState({ sessionId: data.sessionId });
        }
        receive(data);
      };
      window.addEventListener('message', listen);
      return () => window.removeEventListener('message', listen);
    },
  };
}
