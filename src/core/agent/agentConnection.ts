import type { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk/unstable';
import { asNumber, asObject, asObjects, asString, isObject, type JsonObject } from '../../shared/json';
import type { ContentBlock } from '../../shared/transcript/model';
import { Emitter } from '../base/emitter';
import { asError, ParleyError } from '../base/errors';
import type { Logger } from '../base/log';
import type { FilePort, TerminalPort } from '../ports';
import { readAgentInfo, readProtocolVersion, type AgentInfo } from './agentInfo';
import type {
  ElicitationOutcome,
  ElicitationQuestion,
  ListedSession,
  OpenedSession,
  PromptResult,
  SessionSink,
  SteeringOutcome,
} from './agentSession';
import { clientCapabilities } from './clientCapabilities';
import { answerAgent } from './clientHandlers';
import { ClientTerminals } from './clientTerminals';
import { readConfigOptions, readSessionConfig, type ConfigMethod } from './configOptions';
import { writeBlock } from './contentBlocks';
import { quirksOf } from './quirks';
import { toParleyError } from './rpcErrors';
import { stdioStream } from './stdioStream';
import type { EventContext } from './toEvents';
import { readTurnTokens } from './turnTokens';
import { UpdateRouter } from './updateRouter';
import { withinLimit } from '../base/withinLimit';

const { agent, client } = acp.methods;
/** How long closing a session waits for an agent that does not care. */
const CLOSE_MS = 2000;

export interface AgentPipes {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

export interface ConnectionOptions {
  /** As the user knows it, for messages. */
  readonly name: string;
  readonly clientVersion: string;
  readonly files: FilePort;
  readonly terminals: TerminalPort;
  readonly log: Logger;
  readonly newId: () => string;
  readonly now: () => number;
  /** What an agent asks outside of any session, for example while it signs in. */
  readonly askOutsideSession: (
    agentName: string,
    question: ElicitationQuestion,
    withdrawn: AbortSignal,
  ) => Promise<ElicitationOutcome>;
  onTraffic(direction: 'sent' | 'received', message: JsonObject): void;
  /** Why the other side is gone, asked when a request fails because of it. */
  describeEnd(): Promise<ParleyError>;
}

/** One ACP connection. Everything above it speaks `shared/transcript`; SDK types end here. */
export class AgentConnection {
  private readonly connection: acp.ClientConnection;
  private readonly router: UpdateRouter;
  private readonly terminals: ClientTerminals;
  private readonly didClose = new Emitter<ParleyError>();
  readonly onDidClose = this.didClose.event;
  /** Resolves when everybody has been told. */
  readonly closed: Promise<void>;
  private agentInfo: AgentInfo = readAgentInfo({});
  private lastSeen: number;

  constructor(
    pipes: AgentPipes,
    private readonly options: ConnectionOptions,
  ) {
    const { log } = options;
    this.lastSeen = options.now();
    const events: EventContext = {
      now: options.now,
      newId: options.newId,
      onUnknown: (what) => log.warn(`Not understood: ${what}`),
    };
    this.router = new UpdateRouter(events, log, () => quirksOf(this.info.name));
    this.terminals = new ClientTerminals(options.terminals);
    const stream = stdioStream(pipes.stdin, pipes.stdout, {
      onUpdate: (params) => this.routeUpdate(params),
      onStrayLine: (line) => log.warn(`Not a message, ignored: ${line.slice(0, 2000)}`),
      onTraffic: (direction, message) => {
        if (direction === 'received') {
          this.lastSeen = options.now();
        }
        options.onTraffic(direction, message);
      },
    });
    this.connection = acp
      .client({ name: 'parley' })
      .onRequest('*', ({ method, params, signal }) =>
        answerAgent(method, params, signal, {
          files: options.files,
          terminals: this.terminals,
          events,
          quirks: quirksOf(this.info.name),
          askOutsideSession: (question, withdrawn) =>
            Promise.race([
              options.askOutsideSession(options.name, question, withdrawn),
              cancelledBy(withdrawn),
            ]),
          findSink: (sessionId) => this.router.find(sessionId),
          findAsker: (sessionId) => this.router.findAsker(sessionId),
        }),
      )
      .onNotification('*', ({ method, params }) => this.hear(method, asObject(params)))
      .connect(stream);
    this.closed = this.connection.closed.then(() => this.reportClose());
  }

  get info(): AgentInfo {
    return this.agentInfo;
  }

  /** When the agent last said anything. */
  get lastSeenAt(): number {
    return this.lastSeen;
  }

  async initialize(): Promise<AgentInfo> {
    const response = await this.request(agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientInfo: { name: 'parley', title: 'Parley', version: this.options.clientVersion },
      clientCapabilities,
    });
    const version = readProtocolVersion(response);
    if (version !== acp.PROTOCOL_VERSION) {
      throw new ParleyError(
        'protocolMismatch',
        `${this.options.name} speaks version ${version ?? 'unknown'} of the protocol, Parley speaks ${acp.PROTOCOL_VERSION}. Update the one that is older.`,
      );
    }
    this.agentInfo = readAgentInfo(response);
    return this.agentInfo;
  }

  async authenticate(methodId: string, signal?: AbortSignal): Promise<void> {
    await this.request(agent.authenticate, { methodId }, signal);
  }

  newSession(sink: SessionSink): Promise<OpenedSession> {
    return this.openSession(agent.session.new, undefined, sink);
  }

  /** The agent replays the whole history into `sink` before this resolves. */
  loadSession(agentSessionId: string, sink: SessionSink): Promise<OpenedSession> {
    return this.openSession(agent.session.load, agentSessionId, sink);
  }

  /** Without a replay: for when we have the transcript ourselves. */
  resumeSession(agentSessionId: string, sink: SessionSink): Promise<OpenedSession> {
    return this.openSession(agent.session.resume, agentSessionId, sink);
  }

  forkSession(agentSessionId: string, sink: SessionSink): Promise<OpenedSession> {
    return this.openSession(agent.session.fork, agentSessionId, sink);
  }

  async *listSessions(workdir: string): AsyncGenerator<ListedSession> {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = asObject(
        await this.request(agent.session.list, { cwd: workdir, ...(cursor && { cursor }) }),
      );
      for (const session of asObjects(page.sessions)) {
        const agentSessionId = asString(session.sessionId);
        if (agentSessionId !== undefined) {
          yield {
            agentSessionId,
            workdir: asString(session.cwd),
            title: asString(session.title),
            updatedAt: readTime(session.updatedAt),
          };
        }
      }
      const next = asString(page.nextCursor);
      // An agent whose pages go in a circle would be asked for ever.
      cursor = next === undefined || seen.has(next) ? undefined : next;
      seen.add(cursor ?? '');
    } while (cursor !== undefined);
  }

  async prompt(agentSessionId: string, blocks: readonly ContentBlock[]): Promise<PromptResult> {
    const response = await this.request(agent.session.prompt, {
      sessionId: agentSessionId,
      prompt: blocks.map(writeBlock),
    });
    return {
      stopReason: asString(asObject(response).stopReason) ?? 'unknown',
      tokens: readTurnTokens(response),
    };
  }

  /** Does not wait for the pipe: an agent that reads nothing must not hold up whoever stops it. */
  cancel(agentSessionId: string): Promise<void> {
    const sent = this.connection.agent.notify(agent.session.cancel, { sessionId: agentSessionId });
    sent.catch((error: unknown) => {
      this.options.log.warn(`Cancel could not be sent: ${asError(error).message}`);
    });
    return Promise.resolve();
  }

  async steer(agentSessionId: string, blocks: readonly ContentBlock[]): Promise<SteeringOutcome> {
    const response = await this.request('_session/steering', {
      sessionId: agentSessionId,
      prompt: blocks.map(writeBlock),
      _meta: { steering: { idleBehavior: 'promptRequired' } },
    });
    const outcome = asString(asObject(response).outcome);
    return outcome === 'injected' || outcome === 'startedNewTurn' || outcome === 'promptRequired'
      ? outcome
      : 'failed';
  }

  async setConfig(
    agentSessionId: string,
    configId: string,
    value: string | boolean,
    method: ConfigMethod = 'session/set_config_option',
  ): Promise<OpenedSession['config'] | undefined> {
    const sessionId = agentSessionId;
    switch (method) {
      case 'session/set_mode':
        await this.request(agent.session.setMode, { sessionId, modeId: String(value) });
        return undefined;
      case 'session/set_model':
        await this.request('session/set_model', { sessionId, modelId: String(value) });
        return undefined;
      case 'session/set_config_option': {
        const response = await this.request(agent.session.setConfigOption, {
          sessionId,
          configId,
          value,
          ...(typeof value === 'boolean' ? { type: 'boolean' } : {}),
        });
        const { configOptions } = asObject(response);
        return Array.isArray(configOptions) ? readConfigOptions(configOptions) : undefined;
      }
    }
  }

  /** Frees what the agent holds for the session, where it offers that, and stops listening to it. */
  async closeSession(agentSessionId: string): Promise<void> {
    try {
      if (this.info.capabilities.close) {
        const closed = this.request(agent.session.close, { sessionId: agentSessionId });
        await withinLimit(closed, CLOSE_MS, () => {
          return new ParleyError('agentTimeout', `${this.options.name} did not answer to session/close.`);
        });
      }
    } finally {
      this.detach(agentSessionId);
    }
  }

  async deleteSession(agentSessionId: string): Promise<void> {
    const deleted = this.request(agent.session.delete, { sessionId: agentSessionId });
    await withinLimit(deleted, CLOSE_MS, () => {
      return new ParleyError('agentTimeout', `${this.options.name} did not answer to session/delete.`);
    });
  }

  /** At the user's wish; the agent learns of it as of any other end of the command. */
  killTerminal(agentSessionId: string, terminalId: string): void {
    this.terminals.kill(agentSessionId, { terminalId });
  }

  /** What the user typed for a command; undefined: there will be no more. False when nobody reads it. */
  writeTerminal(agentSessionId: string, terminalId: string, data: string | undefined): boolean {
    return this.terminals.write(agentSessionId, terminalId, data);
  }

  detach(agentSessionId: string): void {
    this.router.detach(agentSessionId);
    this.terminals.releaseSession(agentSessionId);
  }

  dispose(): void {
    this.connection.close();
    this.terminals.dispose();
  }

  private async openSession(
    method: string,
    existingId: string | undefined,
    sink: SessionSink,
  ): Promise<OpenedSession> {
    const replays = method === agent.session.load || method === agent.session.resume;
    // A replay comes before the response, so the ear must be there first.
    if (replays && existingId !== undefined) {
      this.router.attach(existingId, sink);
    }
    try {
      // The whole list each time, as the protocol wants it; agents that do not offer it reject the field.
      const extra = this.info.capabilities.additionalDirectories
        ? { additionalDirectories: sink.roots.slice(1) }
        : {};
      const sessionId = existingId === undefined ? {} : { sessionId: existingId };
      const response = await this.request(method, {
        ...sessionId,
        cwd: sink.workdir,
        mcpServers: [],
        ...extra,
      });
      const agentSessionId = replays ? existingId : asString(asObject(response).sessionId);
      if (agentSessionId === undefined) {
        throw new ParleyError('requestFailed', `${this.options.name} opened a session without an id.`);
      }
      if (!replays) {
        this.router.attach(agentSessionId, sink);
      }
      if (this.info.capabilities.ready) {
        await this.connection.agent.notify('session/ready', { sessionId: agentSessionId });
      }
      const { options, methods } = readSessionConfig(response);
      return { agentSessionId, config: options, configMethods: methods };
    } catch (error) {
      if (existingId !== undefined && replays) {
        this.detach(existingId);
      }
      throw error;
    }
  }

  private hear(method: string, params: JsonObject): void {
    const elicitationId = asString(params.elicitationId);
    if (method !== client.elicitation.complete || elicitationId === undefined) {
      this.options.log.debug(`Ignored notification ${method}`);
    } else if (!this.router.attached.some((sink) => sink.completeElicitation(elicitationId))) {
      this.options.log.debug(`No page ${elicitationId} to be complete`);
    }
  }

  /** A mistake of ours in one update must not cost the connection. */
  private routeUpdate(params: unknown): void {
    try {
      this.router.route(params);
    } catch (error) {
      this.options.log.error(asError(error));
    }
  }

  /** Responses come back unchecked: every caller reads them as unknown JSON. */
  private async request(method: string, params: JsonObject, signal?: AbortSignal): Promise<unknown> {
    try {
      return await this.connection.agent.request<unknown, JsonObject>(
        method,
        params,
        signal === undefined ? undefined : { cancellationSignal: signal },
      );
    } catch (error) {
      if (this.connection.signal.aborted) {
        throw await this.closeReason();
      }
      throw toParleyError(error, this.options.name, method, this.info.authMethods);
    }
  }

  private async reportClose(): Promise<void> {
    this.terminals.dispose();
    // Also after our own dispose(): the sessions it served must hear that nobody serves them any more.
    this.didClose.fire(await this.closeReason());
    this.didClose.dispose();
  }

  private async closeReason(): Promise<ParleyError> {
    const { reason } = this.connection.signal as { reason: unknown };
    if (ParleyError.is(reason)) {
      return reason;
    }
    if (isObject(reason) && reason instanceof Error) {
      this.options.log.debug(`Connection closed: ${asError(reason).message}`);
    }
    return this.options.describeEnd();
  }
}

/** The user's dialog cannot be taken away, but the agent need not wait for it. */
function cancelledBy(signal: AbortSignal): Promise<ElicitationOutcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true });
  });
}

function readTime(value: unknown): number | undefined {
  const text = asString(value);
  const time = text === undefined ? asNumber(value) : Date.parse(text);
  return time === undefined || Number.isNaN(time) ? undefined : time;
}
