import { homedir } from 'node:os';
import type { JsonObject } from '../../shared/json';
import type { ConnectedAgent, ConnectRequest } from '../agent/agentRuntime';
import type { Environment } from '../process/expandVariables';
import { Emitter } from '../base/emitter';
import { asError, ParleyError } from '../base/errors';
import type { IDisposable } from '../base/lifecycle';
import type { Logger } from '../base/log';
import type { FilePort, TerminalPort } from '../ports';
import type { ProcessRecords } from '../process/processLedger';

const HEARTBEAT_MS = 30_000;

export interface AgentDefinition {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** As the user wrote it: checked when it is used. */
  readonly entry: unknown;
  /** Ours, started with the editor's own Node: it needs nothing of the user's shell. */
  readonly isBuiltIn: boolean;
}

export interface AgentPoolOptions {
  findAgent(id: string): AgentDefinition | undefined;
  maxProcesses(): number;
  readonly startTimeoutMs: number;
  /** Throws when no agent may work in that folder. */
  checkFolder(folder: string): void;
  /** The login shell's environment. */
  environment(): Promise<Environment>;
  readonly clientVersion: string;
  readonly files: FilePort;
  readonly terminals: TerminalPort;
  readonly newId: () => string;
  readonly askOutsideSession: ConnectRequest['askOutsideSession'];
  agentLog(agentName: string): Logger;
  onTraffic(agentName: string, direction: 'sent' | 'received', message: JsonObject): void;
  readonly ledger: ProcessRecords;
  readonly log: Logger;
}

export type AgentState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly error: ParleyError };

export interface AgentExit {
  readonly key: string;
  readonly error: ParleyError;
  /** We stopped it ourselves. */
  readonly wasAsked: boolean;
}

interface PoolEntry {
  readonly agentId: string;
  readonly folder: string;
  readonly agent: Promise<ConnectedAgent>;
  /** Gives up a start that is under way. */
  readonly starting: AbortController;
  connected: ConnectedAgent | undefined;
  isStopping: boolean;
}

/** The running agents: one process per agent and workspace folder, started on first use. */
export class AgentPool implements IDisposable {
  private readonly entries = new Map<string, PoolEntry>();
  private readonly states = new Map<string, AgentState>();
  /** Processes that no longer serve anyone and are not gone yet. */
  private readonly ending = new Set<Promise<void>>();
  private readonly changed = new Emitter<string>();
  private readonly exited = new Emitter<AgentExit>();
  /** The key of an agent whose state is different. */
  readonly onDidChange = this.changed.event;
  readonly onDidExit = this.exited.event;

  private readonly heartbeat: NodeJS.Timeout;

  constructor(private readonly options: AgentPoolOptions) {
    this.heartbeat = setInterval(() => this.checkHealth(), HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  static key(agentId: string, folder: string): string {
    return `${agentId}@${folder}`;
  }

  state(key: string): AgentState {
    return this.states.get(key) ?? { kind: 'stopped' };
  }

  /** Which agent, and where, a key stands for. */
  describe(key: string): { readonly agentId: string; readonly folder: string } | undefined {
    return this.entries.get(key);
  }

  /** Throws when no agent may work in that folder. */
  checkFolder(folder: string): void {
    this.options.checkFolder(folder);
  }

  /** Keys of the agents whose process is alive or starting. */
  get running(): readonly string[] {
    return [...this.entries.keys()];
  }

  /** The agent if it is running, without starting it. */
  peek(key: string): ConnectedAgent | undefined {
    return this.entries.get(key)?.connected;
  }

  async acquire(agentId: string, folder: string): Promise<ConnectedAgent> {
    const key = AgentPool.key(agentId, folder);
    const existing = this.entries.get(key);
    if (existing !== undefined && !existing.isStopping) {
      return existing.agent;
    }
    if (existing !== undefined) {
      await existing.agent.then((agent) => agent.stop()).catch(() => undefined);
      this.forget(key, existing);
      // Others may have waited for the same end: only one of them may start it anew.
      return this.acquire(agentId, folder);
    }
    this.options.checkFolder(folder);
    return this.start(key, agentId, folder);
  }

  /** Ends the process; resolves when it is gone. */
  async stop(key: string): Promise<void> {
    const entry = this.entries.get(key);
    if (entry === undefined) {
      return;
    }
    entry.isStopping = true;
    entry.starting.abort();
    const agent = await entry.agent.catch(() => undefined);
    await agent?.stop();
    this.forget(key, entry);
    // Meanwhile somebody may have started it anew.
    if (!this.entries.has(key)) {
      this.setState(key, { kind: 'stopped' });
    }
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running.map((key) => this.stop(key)), ...this.ending]);
  }

