import type { WebviewMessage } from '../../shared/protocol';

const SAVE_MS = 300;

/**
 * What the user has written and not sent. The host keeps it; this decides what is told to the host
 * and what a draft from the host may replace: never words that the host has not seen.
 */
export class Draft {
  private saved = '';
  private lastSubmitted: string | undefined;
  private timer: number | undefined;
  private current = '';

  constructor(
    private readonly post: (message: WebviewMessage) => void,
    private sessionId: string,
  ) {}

  get text(): string {
    return this.current;
  }

  edit(text: string): void {
    this.current = text;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.save(), SAVE_MS);
  }

  save(): void {
    window.clearTimeout(this.timer);
    if (this.current !== this.saved) {
      this.saved = this.current;
      this.post({ type: 'saveDraft', sessionId: this.sessionId, text: this.current, attachments: [] });
    }
  }

  /** Posts first and empties then: text is never nowhere. */
  submit(): void {
    window.clearTimeout(this.timer);
    this.post({ type: 'submitPrompt', sessionId: this.sessionId, text: this.current, attachments: [] });
    this.lastSubmitted = this.current;
    this.current = '';
    this.saved = '';
  }

  /** A draft from the host for the session that is shown. */
  receive(text: string): void {
    const isDirty = this.current !== this.saved;
    if (!isDirty) {
      this.current = text;
      this.saved = text;
      return;
    }
    // A send that failed brings its text back while the user is already writing on.
    if (text !== '' && text === this.lastSubmitted && !this.current.startsWith(text)) {
      this.edit(`${text}\n\n${this.current}`);
    }
  }

  /** Another session is shown. What was typed while a new session started belongs to it. */
  switchTo(sessionId: string, known: string | undefined): void {
    if (sessionId === this.sessionId) {
      return;
    }
    const isSessionStart = this.sessionId === '';
    const hasText = this.current !== '';
    if (isSessionStart && hasText && (known === undefined || known === '')) {
      this.sessionId = sessionId;
      this.saved = '';
      this.save();
      return;
    }
    this.save();
    this.sessionId = sessionId;
    this.current = known ?? '';
    this.saved = this.current;
  }
}
