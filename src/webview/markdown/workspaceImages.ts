import type { HostMessage, WebviewMessage } from '../../shared/protocol';

/** A block that still changes is drawn again and again: its image is not asked for each time. */
const RECENT_MS = 5_000;
const MAX_KEPT = 32;
/** Answers of good will show a few at a time. */
const MAX_WAITING = 24;

interface Image {
  readonly address: string | undefined;
  readonly askedAt: number;
}

/** Shows the image once its bytes are here; never, when there is no such image in the workspace. */
export type LoadImage = (path: string, show: (address: string) => void) => void;

/** Images of the workspace that answers refer to. The host reads them: the page itself may load nothing. */
export class WorkspaceImages {
  private readonly images = new Map<string, Image>();
  private readonly waiting = new Map<string, ((address: string) => void)[]>();

  constructor(
    private readonly post: (message: WebviewMessage) => void,
    private readonly sessionId: () => string,
  ) {}

  readonly load: LoadImage = (path, show) => {
    const sessionId = this.sessionId();
    const key = keyOf(sessionId, path);
    const known = this.images.get(key);
    if (known?.address !== undefined) {
      show(known.address);
    }
    const now = Date.now();
    const isRecent = known !== undefined && now - known.askedAt < RECENT_MS;
    const isTooMuch = this.waiting.size >= MAX_WAITING;
    if ((isRecent || isTooMuch) && !this.waiting.has(key)) {
      return;
    }
    this.waiting.set(key, [...(this.waiting.get(key) ?? []), show]);
    if (!isRecent) {
      this.keep(key, { address: known?.address, askedAt: now });
      this.post({ type: 'loadImage', sessionId, path });
    }
  };

  receive({ sessionId, path, address }: Extract<HostMessage, { type: 'image' }>): void {
    const key = keyOf(sessionId, path);
    const waiting = this.waiting.get(key) ?? [];
    this.waiting.delete(key);
    this.keep(key, { address, askedAt: this.images.get(key)?.askedAt ?? 0 });
    if (address !== undefined) {
      waiting.forEach((show) => show(address));
    }
  }

  private keep(key: string, image: Image): void {
    this.images.delete(key);
    this.images.set(key, image);
    for (const oldest of [...this.images.keys()].slice(0, -MAX_KEPT)) {
      this.images.delete(oldest);
    }
  }
}

function keyOf(sessionId: string, path: string): string {
  return `${sessionId}\0${path}`;
}
