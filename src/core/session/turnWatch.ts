import type { IDisposable } from '../base/lifecycle';

export interface TurnLimits {
  /** Without any message from the agent. */
  readonly silenceMs: number;
  /** From Stop to the offer of force. */
  readonly cancelMs: number;
}

export const defaultTurnLimits: TurnLimits = { silenceMs: 60_000, cancelMs: 5_000 };

/** Notices that a running turn has gone silent, or that a cancel is not honoured. */
export class TurnWatch implements IDisposable {
  private silence: NodeJS.Timeout;
  private cancelling: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: TurnLimits,
    onSilence: () => void,
    private readonly onCancelIgnored: () => void,
  ) {
    this.silence = setTimeout(onSilence, limits.silenceMs);
  }

  /** Call on every sign of life. */
  touch(): void {
    this.silence.refresh();
  }

  cancelRequested(): void {
    this.cancelling ??= setTimeout(this.onCancelIgnored, this.limits.cancelMs);
  }

  dispose(): void {
    clearTimeout(this.silence);
    clearTimeout(this.cancelling);
  }
}
