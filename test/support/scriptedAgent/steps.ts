export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * One thing the scripted agent does. In every string of a step, `$sessionId` and `$requestId` stand for those of the
 * request being served, and `$saved.name.path` for a part of an answer saved under `name`.
 */
export type Step =
  | { readonly do: 'text' | 'thought'; readonly text: string; readonly sessionId?: string }
  /** Any `session/update`, valid or not, for any session. */
  | { readonly do: 'update'; readonly update: Json; readonly sessionId?: string; readonly times?: number }
  | { readonly do: 'toolCall' | 'toolUpdate'; readonly call: JsonObject; readonly sessionId?: string }
  /** Many text chunks in one write after another, as fast as the pipe takes them. */
  | { readonly do: 'flood'; readonly count: number; readonly text?: string; readonly sessionId?: string }
  /** Asks, waits for the answer and says it: "answer: <optionId>" or "answer: cancelled". */
  | {
      readonly do: 'permission';
      readonly call?: JsonObject;
      readonly options?: Json;
      readonly noWait?: boolean;
    }
  /** Any request to the client: fs, terminal, elicitation, extensions. A failed one ends the turn unless saved. */
  | {
      readonly do: 'request';
      readonly method: string;
      readonly params?: Json;
      readonly save?: string;
      readonly noWait?: boolean;
      readonly id?: string | number;
    }
  | { readonly do: 'readFile'; readonly path: string; readonly save?: string }
  | { readonly do: 'writeFile'; readonly path: string; readonly content: string; readonly save?: string }
  /** Past the client, as most agents write. Without content the file is removed. */
  | { readonly do: 'diskWrite'; readonly path: string; readonly content?: string }
  /** Creates a terminal, shows it in a tool call, waits for the end, reads the output and releases it. */
  | {
      readonly do: 'terminal';
      readonly command: string;
      readonly args?: readonly string[];
      readonly keep?: boolean;
    }
  | { readonly do: 'notify'; readonly method: string; readonly params?: Json }
  | { readonly do: 'delay'; readonly ms: number }
  /** Until a cancel of this session, until a file exists, or until a message of that method has come. */
  | { readonly do: 'waitFor'; readonly cancel?: true; readonly file?: string; readonly method?: string }
  /** Answers now; the steps after it run outside the request. Without `result` the usual answer is given. */
  | {
      readonly do: 'respond';
      readonly result?: Json;
      readonly id?: string | number | null;
      readonly times?: number;
    }
  | { readonly do: 'respondError'; readonly code: number; readonly message: string; readonly data?: Json }
  | { readonly do: 'stop'; readonly reason: string }
  /** Leaves the request without an answer. */
  | { readonly do: 'never' }
  | { readonly do: 'exit'; readonly code: number }
  | { readonly do: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly do: 'stderr'; readonly text: string }
  /** Bytes on stdout exactly as given: garbage, half a line, invalid UTF-8 (as base64). */
  | { readonly do: 'raw'; readonly text?: string; readonly base64?: string }
  /** One valid text chunk that is that long. */
  | { readonly do: 'longLine'; readonly megabytes: number; readonly sessionId?: string }
  | { readonly do: 'ignore'; readonly what: 'cancel' | 'stdinEnd' | 'SIGTERM' }
  /** A grandchild process; its pid is written to the file when it runs. */
  | {
      readonly do: 'spawnSleeper';
      readonly pidFile: string;
      readonly seconds?: number;
      /** It keeps the agent's stdout open. */
      readonly holdsOutput?: boolean;
      readonly ignoresTerm?: boolean;
    }
  /** Ends stdout and lives on. */
  | { readonly do: 'closeOutput' }
  | { readonly do: 'stopReading' | 'startReading' };

/** How the agent behaves. What is left out works as in a well-behaved agent. */
export interface Scenario {
  /** Part of the default session ids: `<name>-s1`, `<name>-s2`, … */
  readonly name?: string;
  readonly sessionPrefix?: string;
  /** Laid over the usual result of a method, key by key; null for a null result. */
  readonly results?: Readonly<Record<string, JsonObject | null>>;
  /** In place of a mode and a model; what is chosen is remembered. */
  readonly configOptions?: readonly JsonObject[];
  /** Steps for a method, run before its usual answer; `start` runs when the process starts. */
  readonly on?: Readonly<Record<string, readonly Step[]>>;
  /** Steps of the first prompt, the second and so on; the last list serves all later prompts. */
  readonly prompts?: readonly (readonly Step[])[];
  /** Methods that answer -32000 until `authenticate` has been called. */
  readonly authRequired?: readonly string[];
  /** What `session/list` answers, page by page. */
  readonly listPages?: readonly (readonly JsonObject[])[];
  /** The last page leads to the first again. */
  readonly listCircle?: boolean;
}
