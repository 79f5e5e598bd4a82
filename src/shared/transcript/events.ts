import type {
  Command,
  CompactionEntry,
  ConfigOption,
  ContentBlock,
  ElicitationOutcome,
  ElicitationRequest,
  FormAnswer,
  Location,
  NoticeAction,
  Permission,
  PermissionOption,
  PermissionOutcome,
  PlanItem,
  Severity,
  TerminalExit,
  ToolContent,
  ToolKind,
  ToolStatus,
  Usage,
  UserEntry,
} from './model';

/**
 * Everything that can change a transcript. Events carry their own ids and times, so that reducing
 * the same list always gives the same transcript, in the host and in the webview.
 */
export type TranscriptEvent =
  | TurnStarted
  | TurnCancelling
  | TurnEnded
  | MessageSteered
  | MessageChunk
  | ToolUpserted
  | PermissionAsked
  | PermissionAnswered
  | ElicitationAsked
  | ElicitationAnswered
  | PlanUpserted
  | PlanRemoved
  | NoticeAdded
  | NoticeRemoved
  | CompactionUpserted
  | CompactionChunk
  | TerminalStarted
  | TerminalOutput
  | TerminalExited
  | CommandsChanged
  | ConfigChanged
  | ConfigValueChanged
  | UsageChanged
  | TitleChanged
  | Cleared
  | ReplayEnded;

export interface TurnStarted {
  readonly type: 'turnStarted';
  readonly at: number;
  readonly turnId: number;
  readonly entryId: string;
  readonly blocks: readonly ContentBlock[];
}

/** The user pressed Stop; the agent has not answered yet. */
export interface TurnCancelling {
  readonly type: 'turnCancelling';
  readonly turnId: number;
}

export interface TurnEnded {
  readonly type: 'turnEnded';
  readonly at: number;
  readonly turnId: number;
  readonly outcome: TurnOutcome;
  /** By whatever way the agent wrote. Absent when nobody looked. */
  readonly filesChanged?: number;
  readonly tokens?: number;
}

export type TurnOutcome =
  | { readonly kind: 'done'; readonly stopReason: string; readonly notice?: EndNotice }
  | { readonly kind: 'cancelled'; readonly notice?: EndNotice }
  | { readonly kind: 'failed'; readonly notice: EndNotice };

/** What the end of a turn says, when it says something. */
export interface EndNotice {
  readonly entryId: string;
  readonly severity: Severity;
  readonly text: string;
  readonly detail?: string;
  readonly actions?: readonly NoticeAction[];
}

/** The user said something into the running turn, and the agent took it. */
export interface MessageSteered {
  readonly type: 'messageSteered';
  readonly at: number;
  readonly entryId: string;
  readonly blocks: readonly ContentBlock[];
}

export interface MessageChunk {
  readonly type: 'messageChunk';
  readonly at: number;
  /** Time of the last of several chunks that were joined into this one. */
  readonly until?: number;
  readonly role: 'user' | 'agent' | 'thought';
  /** Used when the chunk opens a new entry. */
  readonly entryId: string;
  readonly messageId: string | undefined;
  readonly block: ContentBlock;
}

/** Fields that are absent or undefined stay as they are. */
export interface ToolUpserted {
  readonly type: 'toolUpserted';
  readonly at: number;
  readonly id: string;
  readonly title?: string;
  readonly name?: string;
  readonly toolKind?: ToolKind;
  readonly status?: ToolStatus;
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly Location[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly parentId?: string;
  readonly folder?: string;
}

export interface PermissionAsked {
  readonly type: 'permissionAsked';
  readonly at: number;
  readonly requestId: string;
  readonly toolId: string;
  readonly options: readonly PermissionOption[];
}

export interface PermissionAnswered {
  readonly type: 'permissionAnswered';
  readonly at: number;
  readonly requestId: string;
  readonly toolId: string;
  readonly outcome: PermissionOutcome;
}

export interface ElicitationAsked {
  readonly type: 'elicitationAsked';
  readonly at: number;
  readonly id: string;
  readonly message: string;
  readonly request: ElicitationRequest;
}

export interface ElicitationAnswered {
  readonly type: 'elicitationAnswered';
  readonly id: string;
  readonly outcome: ElicitationOutcome;
  readonly answer?: FormAnswer;
}

/** Replaces the whole plan with that id in its turn. */
export interface PlanUpserted {
  readonly type: 'planUpserted';
  readonly at: number;
  readonly id: string;
  readonly items: readonly PlanItem[];
  readonly markdown?: string;
  readonly uri?: string;
}

export interface PlanRemoved {
  readonly type: 'planRemoved';
  readonly id: string;
}

export interface NoticeAdded {
  readonly type: 'noticeAdded';
  readonly at: number;
  readonly entryId: string;
  readonly severity: Severity;
  readonly text: string;
  readonly detail?: string;
  readonly actions?: readonly NoticeAction[];
}

/** For notices that stop being true, such as "no answer for 60 s". */
export interface NoticeRemoved {
  readonly type: 'noticeRemoved';
  readonly entryId: string;
}

export interface CompactionUpserted {
  readonly type: 'compactionUpserted';
  readonly at: number;
  readonly id: string;
  readonly status?: CompactionEntry['status'];
  /** An empty one takes back what was said before. */
  readonly summary?: string;
  readonly error?: string;
}

export interface CompactionChunk {
  readonly type: 'compactionChunk';
  readonly at: number;
  readonly id: string;
  readonly text: string;
}

/** A command that this client runs for the agent; agents tell of their own commands only what they write. */
export interface TerminalStarted {
  readonly type: 'terminalStarted';
  readonly terminalId: string;
}

export interface TerminalOutput {
  readonly type: 'terminalOutput';
  readonly terminalId: string;
  readonly data: string;
}

export interface TerminalExited {
  readonly type: 'terminalExited';
  readonly terminalId: string;
  readonly exit: TerminalExit;
}

export interface CommandsChanged {
  readonly type: 'commandsChanged';
  readonly commands: readonly Command[];
}

export interface ConfigChanged {
  readonly type: 'configChanged';
  readonly config: readonly ConfigOption[];
}

export interface ConfigValueChanged {
  readonly type: 'configValueChanged';
  readonly id: string;
  readonly value: string | boolean;
}

export interface UsageChanged {
  readonly type: 'usageChanged';
  readonly usage: Usage;
}

export interface TitleChanged {
  readonly type: 'titleChanged';
  readonly title: string | undefined;
}

/** The history is about to be replayed from the start. */
export interface Cleared {
  readonly type: 'cleared';
}

/** The history is whole. What it left open was never finished. */
export interface ReplayEnded {
  readonly type: 'replayEnded';
  readonly known?: KnownBefore;
}

/** What Parley knew of a conversation before its agent replayed it, and the agent does not tell. */
export interface KnownBefore {
  /** By the id of the replayed entry. */
  readonly prompts: Readonly<Record<string, Pick<UserEntry, 'at' | 'turnId' | 'end' | 'filesChanged'>>>;
  /** By the id of the tool call. */
  readonly permissions: Readonly<Record<string, readonly Permission[]>>;
}
