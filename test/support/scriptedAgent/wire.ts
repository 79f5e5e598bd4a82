import { appendFileSync } from 'node:fs';
import type { Json, JsonObject } from './steps';

export type Id = string | number | null;

/** JSON lines on stdin and stdout, without any manners of their own. */
export class Wire {
  private nextId = 0;
  private readonly pending = new Map<string, (message: JsonObject) => void>();
  private readonly listeners = new Set<(message: JsonObject) => void>();
  private rest = '';

  constructor(
    private readonly logFile: string | undefined,
    private readonly onRequest: (message: JsonObject) => void,
  ) {}

  start(): void {
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (chunk: string) => {
      const lines = (this.rest + chunk).split('\n');
      this.rest = lines.pop() ?? '';
      lines.filter((line) => line !== '').forEach((line) => this.receive(line));
    });
  }

  record(entry: Json): void {
    if (this.logFile !== undefined) {
      appendFileSync(this.logFile, `${JSON.stringify(entry)}\n`);
    }
  }

  async send(message: JsonObject): Promise<void> {
    await this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Resolves when the pipe has taken the bytes, so that a flood does not fill the memory. */
  async write(bytes: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => {
      process.stdout.write(bytes, () => resolve());
    });
  }

  /** The whole answer, with `result` or `error`. */
  async request(method: string, params: Json, id: Id = this.nextId++): Promise<JsonObject> {
    const answer = new Promise<JsonObject>((resolve) => this.pending.set(JSON.stringify(id), resolve));
    await this.send({ id, method, params });
    return answer;
  }

  /** Calls back for every message that comes, until the returned function is called. */
  listen(listener: (message: JsonObject) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  private receive(line: string): void {
    const message = parseObject(line);
    if (!message) {
      this.record({ raw: line });
      return;
    }
    this.record(message);
    this.listeners.forEach((listener) => listener(message));
    if (typeof message.method === 'string') {
      this.onRequest(message);
      return;
    }
    const key = JSON.stringify(message.id ?? null);
    this.pending.get(key)?.(message);
    this.pending.delete(key);
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** For fields that are strings in well-formed messages; anything else is told apart by its JSON. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
