import { randomUUID } from 'node:crypto';
import * as acp from '@agentclientprotocol/sdk/unstable';
import { clientFeatures } from './clientFeatures';
import { availableCommands } from './commands';
import type { DemoOptions } from './demoOptions';
import { LiveSession } from './liveSession';
import { playPrompt } from './playPrompt';
import type { SessionRecord } from './sessionRecord';
import { SessionStore } from './sessionStore';
import { changeSetting, configOptions, defaultSettings, modeState } from './settings';
import { Turn } from './turn';

const AGENT_VERSION = '0.1.0';
const PAGE_SIZE = 50;

/** An ACP agent that plays scripted scenes. It serves one connection. */
export function createDemoAgent(options: DemoOptions): acp.AgentApp {
  const { agent: methods } = acp.methods;
  const store = new SessionStore(options.stateDirectory);
  const sessions = new Map<string, LiveSession>();
  let features = clientFeatures(undefined);

  function open(record: SessionRecord): LiveSession {
    const session = new LiveSession(record, store);
    sessions.set(session.id, session);
    return session;
  }

  function liveSession(sessionId: string): LiveSession {
    const session = sessions.get(sessionId);
    if (!session) {
      throw acp.RequestError.sessionNotFound(sessionId);
    }
    return session;
  }

  async function storedRecord(sessionId: string): Promise<SessionRecord> {
    const record = await store.read(sessionId);
    if (!record) {
      throw acp.RequestError.sessionNotFound(sessionId);
    }
    return record;
  }

  function setup({ settings }: LiveSession): Pick<acp.NewSessionResponse, 'modes' | 'configOptions'> {
    return { modes: modeState(settings), configOptions: configOptions(settings, features.hasBooleanOptions) };
  }

  return acp
    .agent({ name: 'parley-demo' })
    .onRequest(methods.initialize, ({ params }) => {
      features = clientFeatures(params.clientCapabilities);
      return initializeResponse;
    })
    .onRequest(methods.session.new, async ({ params, client }) => {
      const session = open(newRecord(params.cwd));
      await session.save();
      sendCommandsLater(client, session);
      return { sessionId: session.id, ...setup(session) };
    })
    .onRequest(methods.session.load, async ({ params, client }) => {
      const session = open({ ...(await storedRecord(params.sessionId)), cwd: params.cwd });
      for (const update of session.updates) {
        await client.notify(acp.methods.client.session.update, { sessionId: session.id, update });
      }
      sendCommandsLater(client, session);
      return setup(session);
    })
    .onRequest(methods.session.resume, async ({ params, client }) => {
      const session = open({ ...(await storedRecord(params.sessionId)), cwd: params.cwd });
      sendCommandsLater(client, session);
      return setup(session);
    })
    .onRequest(methods.session.fork, async ({ params, client }) => {
      const original = await storedRecord(params.sessionId);
      const title = original.title && `${original.title} (fork)`;
      const session = open({
        ...original,
        sessionId: newRecord(params.cwd).sessionId,
        cwd: params.cwd,
        title,
      });
      await session.save();
      sendCommandsLater(client, session);
      return { sessionId: session.id, ...setup(session) };
    })
    .onRequest(methods.session.list, async ({ params }) =>
      listPage(await store.list(params.cwd ?? undefined), params),
    )
    .onRequest(methods.session.close, async ({ params }) => {
      const session = liveSession(params.sessionId);
      session.cancelTurn();
      sessions.delete(session.id);
      if (session.updates.length === 0) {
        await store.remove(session.id);
      }
    })
    .onRequest(methods.session.delete, async ({ params }) => {
      sessions.get(params.sessionId)?.discard();
      sessions.delete(params.sessionId);
      await store.remove(params.sessionId);
    })
    .onRequest(methods.session.setMode, async ({ params, client }) => {
      const session = liveSession(params.sessionId);
      await choose(session, 'mode', params.modeId);
      await client.notify(acp.methods.client.session.update, {
        sessionId: session.id,
        update: { sessionUpdate: 'config_option_update', configOptions: setup(session).configOptions ?? [] },
      });
    })
    .onRequest(methods.session.setConfigOption, async ({ params, client }) => {
      const session = liveSession(params.sessionId);
      await choose(session, params.configId, params.value);
      if (params.configId === 'mode') {
        await client.notify(acp.methods.client.session.update, {
          sessionId: session.id,
          update: { sessionUpdate: 'current_mode_update', currentModeId: session.settings.mode },
        });
      }
      return { configOptions: setup(session).configOptions ?? [] };
    })
    .onNotification(methods.session.cancel, ({ params }) => {
      sessions.get(params.sessionId)?.cancelTurn();
    })
    .onRequest(methods.session.prompt, async ({ params, client, signal }) => {
      const session = liveSession(params.sessionId);
      const turnSignal = session.beginTurn();
      if (!turnSignal) {
        throw new acp.RequestError(
          -32600,
          'A turn is running in this session. Stop it or wait until it ends.',
        );
      }
      const turn = new Turn(session, client, features, AbortSignal.any([signal, turnSignal]), options);
      try {
        return { stopReason: await playPrompt(turn, params.prompt) };
      } finally {
        session.endTurn();
      }
    });
}

const initializeResponse: acp.InitializeResponse = {
  protocolVersion: acp.PROTOCOL_VERSION,
  agentInfo: { name: 'parley-demo', title: 'Parley demo', version: AGENT_VERSION },
  authMethods: [],
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { embeddedContext: true, image: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, fork: {} },
  },
};

function newRecord(cwd: string): SessionRecord {
  return {
    sessionId: `demo-${randomUUID()}`,
    cwd,
    title: undefined,
    updatedAt: new Date().toISOString(),
    settings: defaultSettings,
    updates: [],
  };
}

async function choose(session: LiveSession, id: string, value: unknown): Promise<void> {
  const settings = changeSetting(session.settings, id, value);
  if (!settings) {
    throw acp.RequestError.invalidParams({ configId: id, value });
  }
  await session.choose(settings);
}

/** The cursor is the number of sessions already listed. */
function listPage(
  records: readonly SessionRecord[],
  request: acp.ListSessionsRequest,
): acp.ListSessionsResponse {
  const start = Number.parseInt(request.cursor ?? '0', 10) || 0;
  const end = start + PAGE_SIZE;
  const sessions = records
    .slice(start, end)
    .map(({ sessionId, cwd, title, updatedAt }) => ({ sessionId, cwd, title, updatedAt }));
  return { sessions, nextCursor: end < records.length ? String(end) : undefined };
}

/** After the response that is about to be sent, since the client does not know the session before it. */
function sendCommandsLater(client: acp.AgentContext, { id }: LiveSession): void {
  setImmediate(() => {
    const update = {
      sessionUpdate: 'available_commands_update',
      availableCommands: availableCommands(),
    } as const;
    // The connection may have closed in the meantime, and then nobody needs the list.
    client.notify(acp.methods.client.session.update, { sessionId: id, update }).catch(() => undefined);
  });
}
