/**
 * What a conversation is, independent of ACP's wire shapes. Modelled on the protocol's second
 * version: entities with ids that are upserted, and a turn whose state comes in events.
 */
export interface Transcript {
  readonly entries: readonly Entry[];
  readonly turn: Turn;
  /** Output of the terminals that tool calls refer to, by terminal id. Kept after release. */
  readonly terminals: Readonly<Record<string, Terminal>>;
  readonly commands: readonly Command[];
  readonly config: readonly ConfigOption[];
  readonly usage: Usage | undefined;
  readonly title: string | undefined;
}

export type Turn =
  | { readonly state: 'idle' }
  | {
      readonly state: 'running';
      readonly turnId: number;
      readonly startedAt: number;
      readonly isCancelling: boolean;
    };

export type Entry =
  | UserEntry
  | AgentEntry
  | ThoughtEntry
  | ToolEntry
  | PlanEntry
  | NoticeEntry
  | ElicitationEntry
  | CompactionEntry;

export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  readonly at: number;
  readonly messageId: string | undefined;
  readonly blocks: readonly ContentBlock[];
  /** The turn it started; undefined when it started none, or the agent replayed it. */
  readonly turnId: number | undefined;
  /** Said into a turn that was running already. */
  readonly isSteered?: true;
  /** How much of the text the agent has sent back. */
  readonly echoed?: number;
  /** How that turn ended, once it has. */
  readonly end?: TurnEnd;
  /** Files that the agent changed in that turn, once it has ended and if that is known. */
  readonly filesChanged?: number;
}

export interface TurnEnd {
  readonly at: number;
  /** What it took, where the agent says it. */
  readonly tokens: number | undefined;
}

export interface AgentEntry {
  readonly kind: 'agent';
  readonly id: string;
  readonly at: number;
  readonly messageId: string | undefined;
  readonly blocks: readonly ContentBlock[];
}

export interface ThoughtEntry {
  readonly kind: 'thought';
  readonly id: string;
  readonly at: number;
  /** Time of the last chunk: `endedAt - at` is how long the agent thought. */
  readonly endedAt: number;
  readonly messageId: string | undefined;
  readonly blocks: readonly ContentBlock[];
}

export interface ToolEntry {
  readonly kind: 'tool';
  readonly id: string;
  readonly at: number;
  readonly title: string;
  /** The tool's programmatic name, where the agent gives one. */
  readonly name: string | undefined;
  readonly toolKind: ToolKind;
  readonly status: ToolStatus;
  readonly content: readonly ToolContent[];
  readonly locations: readonly Location[];
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
  /** The tool call of the sub-agent that made this one. */
  readonly parentId: string | undefined;
  /** Where its command runs, if the agent tells that apart from the input. */
  readonly folder?: string;
  readonly permissions: readonly Permission[];
}

export const toolKinds = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const;

export type ToolKind = (typeof toolKinds)[number];

/** A superset of the protocol's: `rejected` and `cancelled` are what the client knows by itself. */
export type ToolStatus = 'pending' | 'running' | 'completed' | 'failed' | 'rejected' | 'cancelled';

export type ToolContent =
  | { readonly kind: 'block'; readonly block: ContentBlock }
  | {
      readonly kind: 'diff';
      readonly path: string;
      /** Undefined for a new file. */
      readonly oldText: string | undefined;
      readonly newText: string;
    }
  | { readonly kind: 'terminal'; readonly terminalId: string };

/** Lines are 1-based, as in the protocol. */
export interface Location {
  readonly path: string;
  readonly line: number | undefined;
}

/** A question about one tool call: open until it has an outcome. */
export interface Permission {
  readonly requestId: string;
  readonly options: readonly PermissionOption[];
  readonly outcome: PermissionOutcome | undefined;
}

export interface PermissionOption {
  readonly id: string;
  readonly name: string;
  readonly kind: PermissionOptionKind;
}

export type PermissionOptionKind = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'other';

export type PermissionOutcome =
  | { readonly kind: 'selected'; readonly optionId: string; readonly rule?: string }
  | { readonly kind: 'cancelled' };

export interface PlanEntry {
  readonly kind: 'plan';
  readonly id: string;
  /** What the agent calls it, in every turn anew. */
  readonly planId: string;
  readonly at: number;
  readonly items: readonly PlanItem[];
  /** Plans given as a document instead of items. */
  readonly markdown: string | undefined;
  /** Plans that are files. */
  readonly uri: string | undefined;
}

export interface PlanItem {
  readonly text: string;
  readonly status: 'pending' | 'running' | 'completed';
  readonly priority: 'high' | 'medium' | 'low';
}

