import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A JSON-RPC message, of which only the envelope is known. */
export interface Message {
  readonly jsonrpc?: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** One line of a recording. `line` is its 1-based place in the file, for error messages. */
export interface RecordedEntry {
  readonly line: number;
  readonly proc: number;
  readonly kind: 'fromClient' | 'fromAgent' | 'stderr' | 'mark';
  readonly message?: Message;
  /** What the line says when it is no message: text of stderr, or the name of a mark. */
  readonly text?: string;
}

export function readRecording(name: string): RecordedEntry[] {
  const file = fileURLToPath(new URL(`../fixtures/traffic/${name}.jsonl`, import.meta.url));
  return parseRecording(readFileSync(file, 'utf8'));
}

export function parseRecording(text: string): RecordedEntry[] {
  return text
    .split('\n')
    .map((line, index) => (line === '' ? undefined : parseEntry(line, index + 1)))
    .filter((entry) => entry !== undefined);
}

/** The entries of one process; a recording may hold several, one after the other. */
export function ofProcess(recording: readonly RecordedEntry[], proc: number): RecordedEntry[] {
  return recording.filter((entry) => entry.proc === proc);
}

/** Something the recorded client did of its own accord: a request or a notification. */
export interface ClientAction {
  readonly line: number;
  readonly kind: 'request' | 'notification';
  readonly method: string;
  readonly params: unknown;
}

export function clientActions(recording: readonly RecordedEntry[]): ClientAction[] {
  return recording.map(actionOf).filter((action) => action !== undefined);
}

export function actionOf({ kind, line, message }: RecordedEntry): ClientAction | undefined {
  if (kind !== 'fromClient' || message?.method === undefined) {
    return undefined;
  }
  const isRequest = message.id !== undefined;
  return {
    line,
    kind: isRequest ? 'request' : 'notification',
    method: message.method,
    params: message.params,
  };
}

/** What the recorded client answered to a request of the agent, so that a test can answer the same. */
export function recordedAnswer(
  recording: readonly RecordedEntry[],
  id: string | number | null,
): Message | undefined {
  return recording.find(
    ({ kind, message }) => kind === 'fromClient' && message?.method === undefined && message?.id === id,
  )?.message;
}

interface RawEntry {
  readonly proc: number;
  readonly dir?: string;
  readonly msg?: Message;
  readonly raw?: string;
  readonly mark?: string;
}

function parseEntry(text: string, line: number): RecordedEntry {
  // The recordings are fixtures of this repository, so their shape is known.
  const { proc, dir, msg, raw, mark } = JSON.parse(text) as RawEntry;
  if (msg !== undefined && (dir === 'c2a' || dir === 'a2c')) {
    return { line, proc, kind: dir === 'c2a' ? 'fromClient' : 'fromAgent', message: msg };
  }
  return dir === 'stderr'
    ? { line, proc, kind: 'stderr', text: raw }
    : { line, proc, kind: 'mark', text: mark ?? raw };
}
