import path from 'node:path';
import { runInThisContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { JSDOM } from 'jsdom';
import type { ChatState, HostMessage, SessionSummary, WebviewMessage } from '../../src/shared/protocol';
import type { TranscriptEvent } from '../../src/shared/transcript/events';
import type * as WebviewModule from '../../src/webview/mountChat';
import { emptyTranscript, type Transcript } from '../../src/shared/transcript/model';

/** A page for the webview's code. Call before that code is imported: some of it looks for a window at once. */
export function installPage(): void {
  if ('document' in globalThis) {
    return;
  }
  const dom = new JSDOM(
    '<!doctype html><html lang="en"><head><title>Chat</title></head><body><div id="root"></div></body></html>',
    {
      pretendToBeVisual: true,
      url: 'https://webview.invalid/',
    },
  );
  const { window } = dom;
  // jsdom has no layout; these are called, but nothing here depends on what they would do.
  class NoResizeObserver {
    readonly observe = () => undefined;
    readonly disconnect = () => undefined;
  }
  window.Element.prototype.scrollIntoView = () => undefined;
  const names = [
    ...['window', 'document', 'navigator', 'Node', 'Element', 'HTMLElement', 'Text', 'DocumentFragment'],
    ...['requestAnimationFrame', 'cancelAnimationFrame', 'getComputedStyle', 'Event', 'KeyboardEvent'],
  ];
  for (const name of names) {
    Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
  }
  Object.defineProperty(globalThis, 'ResizeObserver', { value: NoResizeObserver, configurable: true });
}

let webview: typeof WebviewModule | undefined;

/** Bundled as for VS Code: tsx would compile JSX by the settings of the directory it was started in. */
function loadWebview(): typeof WebviewModule {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(__dirname, '../../src/webview/mountChat.tsx')],
    tsconfig: path.join(__dirname, '../../src/webview/tsconfig.json'),
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'browser',
    sourcemap: 'inline',
  });
  const file = { exports: {} };
  const body = outputFiles[0]?.text ?? '';
  const run = runInThisContext(`(function (module) { ${body}\n})`) as (module: typeof file) => void;
  run(file);
  return file.exports as typeof WebviewModule;
}

export const session: SessionSummary = {
  sessionId: 's1',
  title: 'A session',
  agentId: 'demo',
  agentName: 'Demo',
  status: 'active',
  statusReason: undefined,
  workdir: '/work',
  isReadOnly: false,
  canSteer: false,
  lastActiveAt: 0,
  accepts: { image: true, audio: false, embeddedContext: true },
};

export const chatState: ChatState = {
  place: 'view',
  obstacle: undefined,
  agents: [{ id: 'demo', name: 'Demo', description: undefined }],
  agentId: 'demo',
  offer: undefined,
  session,
  progress: undefined,
  queue: [],
  recent: [],
  changes: { files: 0, added: 0, removed: 0, reviewed: undefined },
  checkpoints: [],
};

/** The whole chat in a page, with a host that records what it is told. */
export class ChatPage {
  readonly posted: WebviewMessage[] = [];
  private receive: (message: HostMessage) => void = () => undefined;
  private seq = 0;
  private unmount: () => void = () => undefined;

  static async open(state: ChatState = chatState, transcript: Partial<Transcript> = {}): Promise<ChatPage> {
    const { mountChat } = (webview ??= loadWebview());
    const page = new ChatPage();
    const host = {
      post: (message: WebviewMessage) => page.posted.push(message),
      subscribe: (receive: (message: HostMessage) => void) => {
        page.receive = receive;
        return () => undefined;
      },
    };
    page.unmount = mountChat(element('#root', document), host);
    await until(() => page.posted.some((message) => message.type === 'ready'));
    page.send({ type: 'state', state });
    page.send({
      type: 'snapshot',
      seq: 0,
      sessionId: state.session?.sessionId ?? '',
      transcript: { ...emptyTranscript, ...transcript },
    });
    await page.painted();
    return page;
  }

  send(message: HostMessage): void {
    this.receive(message);
  }

  async events(...events: readonly TranscriptEvent[]): Promise<void> {
    this.seq += 1;
    this.send({ type: 'events', seq: this.seq, sessionId: 's1', events });
    await this.painted();
  }

  /** Two frames: one for the store, one for preact's effects. */
  async painted(): Promise<void> {
    for (let frame = 0; frame < 3; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  find(selector: string): HTMLElement {
    return element(selector, document);
  }

  all(selector: string): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>(selector)];
  }

  button(name: string, within = 'body'): HTMLElement {
    const found = this.all(`${within} button`).find(
      (button) => (button.getAttribute('aria-label') ?? button.textContent) === name,
    );
    if (found === undefined) {
      throw new Error(`No button "${name}" in ${within}`);
    }
    return found;
  }

  get composer(): HTMLTextAreaElement {
    const found = document.querySelector<HTMLTextAreaElement>('[data-testid="composer"]');
    if (found === null) {
      throw new Error('No composer');
    }
    return found;
  }

  async type(text: string): Promise<void> {
    this.composer.focus();
    this.composer.value = text;
    this.composer.dispatchEvent(new Event('input', { bubbles: true }));
    await this.painted();
  }

  async press(
    key: string,
    init: KeyboardEventInit = {},
    target: Element = this.composer,
  ): Promise<KeyboardEvent> {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
    target.dispatchEvent(event);
    await this.painted();
    return event;
  }

  async click(target: HTMLElement): Promise<void> {
    target.click();
    await this.painted();
  }

  sent<T extends WebviewMessage['type']>(type: T): Extract<WebviewMessage, { type: T }>[] {
    return this.posted.filter(
      (message): message is Extract<WebviewMessage, { type: T }> => message.type === type,
    );
  }

  close(): void {
    this.unmount();
  }
}

function element(selector: string, within: ParentNode): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector);
  if (found === null) {
    throw new Error(`Nothing matches ${selector}`);
  }
  return found;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
