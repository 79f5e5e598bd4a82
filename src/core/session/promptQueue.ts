import { readAttachments, withoutData } from '../../shared/attachments';
import { asObject, asObjects, asString } from '../../shared/json';
import type { QueuedPrompt } from '../../shared/protocol';
import type { Memento } from '../ports';
import type { AttachmentData } from './attachmentData';

const KEY = 'parley.queues';

/** Prompts that wait for their turn, by session, kept over a reload. */
export class PromptQueues {
  private readonly queues = new Map<string, readonly QueuedPrompt[]>();

  constructor(
    private readonly memento: Memento,
    private readonly data: AttachmentData,
  ) {
    for (const [sessionId, prompts] of Object.entries(asObject(memento.get(KEY)))) {
      const read = asObjects(prompts).flatMap((prompt) => {
        const id = asString(prompt.id);
        const text = asString(prompt.text);
        if (id === undefined || text === undefined) {
          return [];
        }
        return [{ id, text, attachments: data.filled(readAttachments(prompt.attachments)) }];
      });
      this.hold(sessionId, read);
      this.queues.set(sessionId, read);
    }
  }

  of(sessionId: string): readonly QueuedPrompt[] {
    return this.queues.get(sessionId) ?? [];
  }

  add(sessionId: string, prompt: QueuedPrompt): void {
    this.set(sessionId, [...this.of(sessionId), prompt]);
  }

  edit(sessionId: string, id: string, text: string): void {
    this.set(
      sessionId,
      this.of(sessionId).map((prompt) => (prompt.id === id ? { ...prompt, text } : prompt)),
    );
  }

  move(sessionId: string, id: string, index: number): void {
    const prompt = this.of(sessionId).find((queued) => queued.id === id);
    if (prompt !== undefined) {
      this.set(
        sessionId,
        this.of(sessionId)
          .filter((queued) => queued.id !== id)
          .toSpliced(index, 0, prompt),
      );
    }
  }

  /** Takes a prompt out, the first one unless an id is given. */
  take(sessionId: string, id?: string): QueuedPrompt | undefined {
    const queue = this.of(sessionId);
    const taken = id === undefined ? queue[0] : queue.find((prompt) => prompt.id === id);
    if (taken !== undefined) {
      this.set(
        sessionId,
        queue.filter((prompt) => prompt.id !== taken.id),
      );
    }
    return taken;
  }

  remove(sessionId: string): void {
    this.set(sessionId, []);
  }

  private set(sessionId: string, prompts: readonly QueuedPrompt[]): void {
    if (prompts.length === 0) {
      this.queues.delete(sessionId);
    } else {
      this.queues.set(sessionId, prompts);
    }
    this.hold(sessionId, prompts);
    const stored = [...this.queues].map(([id, waiting]) => [id, waiting.map(queuedWithoutData)] as const);
    void this.memento.update(KEY, Object.fromEntries(stored));
  }

  private hold(sessionId: string, prompts: readonly QueuedPrompt[]): void {
    this.data.keep(
      `queue ${sessionId}`,
      prompts.flatMap(({ attachments }) => attachments),
    );
  }
}

/** As it is stored and shown: what is attached is known by its id. */
export function queuedWithoutData(prompt: QueuedPrompt): QueuedPrompt {
  return { ...prompt, attachments: prompt.attachments.map(withoutData) };
}
