/** What one agent needs and the protocol does not say, by the name it gives itself in `initialize`. */
export interface Quirks {
  /** Answer a missing file inside the workspace with an empty text instead of an error. */
  readonly missingFileIsEmpty: boolean;
}

const none: Quirks = { missingFileIsEmpty: false };

const quirksByName: Readonly<Record<string, Quirks>> = {
  // Its SDK rejects with a plain object, so its test for "not found" never matches and it cannot create files.
  'gemini-cli': { missingFileIsEmpty: true },
};

export function quirksOf(agentName: string | undefined): Quirks {
  return quirksByName[agentName ?? ''] ?? none;
}
