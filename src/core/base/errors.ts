/** What went wrong, from the user's side. Words and buttons are chosen by `code`, never by message text. */
export type ErrorCode =
  | 'agentNotFound'
  | 'agentExited'
  | 'agentTimeout'
  | 'protocolMismatch'
  | 'authRequired'
  | 'promptActive'
  | 'sessionClosed'
  | 'sessionNotFound'
  | 'processLimit'
  | 'folderNotAllowed'
  | 'notTrusted'
  | 'invalidConfig'
  | 'requestFailed';

export interface ErrorExtras extends ErrorOptions {
  /** Shown behind "Show details", for example the agent's last lines of stderr. */
  readonly detail?: string;
  /** The session's status, with `sessionClosed`. */
  readonly status?: string;
  /** The JSON-RPC code, with `requestFailed`. */
  readonly rpcCode?: number;
  /** How the user can sign in, with `authRequired`. */
  readonly signIn?: readonly SignInMethod[];
}

export interface SignInMethod {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** `agent`: the agent signs in by itself when asked to; others need an interactive terminal. */
  readonly type: 'agent' | 'terminal';
}

export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  readonly detail: string | undefined;
  readonly status: string | undefined;
  readonly rpcCode: number | undefined;
  readonly signIn: readonly SignInMethod[];

  constructor(
    readonly code: ErrorCode,
    message: string,
    extras?: ErrorExtras,
  ) {
    super(message, extras);
    this.detail = extras?.detail;
    this.status = extras?.status;
    this.rpcCode = extras?.rpcCode;
    this.signIn = extras?.signIn ?? [];
  }

  /** By name, not `instanceof`: the lazily loaded bundles each carry a copy of this class. */
  static is(error: unknown, code?: ErrorCode): error is ParleyError {
    return (
      error instanceof Error &&
      error.name === 'ParleyError' &&
      'code' in error &&
      (code === undefined || error.code === code)
    );
  }
}

export function asError(error: unknown): Error {
  return error instanceof Error
    ? error
    : new Error(typeof error === 'string' ? error : JSON.stringify(error));
}
