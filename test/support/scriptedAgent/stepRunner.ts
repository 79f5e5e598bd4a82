import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Behaviour } from './behaviour';
import { fillIn } from './fillIn';
import type { Json, JsonObject, Step } from './steps';
import type { Id, Wire } from './wire';

/** The request that the steps serve. */
export interface ServedRequest {
  readonly id: Id;
  readonly sessionId: string;
  readonly usualResult: Json | undefined;
  readonly signal: AbortSignal;
}

const MEGABYTE = 1024 * 1024;
/** Arguments: seconds, pid file, whether to ignore SIGTERM. The file comes last, as a sign that it is ready. */
const SLEEPER = `
  const [, seconds, pidFile, ignoresTerm] = process.argv;
  setTimeout(() => undefined, Number(seconds) * 1000);
  if (ignoresTerm === 'true') process.on('SIGTERM', () => undefined);
  require('node:fs').writeFileSync(pidFile + '.tmp', String(process.pid));
  require('node:fs').renameSync(pidFile + '.tmp', pidFile);
`;

/** Runs steps for one request. Rejects when the turn is cancelled. */
export class StepRunner {
  hasAnswered = false;
  private readonly saved = new Map<string, Json>();

  constructor(
    private readonly wire: Wire,
    private readonly behaviour: Behaviour,
    private readonly served: ServedRequest,
  ) {}

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      this.served.signal.throwIfAborted();
      const { sessionId, id } = this.served;
      await this.runStep(fillIn(step, { sessionId, requestId: id, saved: this.saved }));
    }
  }

  async answerUsually(): Promise<void> {
    await this.respond(this.served.usualResult ?? {}, this.served.id, 1);
  }

  private async runStep(step: Step): Promise<void> {
    switch (step.do) {
      case 'text':
        return this.update(textChunk('agent_message_chunk', step.text), step.sessionId);
      case 'thought':
        return this.update(textChunk('agent_thought_chunk', step.text), step.sessionId);
      case 'toolCall':
        return this.update({ sessionUpdate: 'tool_call', ...step.call }, step.sessionId);
      case 'toolUpdate':
        return this.update({ sessionUpdate: 'tool_call_update', ...step.call }, step.sessionId);
      case 'update':
        for (let count = 0; count < (step.times ?? 1); count += 1) {
          await this.update(step.update, step.sessionId);
        }
        return;
      case 'flood':
        for (let count = 0; count < step.count; count += 1) {
          this.served.signal.throwIfAborted();
          await this.update(
            textChunk('agent_message_chunk', `${step.text ?? 'flood'} ${count}\n`),
            step.sessionId,
          );
        }
        return;
      case 'permission':
        return this.askPermission(step);
      case 'request':
        return this.request(step);
      case 'readFile':
        return this.request({
          method: 'fs/read_text_file',
          params: this.scoped({ path: step.path }),
          save: step.save,
        });
      case 'writeFile': {
        const params = this.scoped({ path: step.path, content: step.content });
        return this.request({ method: 'fs/write_text_file', params, save: step.save });
      }
      case 'diskWrite':
        writeToDisk(step);
        return;
      case 'terminal':
        return this.runTerminal(step);
      case 'notify':
        return this.wire.send({ method: step.method, params: step.params ?? {} });
      case 'delay':
        await delay(step.ms, undefined, { signal: this.served.signal });
        return;
      case 'waitFor':
        return this.waitFor(step);
      case 'respond':
        return this.respond(
          step.result === undefined ? (this.served.usualResult ?? {}) : step.result,
          step.id === undefined ? this.served.id : step.id,
          step.times ?? 1,
        );
      case 'respondError': {
        const { code, message, data } = step;
        this.hasAnswered = true;
        return this.wire.send({
          id: this.served.id,
          error: { code, message, ...(data === undefined ? {} : { data }) },
        });
      }
      case 'stop':
        return this.respond({ stopReason: step.reason }, this.served.id, 1);
      case 'never':
        this.hasAnswered = true;
        return;
      case 'longLine': {
        const text = 'x'.repeat(step.megabytes * MEGABYTE);
        return this.update(textChunk('agent_message_chunk', text), step.sessionId);
      }
      case 'raw':
        return this.wire.write(
          step.base64 === undefined ? (step.text ?? '') : Buffer.from(step.base64, 'base64'),
        );
      default:
        return runProcessStep(step, this.behaviour);
    }
  }

  private async update(update: Json, sessionId = this.served.sessionId): Promise<void> {
    await this.wire.send({ method: 'session/update', params: { sessionId, update } });
  }

  private async respond(result: Json, id: Id, times: number): Promise<void> {
    this.hasAnswered = true;
    for (let count = 0; count < times; count += 1) {
      await this.wire.send({ id, result });
    }
  }

  private async askPermission(step: Extract<Step, { do: 'permission' }>): Promise<void> {
    const toolCall = step.call ?? { toolCallId: 'permission', title: 'A dangerous thing', kind: 'execute' };
    const params = this.scoped({ toolCall, options: step.options ?? usualOptions });
    await this.request({ method: 'session/request_permission', params, save: 'answer', noWait: step.noWait });
    if (!step.noWait) {
      const ids = { sessionId: '', requestId: 0, saved: this.saved };
      const { outcome, optionId } = fillIn(
        { outcome: '$saved.answer.outcome.outcome', optionId: '$saved.answer.outcome.optionId' },
        ids,
      );
      await this.update(
        textChunk('agent_message_chunk', `answer: ${outcome === 'selected' ? optionId : outcome}`),
      );
    }
  }

  private async request(step: Omit<Extract<Step, { do: 'request' }>, 'do'>): Promise<void> {
    const answering = this.wire.request(step.method, step.params ?? {}, step.id);
    if (step.noWait) {
      return;
    }
    const answer = await untilAborted(answering, this.served.signal);
    if (step.save !== undefined) {
      this.saved.set(step.save, answer.result ?? answer);
      return;
    }
    if (answer.error !== undefined) {
      throw new Error(`${step.method} failed: ${JSON.stringify(answer.error)}`);
    }
  }

  private async runTerminal(step: Extract<Step, { do: 'terminal' }>): Promise<void> {
    const { command, args = [] } = step;
    await this.request({
      method: 'terminal/create',
      params: this.scoped({ command, args }),
      save: 'terminal',
    });
    const { terminalId } = fillIn(
      { terminalId: '$saved.terminal.terminalId' },
      { sessionId: '', requestId: 0, saved: this.saved },
    );
    const toolCallId = `run-${terminalId}`;
    const content = [{ type: 'terminal', terminalId }];
    await this.update({ sessionUpdate: 'tool_call', toolCallId, title: command, kind: 'execute', content });
    const params = this.scoped({ terminalId });
    await this.request({ method: 'terminal/wait_for_exit', params, save: 'exit' });
    await this.request({ method: 'terminal/output', params, save: 'output' });
    if (step.keep !== true) {
      await this.request({ method: 'terminal/release', params, save: 'release' });
    }
    await this.update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
  }

  private async waitFor(step: Extract<Step, { do: 'waitFor' }>): Promise<void> {
    const { signal } = this.served;
    if (step.file !== undefined) {
      await untilAborted(fileExists(step.file), signal);
    }
    const method = step.cancel ? 'session/cancel' : step.method;
    if (method !== undefined) {
      await untilAborted(this.nextMessage(method), signal);
    }
  }

  private nextMessage(method: string): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.wire.listen((message) => {
        if (message.method === method) {
          stop();
          resolve();
        }
      });
    });
  }

  private scoped(params: JsonObject): JsonObject {
    return { sessionId: this.served.sessionId, ...params };
  }
}

