import type { TerminalExit } from '../shared/transcript/model';
import type { Event } from './base/emitter';
import type { IDisposable } from './base/lifecycle';

/** What the core needs from the editor. Each port has one adapter in src/vscode and one fake in test/support. */

/** Errors are `FileProblem`s, which the agent is told with the right code. */
export interface FilePort {
  readTextFile(request: ReadRequest): Promise<string>;
  writeTextFile(request: WriteRequest): Promise<void>;
}

export interface ReadRequest {
  /** Ours, not the agent's. */
  readonly sessionId: string;
  /** The session's folder, and the other folders it may work in. */
  readonly roots: readonly string[];
  readonly path: string;
  /** 1-based. */
  readonly line: number | undefined;
  readonly limit: number | undefined;
}

export interface WriteRequest {
  readonly sessionId: string;
  readonly roots: readonly string[];
  readonly path: string;
  readonly content: string;
}

/** Why a file was not served, or a command not started. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';

  constructor(
    readonly kind: 'notFound' | 'invalid' | 'refused' | 'failed',
    message: string,
  ) {
    super(message);
  }
}

/** Errors are `FileProblem`s. */
export interface TerminalPort {
  create(request: TerminalRequest): Promise<AgentTerminal>;
}

export interface TerminalRequest {
  readonly sessionId: string;
  readonly roots: readonly string[];
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly outputByteLimit: number | undefined;
}

/** A command that an agent runs, until it is released. */
export interface AgentTerminal extends IDisposable {
  readonly id: string;
  readonly onDidWrite: Event<string>;
  readonly exited: Promise<TerminalExit>;
  output(): {
    readonly output: string;
    readonly isTruncated: boolean;
    readonly exit: TerminalExit | undefined;
  };
  kill(): void;
  /** What the user typed for it; undefined: there will be no more. False when the command reads no input. */
  takeInput(data: string | undefined): boolean;
}

/** VS Code's `Memento`, without the key list. */
export interface Memento {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

type Thenable<T> = PromiseLike<T>;
