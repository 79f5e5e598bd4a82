import type { Webview } from 'vscode';
import { DisposableStore, toDisposable } from '../../core/base/lifecycle';
import type { Logger } from '../../core/base/log';
import type { Draft } from '../../core/session/drafts';
import type { ChatState, HostMessage, WebviewMessage } from '../../shared/protocol';
import { coalesce } from '../../shared/transcript/coalesce';
import { endOf } from '../../shared/transcript/endOf';
import type { TranscriptEvent } from '../../shared/transcript/events';
import type { Transcript } from '../../shared/transcript/model';
import { readWebviewMessage } from './readWebviewMessage';

const FRAME_MS = 16;
/** While more keeps coming: each message costs the page as much as a piece of text, and nobody reads at 60 Hz. */
const STREAM_MS = 32;

/** What the user asked for; the rest is sent anew when the webview is ready. */
const asked: ReadonlySet<HostMessage['type']> = new Set(['attach', 'focusComposer', 'goToQuestion']);

export interface ShownTranscript {
  /** Empty while there is no session yet. */
  readonly sessionId: string;
  readonly transcript: Transcript;
}

export interface BridgeSource {
  /** What the webview should show right now. */
  transcript(): ShownTranscript;
  state(): ChatState;
  draft(): Draft & { readonly sessionId: string };
  onMessage(message: WebviewMessage): void;
}

/** Keeps one webview in step with the host. Safe to feed while the webview is hidden or reloading. */
export class WebviewBridge extends DisposableStore {
  private seq = 0;
  private queue: TranscriptEvent[] = [];
  private isStateDue = false;
  private isReady = false;
  /** The session of which the webview shows something. */
  private sentSession: string | undefined;
  private readonly early: HostMessage[] = [];
  private timer: NodeJS.Timeout | undefined;
  private flushedAt = -Infinity;

  constructor(
    private readonly webview: Pick<Webview, 'postMessage' | 'onDidReceiveMessage'>,
    private readonly source: BridgeSource,
    private readonly log: Logger,
  ) {
    super();
    this.add(webview.onDidReceiveMessage((raw: unknown) => this.receive(raw)));
    this.add(toDisposable(() => clearTimeout(this.timer)));
  }

  push(event: TranscriptEvent): void {
    this.queue.push(event);
    this.schedule();
  }

  stateChanged(): void {
    this.isStateDue = true;
    this.schedule();
  }

  /** Sends everything anew: after a switch of sessions, or when the webview comes (back) to sight. */
  resync(): void {
    const { sessionId, transcript } = this.source.transcript();
    // Where the session is shown already, nothing of it may go, were it for a moment.
    const end = sessionId === this.sentSession ? undefined : endOf(transcript);
    this.send(end === undefined ? { sessionId, transcript } : { sessionId, transcript: end, isEnd: true });
  }

  private send(snapshot: ShownTranscript & { readonly isEnd?: true }): void {
    this.queue = [];
    this.isStateDue = false;
    this.sentSession = snapshot.transcript.entries.length > 0 ? snapshot.sessionId : undefined;
    this.post({ type: 'state', state: this.source.state() });
    this.post({ type: 'snapshot', seq: this.seq, ...snapshot });
  }

  sendDraft(): void {
    this.post({ type: 'draft', ...this.source.draft() });
  }

  post(message: HostMessage): void {
    if (this.isReady) {
      void this.webview.postMessage(message);
    } else if (asked.has(message.type)) {
      this.early.push(message);
    }
  }

  private schedule(): void {
    const isStream = performance.now() - this.flushedAt < STREAM_MS;
    this.timer ??= setTimeout(() => this.flush(), isStream ? STREAM_MS : FRAME_MS);
  }

  private flush(): void {
    this.timer = undefined;
    this.flushedAt = performance.now();
    if (this.isStateDue) {
      this.isStateDue = false;
      this.post({ type: 'state', state: this.source.state() });
    }
    if (this.queue.length > 0) {
      const events = coalesce(this.queue);
      this.queue = [];
      this.seq += 1;
      const { sessionId } = this.source.transcript();
      this.sentSession = sessionId;
      this.post({ type: 'events', seq: this.seq, sessionId, events });
    }
  }

  private receive(raw: unknown): void {
    const message = readWebviewMessage(raw);
    if (message === undefined) {
      this.log.warn(`Dropped a malformed webview message: ${JSON.stringify(raw).slice(0, 200)}`);
      return;
    }
    if (message.type === 'ready') {
      this.isReady = true;
      this.sentSession = undefined;
      this.resync();
      this.sendDraft();
      this.early.splice(0).forEach((early) => this.post(early));
    } else if (message.type === 'resync') {
      this.send(this.source.transcript());
    } else {
      this.source.onMessage(message);
    }
  }
}
