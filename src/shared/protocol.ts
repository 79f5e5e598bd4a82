import type { Attachment, ContextSuggestion } from './attachments';
import type { TranscriptEvent } from './transcript/events';
import type { ActionCommand, FormAnswer, Transcript } from './transcript/model';

/**
 * Everything that crosses between the extension host and a chat webview. The host owns the truth:
 * a webview may die at any moment and comes back from `state` and `snapshot`.
 */

/** What a chat shows besides the transcript. Sent whole whenever any of it changes. */
export interface ChatState {
  /** Where this chat lives; an editor tab keeps its session for good. */
  readonly place: 'view' | 'editor';
  /** Why no agent can be used here at all. */
  readonly obstacle: 'noFolder' | 'untrusted' | undefined;
  readonly agents: readonly AgentSummary[];
  /** The agent a new session is started with. */
  readonly agentId: string | undefined;
  /** Agents that are installed, while the user has set up none and has not chosen the demo; before a session only. */
  readonly offer: readonly AgentSummary[] | undefined;
  readonly session: SessionSummary | undefined;
  /** Something the user waits for before the session can answer; in words, such as "Starting Gemini…". */
  readonly progress: string | undefined;
  readonly queue: readonly QueuedPrompt[];
  /** The latest other sessions, for the empty state. */
  readonly recent: readonly SessionSummary[];
  readonly changes: ChangesSummary;
  /** Turns whose beginning the files can be brought back to. */
  readonly checkpoints: readonly number[];
}

/** What agents changed in a session and the user has neither kept nor undone. */
export interface ChangesSummary {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** The last keep or undo, as long as it can be taken back from here. */
  readonly reviewed: { readonly kind: 'kept' | 'undone'; readonly files: number } | undefined;
}

export interface AgentSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
}

export type SessionStatus = 'active' | 'idle' | 'disconnected' | 'error' | 'closed';

export interface SessionSummary {
  readonly sessionId: string;
  readonly title: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly status: SessionStatus;
  /** Why it is closed, in error or disconnected, in words. */
  readonly statusReason: string | undefined;
  /** Where its agent works: paths are shown from there on. */
  readonly workdir: string;
  /** The stored transcript is all there is; the agent cannot bring the session back. */
  readonly isReadOnly: boolean;
  readonly canSteer: boolean;
  readonly lastActiveAt: number;
  /** What the agent takes besides text. */
  readonly accepts: { readonly image: boolean; readonly audio: boolean; readonly embeddedContext: boolean };
}

