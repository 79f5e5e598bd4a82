import type { SessionStatus } from '../../shared/protocol';
import type { TranscriptEvent } from '../../shared/transcript/events';
import type { ContentBlock } from '../../shared/transcript/model';
import { readBlock } from '../agent/contentBlocks';
import type { AgentDefinition } from '../agents/agentPool';
import { ParleyError } from '../base/errors';
import type { IDisposable } from '../base/lifecycle';
import type { Session, TurnResult } from '../session/session';
import type { SessionRecord } from '../session/sessionRecord';
import type { Sessions } from '../session/sessions';

/**
 * What `vscode.extensions.getExtension('parley.parley').exports` offers other extensions. Failures are errors
 * whose `code` is one of the codes in core/base/errors.ts.
 */
export interface ParleyApi {
  readonly version: 1;
  readonly agents: {
    list(): Promise<readonly ApiAgent[]>;
  };
  readonly sessions: {
    /** Resolves when the agent has opened the session. */
    start(request: StartSession): Promise<SessionRecord>;
    list(filter?: SessionFilter): Promise<readonly SessionRecord[]>;
    get(sessionId: string): Promise<SessionRecord | undefined>;
    /**
     * Text, or content blocks as in ACP. Resolves at the end of the turn. Rejects with `promptActive` while another
     * one runs, and with `sessionClosed` when the session was closed.
     */
    prompt(sessionId: string, prompt: string | readonly object[]): Promise<TurnResult>;
    cancel(sessionId: string): Promise<void>;
    setConfig(sessionId: string, configId: string, value: string | boolean): Promise<void>;
    close(sessionId: string): Promise<void>;
    /** Metadata that changed, or an event of a transcript. */
    onDidUpdate(listener: (update: SessionUpdate) => void): IDisposable;
  };
}

export interface ApiAgent {
  readonly id: string;
  readonly name: string;
}

export interface StartSession {
  readonly agentId: string;
  /** A workspace folder, or a folder inside one. The first one unless given. */
  readonly folder?: string;
  readonly title?: string;
}

export interface SessionFilter {
  readonly agentId?: string;
  readonly status?: SessionStatus;
}

export interface SessionUpdate {
  readonly session: SessionRecord;
  readonly event?: TranscriptEvent;
}

export interface ApiOptions {
  readonly sessions: Sessions;
  readonly agents: () => readonly AgentDefinition[];
  readonly chooseFolder: () => Promise<string>;
}

export function createApi({ sessions, agents, chooseFolder }: ApiOptions): ParleyApi {
  return {
    version: 1,
    agents: { list: () => Promise.resolve(agents().map(({ id, name }) => ({ id, name }))) },
    sessions: {
      async start({ agentId, folder, title }) {
        const session = await sessions.start({ agentId, folder: folder ?? (await chooseFolder()), title });
        return session.record;
      },
      list(filter = {}) {
        const records = sessions
          .all()
          .map((session) => session.record)
          .filter((record) => filter.agentId === undefined || record.agentId === filter.agentId)
          .filter((record) => filter.status === undefined || record.status === filter.status);
        return Promise.resolve(records);
      },
      get: (sessionId) => Promise.resolve(sessions.get(sessionId)?.record),
      prompt: async (sessionId, prompt) => sessions.prompt(sessionId, readPrompt(prompt), 'api'),
      cancel: (sessionId) => sessions.require(sessionId).cancel(),
      setConfig: (sessionId, configId, value) => sessions.require(sessionId).setConfig(configId, value),
      close: (sessionId) => sessions.close(sessionId),
      onDidUpdate(listener) {
        const told = (session: Session | undefined, event?: TranscriptEvent): void => {
          if (session !== undefined) {
            listener(event === undefined ? { session: session.record } : { session: session.record, event });
          }
        };
        const changes = sessions.onDidChange((session) => told(session));
        const events = sessions.onDidDispatch(({ session, event }) => told(session, event));
        return {
          dispose: () => {
            changes.dispose();
            events.dispose();
          },
        };
      },
    },
  };
}

function readPrompt(prompt: string | readonly object[]): readonly ContentBlock[] {
  if (typeof prompt === 'string') {
    return [{ kind: 'text', text: prompt }];
  }
  return prompt.map((value) => {
    const block = readBlock(value);
    if (block === undefined || block.kind === 'unknown') {
      throw new ParleyError('requestFailed', `Not a content block: ${JSON.stringify(value).slice(0, 200)}`);
    }
    return block;
  });
}
