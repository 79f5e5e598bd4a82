import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParleyError, type ErrorCode } from '../../src/core/base/errors';
import type { Session } from '../../src/core/session/session';
import type { ContentBlock, NoticeEntry } from '../../src/shared/transcript/model';
import { openPermissions } from '../../src/shared/transcript/select';
import { livingOf } from '../support/processTable';
import { scriptedAgentCommand } from '../support/scriptedAgent/scenario';
import type { Scenario, Step } from '../support/scriptedAgent/steps';
import { SessionBench, type BenchOptions } from '../support/sessionBench';
import { until } from '../support/until';

export interface Fault extends BenchOptions {
  readonly scenario?: Scenario;
  readonly run: (bench: FaultBench) => Promise<void>;
}

/** A test of one fault. Whatever the fault, what must hold after it is checked at its end. */
export function fault(title: string, { scenario, run, ...options }: Fault): void {
  it(title, async () => {
    const bench = new FaultBench(scenario, options);
    try {
      await run(bench);
      await bench.assertSurvived();
    } finally {
      await bench.dispose();
      bench.cleanUp();
    }
  });
}

/** A prompt that makes the scripted agent do these things; its later prompts and processes are well-behaved. */
export const script = (...steps: readonly Step[]): readonly ContentBlock[] => [
  { kind: 'text', text: `SCRIPT ${JSON.stringify(steps)}` },
];

export const say = (text: string): readonly ContentBlock[] => [{ kind: 'text', text: `say ${text}` }];

/** Able to resume, not to load: nothing of the agent's stands in for what Parley itself has stored. */
export function resuming(scenario: Scenario = {}): Scenario {
  const agentCapabilities = { sessionCapabilities: { resume: {}, close: {} } };
  return { ...scenario, results: { initialize: { agentCapabilities }, ...scenario.results } };
}

/** The bench of the product's sessions with a second, well-behaved agent, and transcripts on disk. */
export class FaultBench extends SessionBench {
  readonly scratch: string;
  /** Processes that the agents started themselves. */
  private readonly grandchildren: number[] = [];

  constructor(scenario: Scenario = {}, options: BenchOptions = {}) {
    const scratch = mkdtempSync(join(tmpdir(), 'parley-fault-'));
    super(resuming(scenario), {
      transcriptFolder: join(scratch, 'transcripts'),
      ...options,
      agents: { ...options.agents, healthy: scriptedAgentCommand(resuming({ name: 'healthy' })) },
    });
    this.scratch = scratch;
  }

  /** Fails unless the promise rejects with that code; gives the error for a closer look. */
  async rejects(promise: Promise<unknown>, code: ErrorCode): Promise<ParleyError> {
    const error = await promise.then(
      () => assert.fail(`Expected ${code}, but it succeeded.`),
      (reason: unknown) => reason,
    );
    assert.ok(ParleyError.is(error), String(error));
    assert.equal(error.code, code, error.message);
    return error;
  }

  /** Runs a prompt that must fail, and checks what the transcript says of it. */
  async failsTurn(session: Session, prompt: readonly ContentBlock[], message: RegExp): Promise<NoticeEntry> {
    const error = await this.rejects(
      this.sessions.prompt(session.id, prompt),
      message.source.includes('MB') ? 'requestFailed' : 'agentExited',
    );
    assert.match(error.message, message);
    assertNothingOpen(session);
    const notice = session.transcript.entries.at(-1);
    assert.ok(notice?.kind === 'notice', 'the transcript does not end with a notice');
    assert.match(notice.text, message);
    return notice;
  }

  async disconnects(session: Session, reason: RegExp): Promise<void> {
    await until('disconnected', () => session.record.status === 'disconnected');
    assert.match(session.record.statusReason ?? '', reason);
    assert.equal(session.isLive, false);
    assertNothingOpen(session);
  }

  /** The same session goes on with a new process of the same agent. */
  async comesBack(session: Session): Promise<void> {
    const entries = session.transcript.entries.length;
    const result = await this.sessions.prompt(session.id, say('back again'));
    assert.equal(result.text, 'back again');
    assert.equal(session.record.status, 'active');
    assert.equal(session.record.statusReason, undefined);
    assert.equal(session.transcript.entries.length, entries + 2);
  }

  /** The agent that could not be started works when its problem is gone. */
  async startsOnceFixed(): Promise<void> {
    this.agent.change(resuming());
    await this.comesBack(await this.start());
  }

  /** The pid a sleeper has written; from now on it must be gone at the end. */
  grandchild(pidFile: string): number {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    assert.ok(pid > 1);
    this.grandchildren.push(pid);
    return pid;
  }

  /** What must hold after any fault: Parley is usable, nothing runs any more, nothing stored is lost. */
  async assertSurvived(): Promise<void> {
    const healthy = await this.start('healthy');
    const { text } = await this.sessions.prompt(healthy.id, say('all is well'));
    assert.equal(text, 'all is well');
    assert.equal(healthy.record.status, 'active');

    const before = this.sessions.all().map(remember).sort(byId);
    const queued = before.map(({ sessionId }) => this.queues.of(sessionId));
    await this.dispose();
    assert.deepEqual(livingOf([...this.pids, ...this.grandchildren]), [], 'processes are left');
    assert.deepEqual([...this.recordedPids], [], 'ended processes are still on record');

    this.reload();
    await Promise.all(this.sessions.all().map((session) => this.sessions.loadTranscript(session)));
    assert.deepEqual(this.sessions.all().map(remember).sort(byId), before);
    assert.deepEqual(
      before.map(({ sessionId }) => this.queues.of(sessionId)),
      queued,
    );
    this.sessions.all().forEach(assertNothingOpen);
    const statuses = new Set(this.sessions.all().map((session) => session.record.status));
    statuses.delete('closed');
    statuses.delete('error');
    assert.deepEqual([...statuses], ['disconnected']);
  }

  /** Also what a failed test has left running. */
  cleanUp(): void {
    livingOf([...this.pids, ...this.grandchildren]).forEach((pid) => process.kill(pid, 'SIGKILL'));
    rmSync(this.scratch, { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** At the end of a turn nothing stays open: no question, no tool that claims to work, no turn. */
export function assertNothingOpen(session: Session): void {
  const { entries, turn } = session.transcript;
  assert.equal(turn.state, 'idle');
  assert.equal(session.isRunning, false);
  assert.deepEqual(openPermissions(session.transcript), []);
  assert.equal(session.isWaiting, false);
  const unfinished = entries.filter(
    (entry) => entry.kind === 'tool' && (entry.status === 'pending' || entry.status === 'running'),
  );
  assert.deepEqual(unfinished, []);
}

interface Remembered {
  readonly sessionId: string;
}

function remember({ record, transcript }: Session): Remembered {
  const { sessionId, agentSessionId, agentId, agentKey, workdir, turnCount, createdAt, title } = record;
  const { entries, terminals } = transcript;
  return JSON.parse(
    JSON.stringify({
      sessionId,
      agentSessionId,
      agentId,
      agentKey,
      workdir,
      turnCount,
      createdAt,
      title,
      entries,
      terminals,
    }),
  ) as Remembered;
}

function byId(a: Remembered, b: Remembered): number {
  return a.sessionId.localeCompare(b.sessionId);
}
