import assert from 'node:assert/strict';
import type { Session } from '../../../src/core/session/session';
import type { ToolEntry } from '../../../src/shared/transcript/model';
import { openPermissions, textOf } from '../../../src/shared/transcript/select';
import type { JsonObject } from '../../support/scriptedAgent/steps';
import { SessionBench } from '../../support/sessionBench';
import { until } from '../../support/until';

/** A session bench with a user who prompts and answers. */
export class ObservationBench extends SessionBench {
  say(session: Session): ReturnType<Session['prompt']> {
    return this.sessions.prompt(session.id, [{ kind: 'text', text: 'go' }]);
  }

  async answer(session: Session, optionId: string): Promise<void> {
    await until('the question', () => openPermissions(session.transcript).length > 0);
    const requestId = openPermissions(session.transcript)[0]?.permission.requestId ?? '';
    session.answerPermission(requestId, optionId);
  }

  /** What the client has answered to requests of the agent. */
  answersSent(): readonly JsonObject[] {
    return this.agent.received().filter((message) => message.method === undefined && 'id' in message);
  }
}

export const modesOnly: JsonObject = {
  configOptions: null,
  modes: { currentModeId: 'ask', availableModes: ['ask', 'code'].map((id) => ({ id, name: id })) },
};

export function commands(name: string): JsonObject {
  return { sessionUpdate: 'available_commands_update', availableCommands: [{ name, description: '' }] };
}

export function option(optionId: string, kind = 'allow_once'): JsonObject {
  return { optionId, name: optionId, kind };
}

export function kinds(session: Session): readonly string[] {
  return session.transcript.entries.map((entry) => entry.kind);
}

/** All that the agent has said in a session. */
export function saidIn(session: Session): string {
  return session.transcript.entries
    .map((entry) => (entry.kind === 'agent' ? textOf(entry.blocks) : ''))
    .join('');
}

export function tool(session: Session, id: string): ToolEntry {
  const found = session.transcript.entries.find((entry) => entry.kind === 'tool' && entry.id === id);
  assert.ok(found?.kind === 'tool', `there is no tool call ${id}`);
  return found;
}

export function pick<T, K extends keyof T>(value: T, ...keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>;
}
