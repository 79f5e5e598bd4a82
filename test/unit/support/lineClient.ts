import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ScriptedAgentCommand } from '../../support/scriptedAgent/scenario';
import type { Json, JsonObject } from '../../support/scriptedAgent/steps';

/** Speaks JSON lines to a process and sees every line, also those that are not JSON. */
export class LineClient {
  readonly lines: string[] = [];
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly waiting = new Set<() => void>();
  private rest = '';
  private nextId = 1;

  constructor({ command, args, env }: ScriptedAgentCommand) {
    this.child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.exited = new Promise((resolve) => this.child.on('exit', resolve));
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (this.rest + chunk).split('\n');
      this.rest = lines.pop() ?? '';
      this.lines.push(...lines);
      this.waiting.forEach((check) => check());
    });
  }

  get messages(): JsonObject[] {
    return this.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as JsonObject);
  }

  send(message: JsonObject): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async request(method: string, params: Json): Promise<JsonObject> {
    const id = this.nextId++;
    this.send({ id, method, params });
    return this.message((message) => message.id === id && message.method === undefined);
  }

  /** The first message, past or to come, that fits. */
  message(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = this.messages.find(fits);
        if (found) {
          this.waiting.delete(check);
          resolve(found);
        }
      };
      this.waiting.add(check);
      check();
    });
  }

  end(): void {
    this.child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}