export interface QueuedPrompt {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export type HostMessage =
  | { readonly type: 'state'; readonly state: ChatState }
  /** Replaces what the webview shows. `sessionId` is empty while there is no session yet. */
  | {
      readonly type: 'snapshot';
      readonly seq: number;
      readonly sessionId: string;
      readonly transcript: Transcript;
      /** Only its end, to be seen at once: the whole of it comes for `resync`. */
      readonly isEnd?: true;
    }
  /** Applies on top of the message with the previous `seq`; a gap asks for `resync`. */
  | {
      readonly type: 'events';
      readonly seq: number;
      readonly sessionId: string;
      readonly events: readonly TranscriptEvent[];
    }
  /** Sets the composer's text: after a switch of sessions, a reload or a send that failed. */
  | {
      readonly type: 'draft';
      readonly sessionId: string;
      readonly text: string;
      readonly attachments: readonly Attachment[];
    }
  /** Adds chips to the composer: from commands, menus and the file picker. */
  | { readonly type: 'attach'; readonly attachments: readonly Attachment[] }
  /** Answers `searchContext`. */
  | {
      readonly type: 'contextFound';
      readonly requestId: number;
      readonly suggestions: readonly ContextSuggestion[];
    }
  /** Answers `loadImage`; without an address there is nothing that may be shown. */
  | {
      readonly type: 'image';
      readonly sessionId: string;
      readonly path: string;
      readonly address: string | undefined;
    }
  | { readonly type: 'focusComposer' }
  /** Brings the oldest question that waits for the user into sight. */
  | { readonly type: 'goToQuestion' }
  /** Closes all tool calls, or opens them when none is open. */
  | { readonly type: 'toggleToolCalls' }
  | { readonly type: 'insertText'; readonly text: string };

export type WebviewMessage =
  | { readonly type: 'ready' }
  /** The page got the focus, or lost it. */
  | { readonly type: 'focusChanged'; readonly hasFocus: boolean }
  /** The webview noticed a gap in `seq`, or has shown the end of a transcript. */
  | { readonly type: 'resync' }
  /** An empty `sessionId` starts a session with the chosen agent. While a turn runs the prompt is queued. */
  | {
      readonly type: 'submitPrompt';
      readonly sessionId: string;
      readonly text: string;
      readonly attachments: readonly Attachment[];
    }
  | { readonly type: 'cancelTurn'; readonly sessionId: string }
  | {
      readonly type: 'saveDraft';
      readonly sessionId: string;
      readonly text: string;
      readonly attachments: readonly Attachment[];
    }
  /** What the @ menu shows for a query; an empty one gives the most likely. */
  | { readonly type: 'searchContext'; readonly requestId: number; readonly query: string }
  /** Opens VS Code's file picker; the answer comes as `attach`. */
  | { readonly type: 'pickFiles' }
  | { readonly type: 'addTerminalSelection' }
  | {
      readonly type: 'answerPermission';
      readonly sessionId: string;
      readonly requestId: string;
      readonly optionId: string;
    }
  /** Makes a standing rule of a question's subject, and answers the question by it. */
  | {
      readonly type: 'alwaysAllow';
      readonly sessionId: string;
      readonly requestId: string;
      readonly scope: RuleScope;
    }
  | {
      readonly type: 'answerElicitation';
      readonly sessionId: string;
      readonly id: string;
      readonly answer: ElicitationAnswer;
    }
  | {
      readonly type: 'setConfig';
      readonly sessionId: string;
      readonly configId: string;
      readonly value: string | boolean;
    }
  | { readonly type: 'selectAgent'; readonly agentId: string }
  /** Sets up an agent of the offer and starts a session with it. */
  | { readonly type: 'addAgent'; readonly agentId: string }
  | { readonly type: 'openSession'; readonly sessionId: string }
  | { readonly type: 'renameSession'; readonly sessionId: string; readonly title: string }
  | { readonly type: 'removeQueued'; readonly sessionId: string; readonly id: string }
  | { readonly type: 'editQueued'; readonly sessionId: string; readonly id: string; readonly text: string }
  /** Moves a queued prompt so that it stands at `index`. */
  | { readonly type: 'moveQueued'; readonly sessionId: string; readonly id: string; readonly index: number }
  /** Cancels the running turn and sends this one next. */
  | { readonly type: 'sendQueuedNow'; readonly sessionId: string; readonly id: string }
  /** Injects a queued prompt into the running turn, where the agent supports it. */
  | { readonly type: 'steerQueued'; readonly sessionId: string; readonly id: string }
  | { readonly type: 'openLink'; readonly href: string }
  /** An answer shows an image of the workspace. */
  | { readonly type: 'loadImage'; readonly sessionId: string; readonly path: string }
  /** Code of an answer: into the active editor, or into a new untitled one. */
  | { readonly type: 'insertCode'; readonly text: string }
  | { readonly type: 'newFile'; readonly text: string; readonly language: string }
  | { readonly type: 'killTerminal'; readonly sessionId: string; readonly terminalId: string }
  /** Shows the output in VS Code's own terminal. */
  | { readonly type: 'openTerminal'; readonly sessionId: string; readonly terminalId: string }
  | { readonly type: 'openLocation'; readonly path: string; readonly line: number | undefined }
  /** Opens a tool call's diff in VS Code's diff editor; `index` counts its content. */
  | {
      readonly type: 'openDiff';
      readonly sessionId: string;
      readonly toolId: string;
      readonly index: number;
    }
  | { readonly type: 'keepChanges'; readonly sessionId: string }
  | { readonly type: 'undoChanges'; readonly sessionId: string }
  | { readonly type: 'reviewChanges'; readonly sessionId: string }
  /** Takes the last keep or undo back. */
  | { readonly type: 'undoReview' }
  /** Offers to bring the files back to what they were before that turn. */
  | { readonly type: 'restoreCheckpoint'; readonly sessionId: string; readonly turnId: number }
  | {
      readonly type: 'runAction';
      readonly sessionId: string;
      readonly command: ActionCommand;
      readonly argument: string | undefined;
    };

export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: FormAnswer }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** How far "always" reaches: this very command, these files, or every call of that kind. */
export type RuleScope = 'command' | 'path' | 'kind';
