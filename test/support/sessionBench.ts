import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentBlock } from '../../src/shared/transcript/model';
import { AgentPool, type AgentDefinition } from '../../src/core/agents/agentPool';
import type { TerminalPort } from '../../src/core/ports';
import { AttachmentData } from '../../src/core/session/attachmentData';
import { History } from '../../src/core/session/history';
import { PromptQueues } from '../../src/core/session/promptQueue';
import type { SessionHooks } from '../../src/core/session/sessionHooks';
import { Sessions } from '../../src/core/session/sessions';
import { TranscriptStore } from '../../src/core/transcripts/transcriptStore';
import type { TurnLimits } from '../../src/core/session/turnWatch';
import { FakeTerminals, MemoryFiles, MemoryLog, MemoryMemento, MemoryTranscripts } from './fakes';
import { scriptedAgentCommand, type ScriptedAgentCommand } from './scriptedAgent/scenario';
import type { Scenario } from './scriptedAgent/steps';

export interface BenchOptions {
  readonly limits?: TurnLimits;
  readonly maxProcesses?: number;
  readonly startTimeoutMs?: number;
  /** Entries of `parley.agents` beside the scripted one, whose id is `scripted`. */
  readonly agents?: Readonly<Record<string, unknown>>;
  /** In place of those in memory. */
  readonly terminals?: TerminalPort;
  readonly otherFolders?: readonly string[];
  /** Keeps transcripts there with the product's store, instead of in memory. */
  readonly transcriptFolder?: string;
  readonly hooks?: SessionHooks;
  readonly hookLimitMs?: number;
  /** What attachments become, whatever they are. */
  readonly attached?: readonly ContentBlock[];
  /** The user says no when the editor asks whether to open a page. */
  readonly refusesPages?: boolean;
}

/** Sessions as in the product, with real agent processes, and the editor's side in memory. */
export class SessionBench {
  readonly log = new MemoryLog();
  readonly files = new MemoryFiles();
  readonly terminals = new FakeTerminals();
  readonly memento = new MemoryMemento();
  readonly transcripts = new MemoryTranscripts();
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  readonly agent: ScriptedAgentCommand;
  /** Every process that was ever started. */
  readonly pids: number[] = [];
  /** Those of which the product says that something may be left. */
  readonly recordedPids = new Set<number>();
  readonly opened: string[] = [];
  /** What agents asked outside of sessions. */
  readonly asked: string[] = [];
  pool!: AgentPool;
  queues!: PromptQueues;
  sessions!: Sessions;
  private store: TranscriptStore | undefined;
  private count = 0;

  constructor(
    scenario: Scenario = {},
    private readonly options: BenchOptions = {},
  ) {
    this.agent = scriptedAgentCommand(scenario);
    this.reload();
  }

  /** What a window reload does: everything in memory is gone, what is stored is not. */
  reload(): void {
    const { log, options } = this;
    const newId = (): string => `id${++this.count}`;
    this.pool = new AgentPool({
      findAgent: (id) => this.findAgent(id),
      checkFolder: () => undefined,
      maxProcesses: () => options.maxProcesses ?? 5,
      startTimeoutMs: options.startTimeoutMs ?? 10_000,
      environment: async () => process.env,
      clientVersion: '0.0.0',
      files: this.files,
      terminals: options.terminals ?? this.terminals,
      newId,
      askOutsideSession: async (_agent, { request }) => {
        this.asked.push(request.mode === 'url' ? request.url : 'form');
        return { action: 'accept' };
      },
      agentLog: () => log,
      onTraffic: () => undefined,
      ledger: {
        add: (pid) => {
          this.pids.push(pid);
          this.recordedPids.add(pid);
        },
        remove: (pid) => void this.recordedPids.delete(pid),
      },
      log,
    });
    this.store =
      options.transcriptFolder === undefined ? undefined : new TranscriptStore(options.transcriptFolder, log);
    this.queues = new PromptQueues(this.memento, new AttachmentData(join(this.folder, 'attachments'), log));
    this.sessions = new Sessions({
      pool: this.pool,
      history: new History(this.memento, log),
      transcripts: this.store ?? this.transcripts,
      queues: this.queues,
      findAgent: (id) => this.findAgent(id),
      resolveAttachments: async () => options.attached ?? [],
      openExternal: async (url) => {
        this.opened.push(url);
        return options.refusesPages !== true;
      },
      otherFolders: () => options.otherFolders ?? [],
      newId,
      now: Date.now,
      log,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
      ...(options.hookLimitMs === undefined ? {} : { hookLimitMs: options.hookLimitMs }),
    });
  }

  async start(agentId = 'scripted'): Promise<ReturnType<Sessions['require']>> {
    return this.sessions.start({ agentId, folder: this.folder });
  }

  async dispose(): Promise<void> {
    await this.pool.stopAll();
    this.sessions.dispose();
    this.pool.dispose();
    this.store?.dispose();
  }

  private findAgent(id: string): AgentDefinition | undefined {
    const entries: Readonly<Record<string, unknown>> = { scripted: this.agent, ...this.options.agents };
    return id in entries
      ? { id, name: id, description: undefined, entry: entries[id], isBuiltIn: false }
      : undefined;
  }
}
