import { withoutData, type Attachment } from '../../shared/attachments';
import type { WebviewMessage } from '../../shared/protocol';
import { withAttachments } from './attachmentList';

const SAVE_MS = 300;

export interface DraftContent {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

const nothing: DraftContent = { text: '', attachments: [] };

/** A draft of words alone is one, too. What else came with it is not part of it. */
export function asDraft(known: string | DraftContent | undefined): DraftContent | undefined {
  if (known === undefined || typeof known === 'string') {
    return known === undefined ? undefined : { text: known, attachments: [] };
  }
  return { text: known.text, attachments: known.attachments };
}

/**
 * What the user has written and attached and not sent. The host keeps it; this decides what is told to the host
 * and what a draft from the host may replace: never words that the host has not seen.
 */
export class Draft {
  private saved = nothing;
  private lastSubmitted = nothing;
  private timer: number | undefined;
  private current = nothing;

  constructor(
    private readonly post: (message: WebviewMessage) => void,
    private sessionId: string,
  ) {}

  get text(): string {
    return this.current.text;
  }

  get attachments(): readonly Attachment[] {
    return this.current.attachments;
  }

  /** What is attached makes a prompt, too. */
  get canSend(): boolean {
    return this.text.trim() !== '' || this.attachments.length > 0;
  }

  edit(text: string): void {
    this.change({ ...this.current, text });
  }

  attach(added: readonly Attachment[]): void {
    this.change({ ...this.current, attachments: withAttachments(this.attachments, added) });
  }

  detach(id: string): void {
    this.change({ ...this.current, attachments: this.attachments.filter((one) => one.id !== id) });
  }

  save(): void {
    window.clearTimeout(this.timer);
    if (!isSame(this.current, this.saved)) {
      const content = this.withoutKnownData();
      this.saved = this.current;
      this.post({ type: 'saveDraft', sessionId: this.sessionId, ...content });
    }
  }

  /** Posts first and empties then: text is never nowhere. */
  submit(): void {
    window.clearTimeout(this.timer);
    this.post({ type: 'submitPrompt', sessionId: this.sessionId, ...this.withoutKnownData() });
    this.lastSubmitted = this.current;
    this.current = nothing;
    this.saved = nothing;
  }

  /** A draft from the host for the session that is shown. */
  receive({ text, attachments }: DraftContent): void {
    if (isSame(this.current, this.saved)) {
      this.current = { text, attachments };
      this.saved = this.current;
      return;
    }
    // A send that failed brings its text back while the user is already writing on.
    const isReturned = !isEmpty({ text, attachments }) && isSame({ text, attachments }, this.lastSubmitted);
    if (!isReturned) {
      return;
    }
    const hasText = text === '' || this.text.startsWith(text);
    this.change({
      text: hasText ? this.text : `${text}\n\n${this.text}`,
      attachments: withAttachments(attachments, this.attachments),
    });
  }

  /** Another session is shown. What was typed while a new session started belongs to it. */
  switchTo(sessionId: string, known: DraftContent | undefined): void {
    if (sessionId === this.sessionId) {
      return;
    }
    const isSessionStart = this.sessionId === '';
    if (isSessionStart && !isEmpty(this.current) && (known === undefined || isEmpty(known))) {
      this.sessionId = sessionId;
      this.saved = nothing;
      this.save();
      return;
    }
    this.save();
    this.sessionId = sessionId;
    this.current = known ?? nothing;
    this.saved = this.current;
  }

  /** Images are megabytes: the host gets each once. */
  private withoutKnownData(): DraftContent {
    const known = new Set(this.saved.attachments.map(({ id }) => id));
    const attachments = this.current.attachments.map((one) => (known.has(one.id) ? withoutData(one) : one));
    return { ...this.current, attachments };
  }

  private change(content: DraftContent): void {
    this.current = content;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.save(), SAVE_MS);
  }
}

function isEmpty({ text, attachments }: DraftContent): boolean {
  return text === '' && attachments.length === 0;
}

/** An attachment never changes under its id. */
function isSame(a: DraftContent, b: DraftContent): boolean {
  return (
    a.text === b.text &&
    a.attachments.length === b.attachments.length &&
    a.attachments.every(({ id }, index) => id === b.attachments[index]?.id)
  );
}
