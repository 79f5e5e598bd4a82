import type { TranscriptEvent, TurnOutcome } from '../../shared/transcript/events';
import type { ContentBlock } from '../../shared/transcript/model';
import { defaultTurnLimits, TurnWatch, type TurnLimits } from './turnWatch';

export interface TurnContext {
  readonly now: () => number;
  readonly newId: () => string;
  readonly limits: TurnLimits | undefined;
  readonly agentName: () => string;
  /** A question waits for the user: then silence is no wonder. */
  readonly isWaiting: () => boolean;
  readonly dispatch: (event: TranscriptEvent) => void;
}

/** What is known of a turn at its end. */
export interface TurnFacts {
  readonly filesChanged?: number | undefined;
  readonly tokens?: number | undefined;
}

/** One running turn, from the prompt to its end, with the notices that are true only meanwhile. */
export class Turn {
  wasCancelled = false;
  /** The agent has been asked. */
  isSent = false;
  private readonly watch: TurnWatch;
  private readonly notices = new Set<string>();
  private hasEnded = false;

  constructor(
    readonly id: number,
    blocks: readonly ContentBlock[],
    private readonly context: TurnContext,
  ) {
    const limits = context.limits ?? defaultTurnLimits;
    this.watch = new TurnWatch(
      limits,
      () => this.reportSilence(limits.silenceMs),
      () => this.offerForce(),
    );
    const entryId = context.newId();
    context.dispatch({ type: 'turnStarted', at: context.now(), turnId: id, entryId, blocks });
  }

  /** Any sign of life of the agent. */
  touch(): void {
    this.watch.touch();
    this.takeBack(this.silenceId);
  }

  cancelling(): void {
    this.wasCancelled = true;
    this.watch.cancelRequested();
    this.context.dispatch({ type: 'turnCancelling', turnId: this.id });
  }

  /** The first end counts; a late one changes nothing. */
  end(outcome: TurnOutcome, { filesChanged, tokens }: TurnFacts = {}): void {
    if (this.hasEnded) {
      return;
    }
    this.hasEnded = true;
    this.watch.dispose();
    [...this.notices].forEach((id) => this.takeBack(id));
    this.context.dispatch({
      type: 'turnEnded',
      at: this.context.now(),
      turnId: this.id,
      outcome,
      ...(filesChanged === undefined ? {} : { filesChanged }),
      ...(tokens === undefined ? {} : { tokens }),
    });
  }

  dispose(): void {
    this.watch.dispose();
  }

  private get silenceId(): string {
    return `silence-${this.id}`;
  }

  private reportSilence(silenceMs: number): void {
    if (this.notices.has(this.silenceId) || this.context.isWaiting()) {
      return;
    }
    const seconds = Math.round(silenceMs / 1000);
    const name = this.context.agentName();
    this.say(this.silenceId, {
      severity: 'info',
      text: `${name} has sent nothing for ${seconds} s. It may still be working; you can stop it.`,
    });
  }

  private offerForce(): void {
    this.say(`force-${this.id}`, {
      severity: 'warning',
      text: `${this.context.agentName()} does not react to Stop.`,
      actions: [{ label: 'Force stop', command: 'forceStop' }],
    });
  }

  private say(
    entryId: string,
    notice: Pick<Extract<TranscriptEvent, { type: 'noticeAdded' }>, 'severity' | 'text' | 'actions'>,
  ): void {
    this.notices.add(entryId);
    this.context.dispatch({ type: 'noticeAdded', at: this.context.now(), entryId, ...notice });
  }

  private takeBack(entryId: string): void {
    if (this.notices.delete(entryId)) {
      this.context.dispatch({ type: 'noticeRemoved', entryId });
    }
  }
}
