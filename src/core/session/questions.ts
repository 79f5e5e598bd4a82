import type { PermissionOutcome } from '../../shared/transcript/model';
import type { ElicitationOutcome, ElicitationQuestion, PermissionQuestion } from '../agent/agentSession';
import type { ElicitationAnswered, TranscriptEvent } from '../../shared/transcript/events';
import type { ElicitationAnswer } from '../../shared/protocol';

interface QuestionContext {
  readonly now: () => number;
  readonly newId: () => string;
  readonly dispatch: (event: TranscriptEvent) => void;
  /** False when the user would not have it opened. */
  readonly openExternal: (url: string) => Promise<boolean>;
}

interface OpenQuestion {
  cancel(): void;
}

/**
 * What an agent has asked and nobody has answered yet. Every question gets exactly one answer: the
 * user's, or `cancelled` when the turn ends, the agent withdraws, or the session goes away.
 */
export class Questions {
  private readonly permissions = new Map<string, OpenQuestion & { select(optionId: string): void }>();
  private readonly elicitations = new Map<
    string,
    OpenQuestion & { answer(answer: ElicitationAnswer): void }
  >();

  /** Pages that agents asked to open, by the agent's id: they may say later that it is complete. */
  private readonly pages = new Map<string, string>();

  constructor(private readonly context: QuestionContext) {}

  get isAnyOpen(): boolean {
    return this.permissions.size + this.elicitations.size > 0;
  }

  askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome> {
    const { dispatch, now, newId } = this.context;
    const requestId = newId();
    const { toolId, options } = question;
    dispatch({ type: 'permissionAsked', at: now(), requestId, toolId, options });
    return new Promise((resolve) => {
      const settle = (outcome: PermissionOutcome): void => {
        if (this.permissions.delete(requestId)) {
          dispatch({ type: 'permissionAnswered', at: now(), requestId, toolId, outcome });
          resolve(outcome);
        }
      };
      const cancel = (): void => settle({ kind: 'cancelled' });
      this.permissions.set(requestId, {
        cancel,
        select: (optionId) => settle({ kind: 'selected', optionId }),
      });
      onAbort(signal, cancel);
    });
  }

  /** False when the question is not open (any more) or has no such option. */
  answerPermission(requestId: string, optionId: string): boolean {
    const question = this.permissions.get(requestId);
    question?.select(optionId);
    return question !== undefined;
  }

  askElicitation(question: ElicitationQuestion, signal: AbortSignal): Promise<ElicitationOutcome> {
    const { dispatch, now, newId } = this.context;
    const id = newId();
    if (question.request.mode === 'url' && question.elicitationId !== undefined) {
      this.pages.set(question.elicitationId, id);
    }
    dispatch({
      type: 'elicitationAsked',
      at: now(),
      id,
      message: question.message,
      request: question.request,
    });
    return new Promise((resolve) => {
      const settle = (answer: ElicitationAnswer, outcome = outcomes[answer.action]): void => {
        if (this.elicitations.delete(id)) {
          const given = answer.action === 'accept' ? { answer: answer.content } : {};
          dispatch({ type: 'elicitationAnswered', id, outcome, ...given });
          resolve(answer);
        }
      };
      const cancel = (): void => settle({ action: 'cancel' });
      const { request } = question;
      let isOpening = false;
      const answer = (given: ElicitationAnswer): void => {
        if (given.action !== 'accept' || request.mode !== 'url') {
          settle(given);
        } else if (!isOpening) {
          isOpening = true;
          // The editor asks again; only what comes of that is the answer.
          void this.context
            .openExternal(request.url)
            .catch(() => false)
            .then((wasOpened) => settle(wasOpened ? given : { action: 'cancel' }));
        }
      };
      this.elicitations.set(id, { cancel, answer });
      onAbort(signal, () => settle({ action: 'cancel' }, 'withdrawn'));
    });
  }

  answerElicitation(id: string, answer: ElicitationAnswer): boolean {
    const question = this.elicitations.get(id);
    question?.answer(answer);
    return question !== undefined;
  }

  /** Once per page. One that was never opened from here needs no consent any more. */
  completeElicitation(elicitationId: string): boolean {
    const id = this.pages.get(elicitationId);
    if (id === undefined) {
      return false;
    }
    this.pages.delete(elicitationId);
    this.context.dispatch({ type: 'elicitationAnswered', id, outcome: 'completed' });
    this.elicitations.get(id)?.cancel();
    return true;
  }

  cancelAll(): void {
    for (const question of [...this.permissions.values(), ...this.elicitations.values()]) {
      question.cancel();
    }
  }
}

const outcomes: Readonly<Record<ElicitationAnswer['action'], ElicitationAnswered['outcome']>> = {
  accept: 'accepted',
  decline: 'declined',
  cancel: 'cancelled',
};

function onAbort(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) {
    run();
  } else {
    signal.addEventListener('abort', run, { once: true });
  }
}
