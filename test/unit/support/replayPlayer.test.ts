import assert from 'node:assert/strict';
import * as acp from '@agentclientprotocol/sdk/unstable';
import {
  clientActions,
  ofProcess,
  parseRecording,
  readRecording,
  recordedAnswer,
  type RecordedEntry,
} from '../../support/recording';
import { ReplayPlayer, type ReplayOptions } from '../../support/replayPlayer';

const handmade = [
  { proc: 1, dir: 'c2a', msg: { id: 7, method: 'initialize', params: {} } },
  { proc: 1, dir: 'stderr', raw: 'hello' },
  { proc: 1, dir: 'a2c', msg: { jsonrpc: '2.0', id: 7, result: { protocolVersion: 1 } } },
  { proc: 1, mark: 'prompt' },
  { proc: 1, dir: 'c2a', msg: { id: 8, method: 'session/prompt', params: { sessionId: 's' } } },
  { proc: 1, dir: 'a2c', msg: { jsonrpc: '2.0', id: 0, method: 'fs/read_text_file', params: {} } },
  { proc: 1, dir: 'c2a', msg: { id: 0, result: { content: 'x' } } },
  { proc: 1, dir: 'a2c', msg: { jsonrpc: '2.0', id: 8, result: { stopReason: 'end_turn' } } },
]
  .map((entry) => JSON.stringify(entry))
  .join('\n');

describe('ReplayPlayer', () => {
  function play(options?: ReplayOptions): {
    player: ReplayPlayer;
    send: (message: object) => Promise<void>;
    next: () => Promise<unknown>;
  } {
    const player = new ReplayPlayer(parseRecording(handmade), options);
    const writer = player.writable.getWriter();
    const reader = player.readable.getReader();
    return {
      player,
      send: (message) => writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`)),
      next: async () => JSON.parse(new TextDecoder().decode((await reader.read()).value)) as unknown,
    };
  }

  const initialize = { id: 'a', method: 'initialize', params: { anything: 1 } };
  const prompt = { id: 'b', method: 'session/prompt', params: { sessionId: 's' } };

  it('waits for the client at each barrier and maps ids', async () => {
    const { player, send, next } = play();
    await player.waitUntilIdle();
    await send(initialize);
    assert.deepEqual(await next(), { jsonrpc: '2.0', id: 'a', result: { protocolVersion: 1 } });
    await send(prompt);
    assert.deepEqual(await next(), { jsonrpc: '2.0', id: 0, method: 'fs/read_text_file', params: {} });
    await send({ id: 0, result: { content: 'mine' } });
    assert.deepEqual(await next(), { jsonrpc: '2.0', id: 'b', result: { stopReason: 'end_turn' } });
    await player.done;
  });

  it('keeps what comes ahead of time', async () => {
    const { player, send, next } = play();
    await send(prompt);
    await send(initialize);
    assert.match(JSON.stringify(await next()), /"id":"a"/);
    assert.match(JSON.stringify(await next()), /fs\/read_text_file/);
    await send({ id: 0, result: {} });
    await player.done;
  });

  it('fails with the place when the client leaves the recording', async () => {
    const { player, send } = play();
    await send(initialize);
    await send({ id: 'c', method: 'session/list', params: {} });
    await assert.rejects(player.done, /line 5 of the recording: the client sent request session\/list/);
    await assert.rejects(player.waitUntilIdle(), /line 5/);
  });

  it('fails when the client sends something once too often', async () => {
    const { player, send } = play();
    await send(prompt);
    await send(prompt);
    await assert.rejects(player.done, /line 1 of the recording: the client sent request session\/prompt/);
  });

  it('fails with the place when the client stalls', async () => {
    const { player, send } = play({ stallMs: 20 });
    await send(initialize);
    await assert.rejects(player.done, /line 5 .* waiting for request session\/prompt of session s/);
  });

  it('tolerates what it was told to', async () => {
    const { send, next } = play({ tolerated: ['session/list'] });
    await send({ id: 'c', method: 'session/list', params: {} });
    assert.match(JSON.stringify(await next()), /"id":"c","error":\{"code":-32601/);
  });

  it('lists what the client did', () => {
    const actions = clientActions(parseRecording(handmade));
    assert.deepEqual(
      actions.map(({ line, method }) => ({ line, method })),
      [
        { line: 1, method: 'initialize' },
        { line: 5, method: 'session/prompt' },
      ],
    );
  });

  for (const name of ['copilot.none', 'claude', 'gemini', 'opencode', 'copilot']) {
    it(`plays ${name} to a bare SDK client`, async () => {
      const recording = readRecording(name);
      const processes = [...new Set(recording.map((entry) => entry.proc))];
      for (const proc of processes) {
        const entries = ofProcess(recording, proc);
        const { answered, updates } = await drive(entries);
        const expected = entries.filter(({ kind, message }) => kind === 'fromAgent' && message);
        const isUpdate = ({ message }: RecordedEntry): boolean => message?.method === 'session/update';
        assert.equal(updates, expected.filter(isUpdate).length);
        const isAnswer = ({ message }: RecordedEntry): boolean => message?.method === undefined;
        assert.equal(answered, expected.filter(isAnswer).length);
      }
    });
  }
});

/** Does with an SDK client what the recorded client did; counts answers and updates that arrive. */
async function drive(entries: readonly RecordedEntry[]): Promise<{ answered: number; updates: number }> {
  let answered = 0;
  let updates = 0;
  const player = new ReplayPlayer(entries);
  const stream = acp.ndJsonStream(player.writable, player.readable);
  const counted = stream.readable.pipeThrough(
    new TransformStream<acp.AnyMessage, acp.AnyMessage>({
      transform: (message, controller) => {
        if ('method' in message && message.method === 'session/update') {
          updates += 1;
          return;
        }
        controller.enqueue(message);
      },
    }),
  );
  const connection = acp
    .client()
    .onRequest('*', ({ requestId }) => {
      const answer = recordedAnswer(entries, requestId);
      if (answer?.error !== undefined) {
        throw new acp.RequestError(-32603, 'as recorded');
      }
      return answer?.result;
    })
    .onNotification('*', () => undefined)
    .connect({ readable: counted, writable: stream.writable });
  const requests: Promise<unknown>[] = [];
  for (let action = await player.nextAction(); action; action = await player.nextAction()) {
    if (action.kind === 'notification') {
      await connection.agent.notify(action.method, action.params);
      continue;
    }
    const count = (): void => {
      answered += 1;
    };
    requests.push(connection.agent.request(action.method, action.params).then(count, countErrors(count)));
  }
  await player.done;
  await connection.closed;
  await Promise.all(requests);
  return { answered, updates };
}

/** An error that the agent sent is an answer; the end of the connection is not. */
function countErrors(count: () => void): (error: unknown) => void {
  return (error) => {
    if (error instanceof acp.RequestError) {
      count();
    }
  };
}
