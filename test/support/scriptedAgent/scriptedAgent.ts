import type { Behaviour } from './behaviour';
import { promptSteps } from './promptSteps';
import { SessionAnswers } from './sessionAnswers';
import { StepRunner } from './stepRunner';
import type { Json, JsonObject, Scenario, Step } from './steps';
import { isJsonObject, textOf, Wire, type Id } from './wire';

/** Serves a client as the scenario says, and as a well-behaved agent would where it says nothing. */
export class ScriptedAgent {
  private readonly wire: Wire;
  private readonly answers: SessionAnswers;
  private readonly behaviour: Behaviour = { ignored: new Set() };
  private readonly turns = new Map<string, AbortController>();
  private promptCount = 0;
  private isAuthenticated = false;

  constructor(
    private readonly scenario: Scenario,
    logFile: string | undefined,
  ) {
    this.answers = new SessionAnswers(scenario);
    this.wire = new Wire(logFile, (message) => {
      void this.serve(message);
    });
  }

  async start(): Promise<void> {
    process.stdin.on('end', () => {
      this.leave('stdinEnd', 0);
    });
    process.on('SIGTERM', () => {
      this.leave('SIGTERM', 143);
    });
    const request = { id: null, sessionId: '', usualResult: undefined, signal: new AbortController().signal };
    await new StepRunner(this.wire, this.behaviour, request).run(this.scenario.on?.start ?? []);
    this.wire.start();
  }

  private leave(reason: 'stdinEnd' | 'SIGTERM', code: number): void {
    this.wire.record({ event: reason });
    if (!this.behaviour.ignored.has(reason)) {
      process.exit(code);
    }
    // With stdin at its end nothing else keeps the process alive.
    setInterval(() => undefined, 60_000);
  }

  private async serve(message: JsonObject): Promise<void> {
    const method = textOf(message.method);
    const params = isJsonObject(message.params) ? message.params : {};
    const id = idOf(message.id);
    if (method === 'session/cancel' && !this.behaviour.ignored.has('cancel')) {
      this.turns.get(textOf(params.sessionId))?.abort();
    }
    if (id === undefined) {
      await this.runFor(method, params, null);
      return;
    }
    if (method === 'authenticate') {
      this.isAuthenticated = true;
    }
    if (!this.isAuthenticated && this.scenario.authRequired?.includes(method)) {
      await this.wire.send({ id, error: { code: -32000, message: 'Authentication required' } });
      return;
    }
    await this.runFor(method, params, id);
  }

  private async runFor(method: string, params: JsonObject, id: Id): Promise<void> {
    const isRequest = id !== null;
    const steps = this.stepsOf(method, params);
    const usualResult = isRequest ? this.answers.resultOf(method, params) : undefined;
    if (isRequest && usualResult === undefined && steps.length === 0) {
      await this.wire.send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
      return;
    }
    const sessionId = sessionOf(usualResult) ?? sessionOf(params) ?? '';
    const turn = new AbortController();
    if (method === 'session/prompt') {
      this.turns.set(sessionId, turn);
    }
    const runner = new StepRunner(this.wire, this.behaviour, {
      id,
      sessionId,
      usualResult,
      signal: turn.signal,
    });
    try {
      await runner.run(steps);
      if (isRequest && !runner.hasAnswered) {
        await runner.answerUsually();
      }
    } catch (error) {
      if (isRequest && !runner.hasAnswered) {
        await this.wire.send(
          turn.signal.aborted ? { id, result: { stopReason: 'cancelled' } } : failure(id, error),
        );
      }
    }
  }

  private stepsOf(method: string, params: JsonObject): readonly Step[] {
    const steps = this.scenario.on?.[method];
    if (steps || method !== 'session/prompt') {
      return steps ?? [];
    }
    this.promptCount += 1;
    return promptSteps(this.scenario, this.promptCount - 1, params);
  }
}

function failure(id: Id, error: unknown): JsonObject {
  return { id, error: { code: -32603, message: error instanceof Error ? error.message : String(error) } };
}

function sessionOf(value: Json | undefined): string | undefined {
  const sessionId = isJsonObject(value) ? value.sessionId : undefined;
  return typeof sessionId === 'string' ? sessionId : undefined;
}

function idOf(id: Json | undefined): string | number | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
