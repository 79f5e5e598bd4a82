import { setTimeout as delay } from 'node:timers/promises';
import { ParleyError } from '../base/errors';
import type { Logger } from '../base/log';
import type { FilePort, TerminalPort } from '../ports';
import type { JsonObject } from '../../shared/json';
import { AgentConnection, type ConnectionOptions } from './agentConnection';
import { AgentProcess } from '../process/agentProcess';
import { resolveCommand, type CommandRequest } from '../process/resolveCommand';
import { withinLimit } from '../base/withinLimit';

export { checkAgentEntry } from './agentConfig';
export { hasProgram } from '../process/resolveCommand';

/** How long an agent that has exited must have been silent until its connection counts as closed. */
const EXIT_QUIET_MS = 500;

/** The bundle that is loaded when an agent is used for the first time: the SDK and zod live here. */

export interface ConnectRequest {
  readonly name: string;
  readonly command: CommandRequest;
  readonly clientVersion: string;
  readonly startTimeoutMs: number;
  /** Gives up the start: the process is ended at once. */
  readonly signal?: AbortSignal;
  readonly files: FilePort;
  readonly terminals: TerminalPort;
  readonly log: Logger;
  readonly newId: () => string;
  readonly askOutsideSession: ConnectionOptions['askOutsideSession'];
  onTraffic(direction: 'sent' | 'received', message: JsonObject): void;
  /** Called as soon as the process is there, so that it can be swept if we die. */
  onSpawn(pid: number): void;
  /** Called when nothing of it is left. */
  onEnd(pid: number): void;
}

export interface ConnectedAgent {
  readonly connection: AgentConnection;
  /** Why it must be given up, though no event has said so. */
  checkHealth(): ParleyError | undefined;
  stop(): Promise<void>;
}

/** Starts an agent and shakes hands with it. Whatever fails, no process is left behind. */
export async function connectAgent(request: ConnectRequest): Promise<ConnectedAgent> {
  const { name, log } = request;
  const command = await resolveCommand(request.command);
  // As the user wrote them: expanded, they may hold what was in a variable for good reason.
  log.info(`Starting ${command.file} ${request.command.args.join(' ')}`);
  const agentProcess = await AgentProcess.spawn(command, log);
  const { pid } = agentProcess;
  if (pid !== undefined) {
    request.onSpawn(pid);
  }
  const stop = async (): Promise<void> => {
    connection.dispose();
    await Promise.all([agentProcess.stop(), connection.closed]);
    if (pid !== undefined) {
      request.onEnd(pid);
    }
  };
  const connection = new AgentConnection(agentProcess, {
    ...request,
    now: Date.now,
    describeEnd: () => agentProcess.describeEnd(name),
  });
  void closeAfterExit(agentProcess, connection);
  const giveUp = (): void => void stop();
  request.signal?.addEventListener('abort', giveUp, { once: true });
  try {
    if (request.signal?.aborted === true) {
      throw new ParleyError('agentExited', `${name} was stopped before it was ready.`);
    }
    const info = await withinLimit(connection.initialize(), request.startTimeoutMs, () => {
      const seconds = Math.round(request.startTimeoutMs / 1000);
      return new ParleyError(
        'agentTimeout',
        `${name} was started but did not answer to initialize within ${seconds} s.`,
        { detail: agentProcess.lastWords },
      );
    });
    log.info(`Ready: ${info.title ?? info.name ?? name} ${info.version ?? ''}`);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    request.signal?.removeEventListener('abort', giveUp);
  }
  return {
    connection,
    checkHealth: () => agentProcess.checkHealth(name),
    stop,
  };
}

/** A process that the agent started may hold its output open: then no end of it tells that the agent is gone. */
async function closeAfterExit(agentProcess: AgentProcess, connection: AgentConnection): Promise<void> {
  await agentProcess.exited;
  let lastSeenAt: number;
  do {
    ({ lastSeenAt } = connection);
    await delay(EXIT_QUIET_MS, undefined, { ref: false });
  } while (connection.lastSeenAt !== lastSeenAt);
  connection.dispose();
}
