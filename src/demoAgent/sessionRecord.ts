import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { defaultSettings, type Settings } from './settings';

/** One conversation as it is kept on disk. */
export interface SessionRecord {
  readonly sessionId: string;
  readonly cwd: string;
  readonly title: string | undefined;
  readonly updatedAt: string;
  readonly settings: Settings;
  /** Everything that `session/load` has to replay. */
  readonly updates: readonly SessionUpdate[];
}

/** Undefined when the text is not a record, for example a file cut short by a full disk. */
export function parseSessionRecord(text: string): SessionRecord | undefined {
  const value = parseJson(text);
  if (!isObject(value) || !Array.isArray(value.updates)) {
    return undefined;
  }
  const { sessionId, cwd, title, updatedAt, settings } = value;
  if (typeof sessionId !== 'string' || typeof cwd !== 'string' || typeof updatedAt !== 'string') {
    return undefined;
  }
  return {
    sessionId,
    cwd,
    title: typeof title === 'string' ? title : undefined,
    updatedAt,
    settings: parseSettings(settings),
    updates: value.updates.filter(isUpdate),
  };
}

/** Joins the chunks of one message, so that a replay sends each message once. */
export function appendUpdate(updates: readonly SessionUpdate[], next: SessionUpdate): SessionUpdate[] {
  const last = updates.at(-1);
  const joined = last && joinChunks(last, next);
  return joined ? [...updates.slice(0, -1), joined] : [...updates, next];
}

function joinChunks(last: SessionUpdate, next: SessionUpdate): SessionUpdate | undefined {
  if (next.sessionUpdate !== 'agent_message_chunk' && next.sessionUpdate !== 'agent_thought_chunk') {
    return undefined;
  }
  if (last.sessionUpdate !== next.sessionUpdate || last.messageId !== next.messageId) {
    return undefined;
  }
  if (last.content.type !== 'text' || next.content.type !== 'text') {
    return undefined;
  }
  return { ...next, content: { type: 'text', text: last.content.text + next.content.text } };
}

function parseSettings(value: unknown): Settings {
  if (!isObject(value)) {
    return defaultSettings;
  }
  const text = (key: 'mode' | 'model' | 'pace'): string => {
    const given = value[key];
    return typeof given === 'string' ? given : defaultSettings[key];
  };
  return {
    mode: text('mode'),
    model: text('model'),
    pace: text('pace'),
    showsThoughts: value.showsThoughts !== false,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The agent wrote the file itself, so the discriminant is proof enough. */
function isUpdate(value: unknown): value is SessionUpdate {
  return isObject(value) && typeof value.sessionUpdate === 'string';
}
