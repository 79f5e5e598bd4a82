import type { Attachment } from '../../shared/attachments';
import type { QueuedPrompt } from '../../shared/protocol';
import type { ContentBlock } from '../../shared/transcript/model';
import type { Emitter } from '../base/emitter';
import { ParleyError } from '../base/errors';
import { commandFirst } from './commandFirst';
import type { PromptQueues } from './promptQueue';
import type { Session, TurnResult } from './session';

export interface PromptSenderOptions {
  readonly queues: PromptQueues;
  readonly newId: () => string;
  /** Restores the session if need be, and runs the turn. */
  readonly prompt: (
    session: Session,
    blocks: readonly ContentBlock[],
    onStarted: () => void,
  ) => Promise<TurnResult>;
  readonly makeLive: (session: Session) => Promise<void>;
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

  /** Injects a queued prompt into the running turn; it stays in the queue if the agent would rather not. */
  async steer(session: Session, queuedId: string): Promise<void> {
    const { queues, changed } = this.options;
    const queued = queues.of(session.id).find(({ id }) => id === queuedId);
    if (queued === undefined) {
      return;
    }
    const wasTaken = await this.blocksOf(session, queued)
      .then((blocks) => session.steer(blocks))
      .catch((error: unknown) => {
        session.showError(error);
        return false;
      });
    if (wasTaken) {
      queues.take(session.id, queuedId);
      changed.fire(session);
    } else {
      this.sendNext(session);
    }
  }

  sendNext(session: Session): void {
    const [next] = this.options.queues.of(session.id);
    if (next !== undefined && !session.isRunning && !this.isSending(session)) {
      void this.send(session, next);
    }
  }

  /** A turn has ended, whoever began it: the queue goes on, unless the user stopped the work. */
  turnEnded(session: Session, stopReason: string): void {
    const isForNext = this.sendAfterCancel.delete(session.id);
    if (stopReason !== 'cancelled' || isForNext) {
      this.sendNext(session);
    }
  }

  private async blocksOf(session: Session, prompt: QueuedPrompt): Promise<readonly ContentBlock[]> {
    const attached = await this.options.resolve(session, prompt.attachments);
    return prompt.text === '' ? attached : commandFirst(attached, [{ kind: 'text', text: prompt.text }]);
  }

  /** It leaves the queue when it is in the transcript: until then a reload or a failure finds it where it was. */
  private async send(session: Session, prompt: QueuedPrompt): Promise<void> {
    const { queues, changed } = this.options;
    let stopReason = 'cancelled';
    this.sending.add(session.id);
    try {
      // What the agent takes is known only when it is there.
      await this.options.makeLive(session);
      const blocks = await this.blocksOf(session, prompt);
      const result = await this.options.prompt(session, blocks, () => {
        queues.take(session.id, prompt.id);
        changed.fire(session);
      });
      ({ stopReason } = result);
    } catch (error) {
      // Another caller's turn was first; the end of that one sends this.
      const isWaiting = queues.of(session.id).some(({ id }) => id === prompt.id);
      if (isWaiting && !ParleyError.is(error, 'promptActive')) {
        session.showError(error);
      }
    }
    this.sending.delete(session.id);
    this.turnEnded(session, stopReason);
  }
}
