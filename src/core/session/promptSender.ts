import type { Attachment } from '../../shared/attachments';
import type { QueuedPrompt } from '../../shared/protocol';
import type { ContentBlock } from '../../shared/transcript/model';
import type { Emitter } from '../base/emitter';
import type { PromptQueues } from './promptQueue';
import type { Session, TurnResult } from './session';

export interface PromptSenderOptions {
  readonly queues: PromptQueues;
  readonly newId: () => string;
  /** Restores the session if need be, and runs the turn. */
  readonly prompt: (session: Session, blocks: readonly ContentBlock[]) => Promise<TurnResult>;
  /** What is attached, as content the session's agent takes. */
  readonly resolve: (
    session: Session,
    attachments: readonly Attachment[],
  ) => Promise<readonly ContentBlock[]>;
  readonly changed: Pick<Emitter<Session>, 'fire'>;
}

/** Sends what users type, one prompt after the other; what cannot be sent yet waits in the session's queue. */
export class PromptSender {
  /** Sessions whose next prompt is on its way: between the queue and the turn it may have to wait for a restore. */
  private readonly sending = new Set<string>();
  /** Sessions in which a cancel makes room for a queued prompt instead of ending the work. */
  private readonly sendAfterCancel = new Set<string>();

  constructor(private readonly options: PromptSenderOptions) {}

  isSending(session: Session): boolean {
    return this.sending.has(session.id);
  }

  /** While a turn runs, or others wait already, the prompt waits too. */
  submit(session: Session, text: string, attachments: readonly Attachment[]): void {
    this.options.queues.add(session.id, { id: this.options.newId(), text, attachments });
    this.options.changed.fire(session);
    this.sendNext(session);
  }

  /** Cancels what runs and sends this queued prompt as soon as it has ended. */
  async sendNow(session: Session, queuedId: string): Promise<void> {
    this.options.queues.move(session.id, queuedId, 0);
    this.options.changed.fire(session);
    if (session.isRunning) {
      this.sendAfterCancel.add(session.id);
      await session.cancel();
    } else {
      this.sendNext(session);
    }
  }

  /** Injects a queued prompt into the running turn; back in the queue if the agent would rather not. */
  async steer(session: Session, queuedId: string): Promise<void> {
    const { queues, changed } = this.options;
    const queued = queues.take(session.id, queuedId);
    if (queued === undefined) {
      return;
    }
    changed.fire(session);
    const wasTaken = await this.blocksOf(session, queued)
      .then((blocks) => session.steer(blocks))
      .catch((error: unknown) => {
        session.showError(error);
        return false;
      });
    if (!wasTaken) {
      queues.putBack(session.id, queued);
      changed.fire(session);
      this.sendNext(session);
    }
  }

  sendNext(session: Session): void {
    if (session.isRunning || this.isSending(session)) {
      return;
    }
    const next = this.options.queues.take(session.id);
    if (next !== undefined) {
      this.options.changed.fire(session);
      void this.send(session, next);
    }
  }

  private async blocksOf(session: Session, prompt: QueuedPrompt): Promise<readonly ContentBlock[]> {
    const attached = await this.options.resolve(session, prompt.attachments);
    return [...attached, { kind: 'text', text: prompt.text }];
  }

  private async send(session: Session, prompt: QueuedPrompt): Promise<void> {
    const turnsBefore = session.record.turnCount;
    let mayGoOn = false;
    this.sending.add(session.id);
    try {
      const { stopReason } = await this.options.prompt(session, await this.blocksOf(session, prompt));
      mayGoOn = stopReason !== 'cancelled' || this.sendAfterCancel.has(session.id);
    } catch (error) {
      if (session.record.turnCount === turnsBefore) {
        // It never reached the agent: it goes back to where the user can send it again.
        this.options.queues.putBack(session.id, prompt);
        session.showError(error);
        this.options.changed.fire(session);
      }
    }
    this.sending.delete(session.id);
    this.sendAfterCancel.delete(session.id);
    if (mayGoOn) {
      this.sendNext(session);
    }
  }
}
