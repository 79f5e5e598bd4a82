import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk/unstable';
import { removeFolder } from '../scripts/repository.mjs';
import { AgentConnection } from '../src/core/agent/agentConnection';
import { ParleyError } from '../src/core/base/errors';
import { Session } from '../src/core/session/session';
import { TranscriptStore } from '../src/core/transcripts/transcriptStore';
import type { TranscriptEvent } from '../src/shared/transcript/events';
import { FakeTerminals, MemoryFiles, MemoryLog } from '../test/support/fakes';
import { cannedAgent, type AgentEnds } from './cannedAgent';
import { interleaved, median, type Measurement } from './measurement';
import { recordedUpdates } from './recordedUpdates';

const UPDATES = 20_000;
const WARM_UP_ROUNDS = 1;
const ROUNDS = 5;
const sessionId = 's1';
const sides = ['bare', 'product', 'stored'] as const;

/** What an update costs from the agent's bytes to the reduced transcript, against an SDK client that drops it. */
export async function measureHostUpdate(): Promise<readonly Measurement[]> {
  const answer = Buffer.from(recordedUpdates(UPDATES, sessionId).join(''));
  const runs = { bare: runBare, product: runProduct, stored: runStored };
  const measure = (side: keyof typeof runs): Promise<number> =>
    cpuTime(() => runs[side](cannedAgent(sessionId, answer)));
  await interleaved(sides, WARM_UP_ROUNDS, measure);
  const samples = await interleaved(sides, ROUNDS, measure);
  const ratio = (side: 'product' | 'stored'): number =>
    median(samples[side].map((value, round) => value / (samples.bare[round] ?? NaN)));
  const comparedWith = `a bare SDK client that drops the update (${UPDATES} recorded updates)`;
  return [
    { name: 'hostUpdate', value: ratio('product'), unit: '×', comparedWith, samples },
    { name: 'hostUpdate, stored', value: ratio('stored'), unit: '×', comparedWith },
  ];
}

async function runBare({ stdin, stdout }: AgentEnds): Promise<void> {
  let count = 0;
  const connection = acp
    .client({ name: 'bare' })
    .onNotification(acp.methods.client.session.update, () => {
      count += 1;
    })
    .connect(acp.ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>));
  const { agent } = acp.methods;
  await connection.agent.request(agent.initialize, { protocolVersion: acp.PROTOCOL_VERSION });
  await connection.agent.request(agent.session.new, { cwd: '/', mcpServers: [] });
  await connection.agent.request(agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'go' }] });
  connection.close();
  if (count !== UPDATES) {
    throw new Error(`The bare client saw ${count} of ${UPDATES} updates.`);
  }
}

async function runProduct(
  ends: AgentEnds,
  record: (event: TranscriptEvent) => void = noRecord,
): Promise<void> {
  const log = new MemoryLog();
  let ids = 0;
  const newId = (): string => `id${++ids}`;
  const connection = new AgentConnection(ends, {
    name: 'canned',
    clientVersion: '0.0.0',
    askOutsideSession: () => Promise.resolve({ action: 'cancel' }),
    files: new MemoryFiles(),
    terminals: new FakeTerminals(),
    log,
    newId,
    now: Date.now,
    onTraffic: () => undefined,
    describeEnd: () => Promise.resolve(new ParleyError('agentExited', 'The canned agent is gone.')),
  });
  const session = new Session(
    {
      sessionId,
      agentSessionId: sessionId,
      agentId: 'canned',
      agentName: 'canned',
      agentKey: 'canned@/',
      workdir: '/',
      status: 'active',
      turnCount: 0,
      createdAt: 0,
      lastActiveAt: 0,
    },
    { log, newId, now: Date.now, openExternal: () => Promise.resolve(false) },
  );
  await connection.initialize();
  session.attach(connection, await connection.newSession(session));
  session.recordTo(record);
  await session.prompt([{ kind: 'text', text: 'go' }]);
  connection.dispose();
  session.dispose();
  if (session.transcript.entries.length < 2 || log.warnings.length > 0) {
    throw new Error(`The product did not take the updates: ${log.warnings.slice(0, 3).join('; ')}`);
  }
}

/** The same with every event kept on disk, as in the product. */
async function runStored(ends: AgentEnds): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const store = new TranscriptStore(folder, new MemoryLog());
  try {
    store.open({ sessionId });
    await runProduct(ends, (event) => store.append(sessionId, event));
    store.flush();
  } finally {
    store.dispose();
    removeFolder(folder);
  }
}

function noRecord(): void {
  // The bare client keeps nothing either.
}

/** Of this process, in milliseconds: others on the machine must not count. */
async function cpuTime(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
