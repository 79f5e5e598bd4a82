import type { ChatState, HostMessage } from '../shared/protocol';
import { emptyTranscript, type Transcript } from '../shared/transcript/model';
import { reduce } from '../shared/transcript/reduce';
import type { HostChannel } from './host';

export interface View {
  /** Undefined until the host has said anything. */
  readonly state: ChatState | undefined;
  readonly transcript: Transcript;
  /** The session that `transcript` belongs to. */
  readonly sessionId: string;
}

/** What the host asks of the composer rather than of the picture. */
export type ComposerRequest = Extract<
  HostMessage,
  { type: 'draft' | 'attach' | 'contextFound' | 'focusComposer' | 'insertText' }
>;

/** While the page is hidden there are no frames; the picture may wait, but not for ever. */
const HIDDEN_FRAME_MS = 100;

/** Keeps the picture in step with the host: the same reducer, one change of the picture per frame. */
export class Store {
  private current: View = { state: undefined, transcript: emptyTranscript, sessionId: '' };
  private seq = -1;
  private isResyncing = false;
  private isFrameAsked = false;
  /** There is more before what is shown. */
  private isEnd = false;
  private readonly viewers = new Set<(view: View) => void>();
  private readonly composers = new Set<(request: ComposerRequest) => void>();
  private readonly followers = new Set<() => void>();
  private readonly drafts = new Map<string, Extract<HostMessage, { type: 'draft' }>>();
  /** Chips that came before there was a composer to take them. */
  private waiting: readonly { readonly sessionId: string; readonly request: ComposerRequest }[] = [];

  constructor(private readonly host: Pick<HostChannel, 'post'>) {}

  get view(): View {
    return this.current;
  }

  /** The last draft that the host sent for a session. */
  draftOf(sessionId: string): Extract<HostMessage, { type: 'draft' }> | undefined {
    return this.drafts.get(sessionId);
  }

  onDidChange(see: (view: View) => void): () => void {
    this.viewers.add(see);
    return () => this.viewers.delete(see);
  }

  onComposerRequest(sessionId: string, answer: (request: ComposerRequest) => void): () => void {
    this.composers.add(answer);
    const own = this.waiting.filter((one) => one.sessionId === sessionId);
    this.waiting = this.waiting.filter((one) => one.sessionId !== sessionId);
    own.forEach(({ request }) => answer(request));
    return () => this.composers.delete(answer);
  }

  /** The user sent something: wherever the transcript was scrolled to, its end is wanted now. */
  onDidSend(follow: () => void): () => void {
    this.followers.add(follow);
    return () => this.followers.delete(follow);
  }

  sent(): void {
    for (const follow of this.followers) {
      follow();
    }
  }

  receive(message: HostMessage): void {
    switch (message.type) {
      case 'state':
        this.show({ ...this.current, state: message.state });
        return;
      case 'snapshot':
        this.seq = message.seq;
        this.isResyncing = false;
        this.isEnd = message.isEnd === true;
        this.show({ ...this.current, transcript: message.transcript, sessionId: message.sessionId });
        return;
      case 'events':
        this.applyEvents(message);
        return;
      case 'draft':
        this.drafts.set(message.sessionId, message);
        this.ask(message);
        return;
      case 'attach':
        if (this.composers.size === 0) {
          this.waiting = [...this.waiting, { sessionId: this.current.sessionId, request: message }];
        }
        this.ask(message);
        return;
      case 'contextFound':
      case 'focusComposer':
      case 'insertText':
        this.ask(message);
        return;
      default:
        // A newer host may say more than this webview knows.
        return;
    }
  }

  private applyEvents(message: Extract<HostMessage, { type: 'events' }>): void {
    if (message.seq !== this.seq + 1 || message.sessionId !== this.current.sessionId) {
      this.resync();
      return;
    }
    this.seq = message.seq;
    this.show({ ...this.current, transcript: message.events.reduce(reduce, this.current.transcript) });
  }

  private resync(): void {
    if (!this.isResyncing) {
      this.isResyncing = true;
      this.host.post({ type: 'resync' });
    }
  }

  private show(view: View): void {
    this.current = view;
    if (this.isFrameAsked) {
      return;
    }
    this.isFrameAsked = true;
    const paint = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      this.isFrameAsked = false;
      for (const see of this.viewers) {
        see(this.current);
      }
      if (this.isEnd) {
        this.isEnd = false;
        // In a task of its own: by then the end is on the screen.
        setTimeout(() => this.resync());
      }
    };
    const frame = requestAnimationFrame(paint);
    const timer = setTimeout(paint, HIDDEN_FRAME_MS);
  }

  private ask(request: ComposerRequest): void {
    for (const answer of this.composers) {
      answer(request);
    }
  }
}