export interface NoticeEntry {
  readonly kind: 'notice';
  readonly id: string;
  readonly at: number;
  readonly severity: Severity;
  readonly text: string;
  /** Shown on demand, for example the agent's last lines of stderr. */
  readonly detail: string | undefined;
  readonly actions: readonly NoticeAction[];
}

export type Severity = 'info' | 'warning' | 'error';

/** A button in a notice. The host decides what it does by `command`. */
export interface NoticeAction {
  readonly label: string;
  readonly command: ActionCommand;
  readonly argument?: string;
}

export type ActionCommand =
  | 'retry'
  | 'restartAgent'
  | 'forceStop'
  | 'signIn'
  | 'showLog'
  | 'openSettings'
  | 'installAgent'
  | 'continueInNewSession'
  | 'reconnect'
  | 'stopAgent'
  | 'trustWorkspace'
  | 'openFolder'
  | 'undoReview';

export interface ElicitationEntry {
  readonly kind: 'elicitation';
  readonly id: string;
  readonly at: number;
  readonly message: string;
  readonly request: ElicitationRequest;
  readonly outcome: ElicitationOutcome | undefined;
  /** What was filled in, if it was accepted. */
  readonly answer?: FormAnswer;
}

/**
 * A page that was opened is `accepted`, and `completed` when the agent says that it has done its work. The user
 * cancels, the agent withdraws.
 */
export type ElicitationOutcome = 'accepted' | 'declined' | 'cancelled' | 'withdrawn' | 'completed';

export type ElicitationRequest =
  | { readonly mode: 'form'; readonly title: string | undefined; readonly fields: readonly FormField[] }
  | { readonly mode: 'url'; readonly url: string };

export interface FormField {
  readonly key: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly input: FormInput;
}

export type FormInput =
  | {
      readonly type: 'text';
      readonly format: string | undefined;
      readonly minLength: number | undefined;
      readonly maxLength: number | undefined;
      readonly pattern: string | undefined;
      readonly value: string | undefined;
    }
  | {
      readonly type: 'number';
      readonly isInteger: boolean;
      readonly minimum: number | undefined;
      readonly maximum: number | undefined;
      readonly value: number | undefined;
    }
  | { readonly type: 'boolean'; readonly value: boolean | undefined }
  | { readonly type: 'choice'; readonly choices: readonly Choice[]; readonly value: string | undefined }
  | {
      readonly type: 'choices';
      readonly choices: readonly Choice[];
      readonly minItems: number | undefined;
      readonly maxItems: number | undefined;
      readonly value: readonly string[];
    };

export interface Choice {
  readonly value: string;
  readonly title: string;
  readonly description: string | undefined;
}

export type FormAnswer = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface CompactionEntry {
  readonly kind: 'compaction';
  readonly id: string;
  readonly at: number;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly summary: string;
  readonly error: string | undefined;
}

export type ContentBlock =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image';
      readonly mimeType: string;
      /** Base64. */
      readonly data: string;
      readonly uri: string | undefined;
    }
  | { readonly kind: 'audio'; readonly mimeType: string; readonly data: string }
  | {
      readonly kind: 'resource';
      readonly uri: string;
      readonly mimeType: string | undefined;
      readonly text: string | undefined;
      /** Base64. */
      readonly blob: string | undefined;
    }
  | {
      readonly kind: 'resourceLink';
      readonly uri: string;
      readonly name: string;
      readonly title: string | undefined;
      readonly description: string | undefined;
      readonly mimeType: string | undefined;
      readonly size: number | undefined;
    }
  /** A kind this version does not know: kept, so that it can at least be shown as data. */
  | { readonly kind: 'unknown'; readonly type: string; readonly json: string };

export interface Terminal {
  readonly id: string;
  /** Run by this client, which can end it; else by the agent itself. */
  readonly isOurs: boolean;
  readonly output: string;
  /** The beginning was cut off to keep the output within bounds. */
  readonly isTruncated: boolean;
  readonly exit: TerminalExit | undefined;
}

export interface TerminalExit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}

export interface Command {
  readonly name: string;
  readonly description: string;
  readonly hint: string | undefined;
}

export interface ConfigOption {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly category: string | undefined;
  readonly input:
    | { readonly type: 'select'; readonly value: string; readonly groups: readonly ConfigGroup[] }
    | { readonly type: 'boolean'; readonly value: boolean };
}

/** Flat lists are one group without a name. */
export interface ConfigGroup {
  readonly name: string | undefined;
  readonly values: readonly Choice[];
}

export interface Usage {
  readonly used: number;
  readonly size: number;
  readonly cost: { readonly amount: number; readonly currency: string } | undefined;
}

export const emptyTranscript: Transcript = {
  entries: [],
  turn: { state: 'idle' },
  terminals: {},
  commands: [],
  config: [],
  usage: undefined,
  title: undefined,
};