  /** Gives up agents that are gone or stuck without a word. */
  checkHealth(): void {
    for (const [key, entry] of this.entries) {
      const error = entry.connected?.checkHealth();
      if (error !== undefined && entry.connected !== undefined && !entry.isStopping) {
        this.options.log.warn(`${key}: ${error.message}`);
        void this.handleClose(key, entry, entry.connected, error);
      }
    }
  }

  dispose(): void {
    clearInterval(this.heartbeat);
    void this.stopAll();
    this.changed.dispose();
    this.exited.dispose();
  }

  private async start(key: string, agentId: string, folder: string): Promise<ConnectedAgent> {
    const definition = this.options.findAgent(agentId);
    if (definition === undefined) {
      throw new ParleyError('agentNotFound', `There is no agent "${agentId}" in the setting parley.agents.`);
    }
    const limit = this.options.maxProcesses();
    if (this.entries.size >= limit) {
      throw new ParleyError(
        'processLimit',
        `${limit} agents are running, which is the limit set in parley.maxAgentProcesses. Stop one that is idle.`,
      );
    }
    const starting = new AbortController();
    const entry: PoolEntry = {
      agentId,
      folder,
      agent: this.connect(key, definition, folder, starting.signal),
      starting,
      connected: undefined,
      isStopping: false,
    };
    this.entries.set(key, entry);
    this.setState(key, { kind: 'starting' });
    try {
      const agent = await entry.agent;
      entry.connected = agent;
      agent.connection.onDidClose((error) => void this.handleClose(key, entry, agent, error));
      this.setState(key, { kind: 'ready' });
      return agent;
    } catch (error) {
      this.forget(key, entry);
      const failure = ParleyError.is(error)
        ? error
        : new ParleyError('requestFailed', asError(error).message);
      this.setState(key, { kind: 'failed', error: failure });
      throw failure;
    }
  }

  private async connect(
    key: string,
    definition: AgentDefinition,
    folder: string,
    signal: AbortSignal,
  ): Promise<ConnectedAgent> {
    const { options } = this;
    // Here and not at the top: the SDK takes longer to load than the whole rest of the extension.
    const { connectAgent, checkAgentEntry } = await import('../agent/agentRuntime');
    const entry = checkAgentEntry(definition.id, definition.entry);
    const log = options.agentLog(definition.name);
    return connectAgent({
      name: definition.name,
      command: {
        ...entry,
        workspaceFolder: folder,
        baseEnv: definition.isBuiltIn ? process.env : await options.environment(),
        home: homedir(),
        platform: process.platform,
      },
      clientVersion: options.clientVersion,
      startTimeoutMs: options.startTimeoutMs,
      signal,
      files: options.files,
      terminals: options.terminals,
      log,
      newId: options.newId,
      askOutsideSession: options.askOutsideSession,
      onTraffic: (direction, message) => options.onTraffic(definition.name, direction, message),
      onSpawn: (pid) => options.ledger.add(pid, key),
      onEnd: (pid) => options.ledger.remove(pid),
    });
  }

  private async handleClose(
    key: string,
    entry: PoolEntry,
    agent: ConnectedAgent,
    error: ParleyError,
  ): Promise<void> {
    if (this.entries.get(key) !== entry) {
      return;
    }
    this.forget(key, entry);
    const wasAsked = entry.isStopping;
    this.setState(key, wasAsked ? { kind: 'stopped' } : { kind: 'failed', error });
    this.exited.fire({ key, error, wasAsked });
    // A closed connection is no proof of a dead process, nor of dead children.
    const ended = agent.stop();
    this.ending.add(ended);
    await ended.finally(() => this.ending.delete(ended));
  }

  private forget(key: string, entry: PoolEntry): void {
    if (this.entries.get(key) === entry) {
      this.entries.delete(key);
    }
  }

  private setState(key: string, state: AgentState): void {
    this.states.set(key, state);
    this.changed.fire(key);
  }
}
