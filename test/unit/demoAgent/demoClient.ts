import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as acp from '@agentclientprotocol/sdk/unstable';
import { createDemoAgent } from '../../../src/demoAgent/demoAgent';

type Update = acp.SessionUpdate;
type PermissionAnswer = 'allow' | 'always' | 'reject' | 'never';

/** How the client under the demo agent behaves. */
export interface DemoClientOptions {
  readonly capabilities?: acp.ClientCapabilities;
  readonly permission?: PermissionAnswer;
  /** Names of requests that the client never answers. */
  readonly hangsOn?: readonly string[];
}

export const allCapabilities: acp.ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  elicitation: { form: {}, url: {} },
  session: { configOptions: { boolean: {} } },
};

/** A client without transport, which remembers all it was sent. */
export interface DemoClient {
  readonly agent: acp.ClientContext;
  readonly updates: readonly acp.SessionNotification[];
  /** Requests of the agent, in order. */
  readonly requests: readonly { readonly method: string; readonly params: unknown }[];
  readonly written: ReadonlyMap<string, string>;
  readonly exits: readonly number[];
  newSession(): Promise<string>;
  prompt(sessionId: string, text: string): Promise<acp.PromptResponse>;
  /** Resolves when the agent has made that request. */
  requested(method: string): Promise<void>;
}

/** Folders for one test: the workspace and the agent's own state. */
export interface DemoFolders {
  readonly cwd: string;
  readonly state: string;
  remove(): Promise<void>;
}

export async function demoFolders(): Promise<DemoFolders> {
  const cwd = await mkdtemp(join(tmpdir(), 'parley-demo-cwd-'));
  const state = await mkdtemp(join(tmpdir(), 'parley-demo-state-'));
  const remove = async (): Promise<void> => {
    await Promise.all([cwd, state].map((folder) => rm(folder, { recursive: true, force: true })));
  };
  return { cwd, state, remove };
}

export async function connectDemo(
  folders: DemoFolders,
  options: DemoClientOptions = {},
): Promise<DemoClient> {
  const { client: methods } = acp.methods;
  const updates: acp.SessionNotification[] = [];
  const requests: { method: string; params: unknown }[] = [];
  const waiting: { method: string; resolve: () => void }[] = [];
  const written = new Map<string, string>();
  const exits: number[] = [];

  async function seen<T>(method: string, params: unknown, answer: T): Promise<T> {
    requests.push({ method, params });
    waiting.filter((waiter) => waiter.method === method).forEach((waiter) => waiter.resolve());
    if (options.hangsOn?.includes(method)) {
      return new Promise(() => undefined);
    }
    return answer;
  }

  const demo = createDemoAgent({
    stateDirectory: folders.state,
    isPaced: false,
    exit: (code) => {
      exits.push(code);
      throw new Error('exit');
    },
  });
  const connection = acp
    .client()
    .onNotification(methods.session.update, ({ params }) => {
      updates.push(params);
    })
    .onRequest(methods.session.requestPermission, ({ method, params }) => {
      const optionId = options.permission ?? 'allow';
      return seen(method, params, { outcome: { outcome: 'selected', optionId } as const });
    })
    .onRequest(methods.fs.readTextFile, ({ method, params }) =>
      seen(method, params, { content: 'from the editor\n' }),
    )
    .onRequest(methods.fs.writeTextFile, ({ method, params }) => {
      written.set(params.path, params.content);
      return seen(method, params, {});
    })
    .onRequest(methods.terminal.create, ({ method, params }) => seen(method, params, { terminalId: 't1' }))
    .onRequest(methods.terminal.waitForExit, ({ method, params }) => seen(method, params, { exitCode: 0 }))
    .onRequest(methods.terminal.output, ({ method, params }) =>
      seen(method, params, { output: 'v20.0.0\n', truncated: false }),
    )
    .onRequest(methods.terminal.kill, ({ method, params }) => seen(method, params, {}))
    .onRequest(methods.terminal.release, ({ method, params }) => seen(method, params, {}))
    .onRequest(methods.elicitation.create, ({ method, params }) =>
      seen(method, params, { action: 'accept', content: { name: 'Ada' } }),
    )
    .onNotification('*', () => undefined)
    .connect(demo);
  const { agent } = connection;
  await agent.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientCapabilities: options.capabilities ?? allCapabilities,
  });
  return {
    agent,
    updates,
    requests,
    written,
    exits,
    newSession: async () => {
      const response = await agent.request(acp.methods.agent.session.new, {
        cwd: folders.cwd,
        mcpServers: [],
      });
      return response.sessionId;
    },
    prompt: (sessionId, text) =>
      agent.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    requested: (method) =>
      new Promise((resolve) => {
        waiting.push({ method, resolve });
        if (requests.some((request) => request.method === method)) {
          resolve();
        }
      }),
  };
}

/** The agent's words of a session, chunks joined. */
export function spoken(notifications: readonly acp.SessionNotification[], sessionId: string): string {
  return notifications
    .filter((notification) => notification.sessionId === sessionId)
    .map(({ update }) => chunkText(update))
    .join('');
}

function chunkText(update: Update): string {
  return update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
    ? update.content.text
    : '';
}
