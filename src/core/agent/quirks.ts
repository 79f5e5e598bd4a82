import { asObject, asString, type JsonObject } from '../../shared/json';

/** What one agent needs and the protocol does not say, by the name it gives itself in `initialize`. */
export interface Quirks {
  /** Answer a missing file inside the workspace with an empty text instead of an error. */
  readonly missingFileIsEmpty: boolean;
  /** It tells of a new mode in a message. */
  readonly saysModeAsText: boolean;
}

const none: Quirks = { missingFileIsEmpty: false, saysModeAsText: false };

const quirksByName: Readonly<Record<string, Quirks>> = {
  'gemini-cli': {
    // Its SDK rejects with a plain object, so its test for "not found" never matches and it cannot create files.
    missingFileIsEmpty: true,
    // In place of `current_mode_update`.
    saysModeAsText: true,
  },
};

export function quirksOf(agentName: string | undefined): Quirks {
  return quirksByName[agentName ?? ''] ?? none;
}

/** What the agent means by an update. */
export function meantUpdate(update: JsonObject, quirks: Quirks): JsonObject {
  if (!quirks.saysModeAsText || update.sessionUpdate !== 'agent_message_chunk') {
    return update;
  }
  const said = asString(asObject(update.content).text) ?? '';
  const currentModeId = /^\[MODE_UPDATE\] (\S+)\s*$/.exec(said)?.[1];
  return currentModeId === undefined ? update : { sessionUpdate: 'current_mode_update', currentModeId };
}
