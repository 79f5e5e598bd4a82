import { readRecording } from '../test/support/recording';
import { asObject, type JsonObject } from '../src/shared/json';

const agents = ['claude', 'copilot', 'gemini', 'opencode'];

/**
 * What real agents sent, one after the other and again from the start, as the lines of one session. Ids differ
 * from pass to pass, as they would; the prompts that agents send back are left out, being no part of an answer.
 */
export function recordedUpdates(count: number, sessionId: string): readonly string[] {
  const updates = agents.flatMap(updatesOf);
  return Array.from({ length: count }, (_, index) => {
    const update = updates[index % updates.length] ?? {};
    const params = { sessionId, update: withFreshIds(update, Math.floor(index / updates.length)) };
    return `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`;
  });
}

function updatesOf(agent: string): readonly JsonObject[] {
  return readRecording(agent)
    .filter(({ kind, message }) => kind === 'fromAgent' && message?.method === 'session/update')
    .map(({ message }) => asObject(asObject(message?.params).update))
    .filter((update) => update.sessionUpdate !== 'user_message_chunk');
}

function withFreshIds(update: JsonObject, pass: number): JsonObject {
  const fresh = ['toolCallId', 'messageId']
    .filter((key) => typeof update[key] === 'string')
    .map((key): readonly [string, string] => [key, `${String(update[key])}-${pass}`]);
  return { ...update, ...Object.fromEntries(fresh) };
}
