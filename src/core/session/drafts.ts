import { asObject, asString } from '../../shared/json';
import type { Memento } from '../ports';

const KEY = 'parley.drafts';

/** What the user has typed and not sent, by session; the empty id is the chat that has no session yet. */
export class Drafts {
  private readonly drafts: Map<string, string>;

  constructor(private readonly memento: Memento) {
    const stored = Object.entries(asObject(memento.get(KEY)));
    this.drafts = new Map(stored.map(([sessionId, text]) => [sessionId, asString(text) ?? '']));
  }

  get(sessionId: string): string {
    return this.drafts.get(sessionId) ?? '';
  }

  set(sessionId: string, text: string): void {
    if (this.get(sessionId) === text) {
      return;
    }
    if (text === '') {
      this.drafts.delete(sessionId);
    } else {
      this.drafts.set(sessionId, text);
    }
    void this.memento.update(KEY, Object.fromEntries(this.drafts));
  }
}
