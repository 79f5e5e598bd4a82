import { readAttachments, type Attachment } from '../../shared/attachments';
import { asObject, asString } from '../../shared/json';
import type { Memento } from '../ports';

const KEY = 'parley.drafts';

export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export const emptyDraft: Draft = { text: '', attachments: [] };

/** What the user has typed and not sent, by session; the empty id is the chat that has no session yet. */
export class Drafts {
  private readonly drafts: Map<string, Draft>;

  constructor(private readonly memento: Memento) {
    const stored = Object.entries(asObject(memento.get(KEY)));
    this.drafts = new Map(stored.map(([sessionId, draft]) => [sessionId, readDraft(draft)]));
  }

  get(sessionId: string): Draft {
    return this.drafts.get(sessionId) ?? emptyDraft;
  }

  set(sessionId: string, draft: Draft): void {
    if (JSON.stringify(this.get(sessionId)) === JSON.stringify(draft)) {
      return;
    }
    if (draft.text === '' && draft.attachments.length === 0) {
      this.drafts.delete(sessionId);
    } else {
      this.drafts.set(sessionId, draft);
    }
    void this.memento.update(KEY, Object.fromEntries(this.drafts));
  }
}

function readDraft(value: unknown): Draft {
  const { text, attachments } = asObject(value);
  return { text: asString(text) ?? '', attachments: readAttachments(attachments) };
}
