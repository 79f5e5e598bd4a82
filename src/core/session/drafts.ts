import { readAttachments, type Attachment } from '../../shared/attachments';
import { asObject, asString } from '../../shared/json';
import type { Memento } from '../ports';
import type { AttachmentData } from './attachmentData';

const KEY = 'parley.drafts';

export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export const emptyDraft: Draft = { text: '', attachments: [] };

/** One after the other, as one. */
export function joinDrafts(drafts: readonly Draft[]): Draft {
  return {
    text: drafts
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    attachments: drafts.flatMap(({ attachments }) => attachments),
  };
}

/** What the user has typed and not sent, by session; the empty id is the chat that has no session yet. */
export class Drafts {
  private readonly drafts = new Map<string, Draft>();
  private readonly stored = new Map<string, Draft>();

  constructor(
    private readonly memento: Memento,
    private readonly data: AttachmentData,
  ) {
    for (const [sessionId, draft] of Object.entries(asObject(memento.get(KEY)))) {
      this.put(sessionId, readDraft(draft));
    }
  }

  get(sessionId: string): Draft {
    return this.drafts.get(sessionId) ?? emptyDraft;
  }

  /** Images may come without their data when this has it already. */
  set(sessionId: string, draft: Draft): void {
    if (isSame(this.get(sessionId), draft)) {
      return;
    }
    this.put(sessionId, draft);
    this.save();
  }

  filled(attachments: readonly Attachment[]): readonly Attachment[] {
    return this.data.filled(attachments);
  }

  /** Drops those of sessions that are gone. */
  prune(isThere: (sessionId: string) => boolean): void {
    const gone = [...this.drafts.keys()].filter((id) => id !== '' && !isThere(id));
    gone.forEach((id) => this.put(id, emptyDraft));
    if (gone.length > 0) {
      this.save();
    }
  }

  private put(sessionId: string, { text, attachments }: Draft): void {
    const full = this.data.filled(attachments);
    const kept = this.data.keep(`draft ${sessionId}`, full);
    if (text === '' && full.length === 0) {
      this.drafts.delete(sessionId);
      this.stored.delete(sessionId);
    } else {
      this.drafts.set(sessionId, { text, attachments: full });
      this.stored.set(sessionId, { text, attachments: kept });
    }
  }

  private save(): void {
    void this.memento.update(KEY, Object.fromEntries(this.stored));
  }
}

function isSame(one: Draft, other: Draft): boolean {
  return (
    one.text === other.text &&
    one.attachments.length === other.attachments.length &&
    one.attachments.every(({ id }, index) => id === other.attachments[index]?.id)
  );
}

function readDraft(value: unknown): Draft {
  const { text, attachments } = asObject(value);
  return { text: asString(text) ?? '', attachments: readAttachments(attachments) };
}
