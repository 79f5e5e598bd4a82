import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import * as acp from '@agentclientprotocol/sdk/unstable';
import { longMarkdown } from '../src/demoAgent/scenes/markdownSample';

const CHUNK_CHARACTERS = 96;
const TICK_MS = 8;
const ENTRY_CHARACTERS = 300;
const KB = 1024;

/**
 * An agent that answers for a stopwatch: `stream 256 128` (KB, KB per second),
 * `flood 20000 4` (chunks, characters in each), `turn`, `entries 20`.
 */
const { client, agent } = acp.methods;
let sessions = 0;
let tools = 0;

acp
  .agent({ name: 'bench' })
  .onRequest(agent.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentCapabilities: { sessionCapabilities: { resume: {} } },
  }))
  .onRequest(agent.session.resume, () => ({}))
  .onRequest(agent.session.new, () => ({ sessionId: `bench-${++sessions}` }))
  .onRequest(agent.session.prompt, async ({ params: { sessionId, prompt }, client: peer }) => {
    const [first] = prompt;
    const [word, ...numbers] = (first?.type === 'text' ? first.text : '').split(' ');
    const send: Send = (update) => peer.notify(client.session.update, { sessionId, update });
    await play(word, numbers.map(Number), send);
    return { stopReason: 'end_turn' };
  })
  .connect(
    acp.ndJsonStream(
      Writable.toWeb(process.stdout),
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );

type Send = (update: acp.SessionUpdate) => Promise<void>;

async function play(scene: string | undefined, [a = 0, b = 0]: readonly number[], send: Send): Promise<void> {
  switch (scene) {
    case 'stream':
      await stream(send, longMarkdown(a * KB), b * KB);
      return;
    case 'flood':
      await flood(send, a, b);
      return;
    case 'turn':
      await tool(send);
      await stream(send, longMarkdown(KB), 64 * KB);
      return;
    case 'entries':
      await entries(send, a);
      return;
    default:
      await say(send, 'Ready.');
  }
}

/** With the prompt, so many; the last says which it is. */
async function entries(send: Send, count: number): Promise<void> {
  for (let entry = 2; entry < count; entry += 1) {
    if (entry % 2 === 0) {
      await tool(send);
    } else {
      await say(send, longMarkdown(ENTRY_CHARACTERS));
    }
  }
  await say(send, `\n\nEntry ${count} is the last.`);
}

/** As many chunks as are due by the clock, so that the size of an answer changes its length and not its pace. */
async function stream(send: Send, text: string, charactersPerSecond: number): Promise<void> {
  const started = performance.now();
  let sent = 0;
  while (sent < text.length) {
    const due = ((performance.now() - started) / 1000) * charactersPerSecond;
    while (sent < Math.min(due, text.length)) {
      await say(send, text.slice(sent, sent + CHUNK_CHARACTERS));
      sent += CHUNK_CHARACTERS;
    }
    await delay(TICK_MS);
  }
}

/** As fast as it can. */
async function flood(send: Send, chunks: number, characters: number): Promise<void> {
  const text = longMarkdown(chunks * characters);
  for (let at = 0; at < text.length; at += characters) {
    await say(send, text.slice(at, at + characters));
  }
}

async function tool(send: Send): Promise<void> {
  const toolCallId = `tool-${++tools}`;
  await send({
    sessionUpdate: 'tool_call',
    toolCallId,
    title: `npm run step-${tools}`,
    kind: 'execute',
    status: 'in_progress',
  });
  await send({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text: `Step ${tools} is done.` } }],
  });
}

async function say(send: Send, text: string): Promise<void> {
  await send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
}
