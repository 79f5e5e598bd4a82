import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { asArray, asNumber, asObjects, asString, type JsonObject } from '../../shared/json';
import type { TerminalExit } from '../../shared/transcript/model';
import type { IDisposable } from '../base/lifecycle';
import type { AgentTerminal, TerminalPort } from '../ports';
import type { SessionSink } from './agentSession';

interface OwnedTerminal {
  readonly sessionId: string;
  readonly terminal: AgentTerminal;
}

/** Serves `terminal/*` for one connection. A terminal's id is good only in the session that made it. */
export class ClientTerminals implements IDisposable {
  private readonly terminals = new Map<string, OwnedTerminal>();

  constructor(private readonly port: TerminalPort) {}

  async create(sessionId: string, params: JsonObject, sink: SessionSink): Promise<{ terminalId: string }> {
    const command = asString(params.command);
    if (command === undefined || command === '') {
      throw RequestError.invalidParams(undefined, 'command is missing');
    }
    const env: Record<string, string> = {};
    for (const variable of asObjects(params.env)) {
      const name = asString(variable.name) ?? '';
      if (name !== '') {
        env[name] = asString(variable.value) ?? '';
      }
    }
    const limit = asNumber(params.outputByteLimit);
    const terminal = await this.port.create({
      sessionId: sink.id,
      roots: sink.roots,
      command,
      args: asArray(params.args).filter((arg) => typeof arg === 'string'),
      env,
      cwd: asString(params.cwd) ?? sink.workdir,
      outputByteLimit: limit === undefined || limit < 0 ? undefined : limit,
    });
    this.terminals.set(terminal.id, { sessionId, terminal });
    sink.onEvents([{ type: 'terminalStarted', terminalId: terminal.id }]);
    terminal.onDidWrite((data) => sink.onEvents([{ type: 'terminalOutput', terminalId: terminal.id, data }]));
    void terminal.exited.then((exit) =>
      sink.onEvents([{ type: 'terminalExited', terminalId: terminal.id, exit }]),
    );
    return { terminalId: terminal.id };
  }

  output(sessionId: string, params: JsonObject): object {
    const { output, isTruncated, exit } = this.find(sessionId, params).output();
    return { output, truncated: isTruncated, ...(exit === undefined ? {} : { exitStatus: writeExit(exit) }) };
  }

  async waitForExit(sessionId: string, params: JsonObject, signal: AbortSignal): Promise<object> {
    const { exited } = this.find(sessionId, params);
    const aborted = new Promise<never>((_resolve, reject) => {
      const giveUp = (): void => reject(RequestError.requestCancelled());
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) {
        giveUp();
      }
    });
    return writeExit(await Promise.race([exited, aborted]));
  }

  kill(sessionId: string, params: JsonObject): void {
    this.find(sessionId, params).kill();
  }

  /** What the user typed. False when the command is gone or reads no input. */
  write(sessionId: string, terminalId: string, data: string | undefined): boolean {
    const owned = this.terminals.get(terminalId);
    return owned?.sessionId === sessionId && owned.terminal.takeInput(data);
  }

  /** Its output stays in the transcript; only the process and the id are given up. */
  release(sessionId: string, params: JsonObject): void {
    const terminal = this.find(sessionId, params);
    this.terminals.delete(terminal.id);
    terminal.dispose();
  }

  releaseSession(sessionId: string): void {
    for (const [id, owned] of this.terminals) {
      if (owned.sessionId === sessionId) {
        this.terminals.delete(id);
        owned.terminal.dispose();
      }
    }
  }

  dispose(): void {
    for (const { terminal } of this.terminals.values()) {
      terminal.dispose();
    }
    this.terminals.clear();
  }

  private find(sessionId: string, params: JsonObject): AgentTerminal {
    const id = asString(params.terminalId) ?? '';
    const owned = this.terminals.get(id);
    if (owned?.sessionId !== sessionId) {
      throw RequestError.resourceNotFound(id);
    }
    return owned.terminal;
  }
}

function writeExit(exit: TerminalExit): object {
  return { exitCode: exit.code ?? null, signal: exit.signal ?? null };
}