function writeToDisk({ path, content }: Extract<Step, { do: 'diskWrite' }>): void {
  if (content === undefined) {
    rmSync(path);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const usualOptions: Json = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

function textChunk(sessionUpdate: string, text: string): JsonObject {
  return { sessionUpdate, content: { type: 'text', text } };
}

type ProcessStep = Extract<
  Step,
  {
    do:
      | 'exit'
      | 'signal'
      | 'stderr'
      | 'ignore'
      | 'spawnSleeper'
      | 'closeOutput'
      | 'stopReading'
      | 'startReading';
  }
>;

async function runProcessStep(step: ProcessStep, behaviour: Behaviour): Promise<void> {
  switch (step.do) {
    case 'exit':
      return process.exit(step.code);
    case 'signal':
      process.kill(process.pid, step.signal);
      return;
    case 'stderr':
      // Taken by the pipe, so that an exit after it does not cut it.
      await new Promise<void>((resolve) => {
        process.stderr.write(step.text, () => resolve());
      });
      return;
    case 'ignore':
      behaviour.ignored.add(step.what);
      return;
    case 'spawnSleeper': {
      const { seconds = 600, pidFile, ignoresTerm = false, holdsOutput = false } = step;
      spawn(process.execPath, ['-e', SLEEPER, String(seconds), pidFile, String(ignoresTerm)], {
        stdio: ['ignore', holdsOutput ? 'inherit' : 'ignore', 'ignore'],
      });
      await fileExists(pidFile);
      return;
    }
    case 'closeOutput':
      closeSync(1);
      return;
    case 'stopReading':
      process.stdin.pause();
      // Without it, nothing would keep the process alive.
      setInterval(() => undefined, 60_000);
      return;
    case 'startReading':
      process.stdin.resume();
      return;
  }
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('The turn was cancelled.'));
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

async function fileExists(file: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(dirname(file), check);
    function check(): void {
      if (existsSync(file)) {
        watcher.close();
        resolve();
      }
    }
    check();
  });
}
