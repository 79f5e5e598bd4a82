import type { TranscriptEvent } from '../../shared/transcript/events';
import type {
  ConfigOption,
  ElicitationRequest,
  FormAnswer,
  PermissionOption,
  PermissionOutcome,
} from '../../shared/transcript/model';
import type { ConfigMethod } from './configOptions';

/** What a session of ours is to the connection: where its events and questions go. */
export interface SessionSink {
  /** Ours, not the agent's. */
  readonly id: string;
  readonly workdir: string;
  /** The folder, and the others that the session may work in. */
  readonly roots: readonly string[];
  onEvents(events: readonly TranscriptEvent[]): void;
  askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionOutcome>;
  askElicitation(question: ElicitationQuestion, signal: AbortSignal): Promise<ElicitationOutcome>;
  /** The agent says that a page it had opened has done its work. False for a question that is not this one's. */
  completeElicitation(elicitationId: string): boolean;
  /** Any sign of life in this session, for the watch on silent turns. */
  onActivity(): void;
}

export interface PermissionQuestion {
  readonly toolId: string;
  readonly options: readonly PermissionOption[];
}

export interface ElicitationQuestion {
  /** The agent's id for it, by which it may later say that it is complete. */
  readonly elicitationId: string | undefined;
  readonly message: string;
  readonly request: ElicitationRequest;
}

export type ElicitationOutcome =
  | { readonly action: 'accept'; readonly content?: FormAnswer }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** A session as the agent has just opened it. */
export interface OpenedSession {
  readonly agentSessionId: string;
  readonly config: readonly ConfigOption[];
  readonly configMethods: Readonly<Record<string, ConfigMethod>>;
}

export interface ListedSession {
  readonly agentSessionId: string;
  readonly workdir: string | undefined;
  readonly title: string | undefined;
  readonly updatedAt: number | undefined;
}

export interface PromptResult {
  readonly stopReason: string;
  /** What the turn took, where the agent says it. */
  readonly tokens: number | undefined;
}

export type SteeringOutcome = 'injected' | 'startedNewTurn' | 'promptRequired' | 'failed';
