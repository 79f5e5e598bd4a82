import assert from 'node:assert/strict';
import { LineClient } from './lineClient';
import { scriptedAgentCommand, type ScriptedAgentCommand } from '../../support/scriptedAgent/scenario';
import type { JsonObject, Scenario, Step } from '../../support/scriptedAgent/steps';

describe('scripted agent', () => {
  const clients: LineClient[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) {
      client.kill('SIGKILL');
      await client.exited;
    }
  });

  function start(scenario?: Scenario): { client: LineClient; agent: ScriptedAgentCommand } {
    const agent = scriptedAgentCommand(scenario);
    const client = new LineClient(agent);
    clients.push(client);
    return { client, agent };
  }

  const prompt = (client: LineClient, text: string, sessionId = 'scripted-s1'): Promise<JsonObject> =>
    client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });

  const script = (...steps: Step[]): string => `SCRIPT ${JSON.stringify(steps)}`;

  const said = (client: LineClient): string =>
    client.messages
      .map((message) => /"agent_message_chunk".*"text":"([^"]*)"/.exec(JSON.stringify(message))?.[1] ?? '')
      .join('');

  it('serves a plain conversation and records what it received', async () => {
    const { client, agent } = start({ name: 'plain' });
    const initialized = await client.request('initialize', { protocolVersion: 1 });
    assert.match(JSON.stringify(initialized), /"protocolVersion":1/);
    const created = await client.request('session/new', { cwd: '/', mcpServers: [] });
    assert.match(JSON.stringify(created), /"sessionId":"plain-s1"/);
    assert.deepEqual((await prompt(client, 'say hello', 'plain-s1')).result, { stopReason: 'end_turn' });
    assert.equal(said(client), 'hello');
    client.send({ method: 'session/ready', params: { sessionId: 'plain-s1' } });
    client.end();
    assert.equal(await client.exited, 0);
    assert.deepEqual(
      agent.received().map((message) => message.method ?? message.event),
      ['initialize', 'session/new', 'session/prompt', 'session/ready', 'stdinEnd'],
    );
  });

  it('asks for permission and says the answer', async () => {
    const { client } = start();
    const turn = prompt(client, 'ask');
    const asked = await client.message((message) => message.method === 'session/request_permission');
    client.send({
      id: asked.id ?? null,
      result: { outcome: { outcome: 'selected', optionId: 'always' } },
    });
    await turn;
    assert.equal(said(client), 'answer: always');
  });

  it('writes garbage between messages', async () => {
    const { client } = start();
    await prompt(client, script({ do: 'raw', text: 'not json\n{"half":' }, { do: 'raw', text: '1}\n' }));
    assert.deepEqual(client.lines.slice(0, 2), ['not json', '{"half":1}']);
  });

  it('can be cancelled, and can ignore it', async () => {
    const { client } = start();
    const first = prompt(client, 'wait');
    await client.message((message) => JSON.stringify(message).includes('waiting'));
    client.send({ method: 'session/cancel', params: { sessionId: 'scripted-s1' } });
    assert.deepEqual((await first).result, { stopReason: 'cancelled' });
    const steps: Step[] = [
      { do: 'ignore', what: 'cancel' },
      { do: 'text', text: 'deaf' },
      { do: 'waitFor', cancel: true },
      { do: 'text', text: ' still here' },
    ];
    const second = prompt(client, script(...steps));
    await client.message((message) => JSON.stringify(message).includes('deaf'));
    client.send({ method: 'session/cancel', params: { sessionId: 'scripted-s1' } });
    assert.deepEqual((await second).result, { stopReason: 'end_turn' });
    assert.match(said(client), /still here/);
  });

  it('wants authentication, pages its list and replays after the answer', async () => {
    const { client } = start({
      authRequired: ['session/new'],
      listPages: [[{ sessionId: 'a', cwd: '/' }], [{ sessionId: 'b', cwd: '/' }]],
      on: { 'session/load': [{ do: 'respond' }, { do: 'text', text: 'late' }] },
      results: { initialize: { protocolVersion: 7 } },
    });
    assert.match(JSON.stringify(await client.request('initialize', {})), /"protocolVersion":7/);
    assert.match(JSON.stringify(await client.request('session/new', { cwd: '/' })), /-32000/);
    await client.request('authenticate', { methodId: 'login' });
    assert.match(JSON.stringify(await client.request('session/new', { cwd: '/' })), /scripted-s1/);
    assert.match(JSON.stringify(await client.request('session/list', {})), /"nextCursor":"page-1"/);
    const last = await client.request('session/list', { cursor: 'page-1' });
    assert.deepEqual(last.result, { sessions: [{ sessionId: 'b', cwd: '/' }] });
    const loaded = await client.request('session/load', { sessionId: 'b', cwd: '/' });
    await client.message((message) => JSON.stringify(message).includes('late'));
    const answer = client.messages.findIndex((message) => message.id === loaded.id);
    assert.equal(answer, client.messages.length - 2);
  });

  it('uses saved answers, answers with the wrong id, twice and with errors', async () => {
    const { client } = start();
    const read = prompt(
      client,
      script({ do: 'readFile', path: '/x', save: 'file' }, { do: 'text', text: '$saved.file.content' }),
    );
    const asked = await client.message((message) => message.method === 'fs/read_text_file');
    client.send({ id: asked.id ?? null, result: { content: 'inside' } });
    await read;
    assert.equal(said(client), 'inside');
    await prompt(
      client,
      script({ do: 'respond', id: 999 }, { do: 'respond', times: 2 }, { do: 'text', text: 'after' }),
    );
    await client.message((message) => JSON.stringify(message).includes('after'));
    assert.equal(client.messages.filter((message) => message.id === 999).length, 1);
    const failed = await prompt(client, script({ do: 'respondError', code: 400, message: 'bad' }));
    assert.deepEqual(failed.error, { code: 400, message: 'bad' });
  });

  it('exits in the middle of a turn, and stays when told to', async () => {
    const crashing = start();
    void prompt(crashing.client, script({ do: 'exit', code: 9 }));
    assert.equal(await crashing.client.exited, 9);
    const stubborn = start({
      on: {
        start: [
          { do: 'ignore', what: 'SIGTERM' },
          { do: 'ignore', what: 'stdinEnd' },
        ],
      },
    });
    await prompt(stubborn.client, 'say ready');
    stubborn.client.kill('SIGTERM');
    const alive = await prompt(stubborn.client, 'say alive');
    assert.deepEqual(alive.result, { stopReason: 'end_turn' });
  });
});
