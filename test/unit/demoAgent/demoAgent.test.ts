import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { methods, type ClientCapabilities } from '@agentclientprotocol/sdk/unstable';
import {
  connectDemo,
  demoFolders,
  spoken,
  type DemoClient,
  type DemoClientOptions,
  type DemoFolders,
} from './demoClient';

describe('demo agent', () => {
  let folders: DemoFolders;

  beforeEach(async () => {
    folders = await demoFolders();
    await mkdir(join(folders.cwd, 'src'));
    await writeFile(join(folders.cwd, 'README.md'), '# Sample\n');
    await writeFile(
      join(folders.cwd, 'src', 'greet.js'),
      'export function greet(name) {\n  return name;\n}\n',
    );
  });

  afterEach(() => folders.remove());

  async function start(options?: DemoClientOptions): Promise<{ client: DemoClient; sessionId: string }> {
    const client = await connectDemo(folders, options);
    return { client, sessionId: await client.newSession() };
  }

  const countOf = (client: DemoClient, method: string): number =>
    client.requests.filter((request) => request.method === method).length;

  it('plays the whole tour', async () => {
    const { client, sessionId } = await start();
    const { stopReason } = await client.prompt(sessionId, '/tour');
    assert.equal(stopReason, 'end_turn');
    assert.equal(countOf(client, methods.client.session.requestPermission), 2);
    assert.deepEqual([...client.written.keys()], [join(folders.cwd, 'src', 'greet.js')]);
    const plans = client.updates
      .map(({ update }) => update)
      .filter((update) => update.sessionUpdate === 'plan');
    assert.equal(plans.length, 6);
    assert.ok(plans.at(-1)?.entries.every((entry) => entry.status === 'completed'));
    assert.match(
      spoken(client.updates, sessionId),
      /not an AI model[^]*\| Edit \| `src\/greet\.js` \| written \|/,
    );
    const tools = client.updates
      .map(({ update }) => update)
      .filter((update) => update.sessionUpdate === 'tool_call');
    assert.deepEqual(
      tools.map((tool) => tool.kind),
      ['read', 'edit', 'execute'],
    );
    assert.equal(countOf(client, methods.client.terminal.release), 1);
  });

  it('changes files through the client, on disk and by a command', async () => {
    const { client, sessionId } = await start();
    const { stopReason } = await client.prompt(sessionId, '/change');
    assert.equal(stopReason, 'end_turn');
    assert.deepEqual([...client.written.keys()], [join(folders.cwd, 'src', 'greet.js')]);
    assert.match(await readFile(join(folders.cwd, 'parley-demo', 'notes.md'), 'utf8'), /^# Notes\n/);
    assert.equal(countOf(client, methods.client.terminal.create), 1);
  });

  it('sends its commands after the answer to session/new', async () => {
    const { client, sessionId } = await start();
    assert.equal(client.updates.length, 0);
    await client.prompt(sessionId, '/commands');
    const [first] = client.updates;
    assert.equal(first?.sessionId, sessionId);
    assert.equal(first.update.sessionUpdate, 'available_commands_update');
  });

  it('writes nothing when the user rejects', async () => {
    const { client, sessionId } = await start({ permission: 'reject' });
    const { stopReason } = await client.prompt(sessionId, '/tour');
    assert.equal(stopReason, 'end_turn');
    assert.equal(client.written.size, 0);
    assert.equal(countOf(client, methods.client.terminal.create), 0);
    const failed = client.updates.filter(
      ({ update }) => update.sessionUpdate === 'tool_call_update' && update.status === 'failed',
    );
    assert.equal(failed.length, 2);
  });

  it('asks once after "always"', async () => {
    const { client, sessionId } = await start({ permission: 'always' });
    await client.prompt(sessionId, '/edit');
    await client.prompt(sessionId, '/edit');
    assert.equal(countOf(client, methods.client.session.requestPermission), 1);
    assert.equal(countOf(client, methods.client.fs.writeTextFile), 2);
  });

  it('does not ask in auto mode and does not edit in plan mode', async () => {
    const { client, sessionId } = await start();
    await client.agent.request(methods.agent.session.setMode, { sessionId, modeId: 'auto' });
    await client.prompt(sessionId, '/edit');
    assert.equal(countOf(client, methods.client.session.requestPermission), 0);
    assert.equal(countOf(client, methods.client.fs.writeTextFile), 1);
    const { configOptions } = await client.agent.request(methods.agent.session.setConfigOption, {
      sessionId,
      configId: 'mode',
      value: 'plan',
    });
    assert.equal(configOptions.find((option) => option.id === 'mode')?.currentValue, 'plan');
    await client.prompt(sessionId, '/tour');
    assert.equal(countOf(client, methods.client.fs.writeTextFile), 1);
    assert.equal(countOf(client, methods.client.terminal.create), 0);
  });

  for (const method of [
    methods.client.fs.readTextFile,
    methods.client.session.requestPermission,
    methods.client.fs.writeTextFile,
    methods.client.terminal.create,
    methods.client.terminal.waitForExit,
  ]) {
    it(`cancels while it waits for ${method}`, async () => {
      const { client, sessionId } = await start({ hangsOn: [method] });
      const turn = client.prompt(sessionId, '/tour');
      await client.requested(method);
      await client.agent.notify(methods.agent.session.cancel, { sessionId });
      assert.deepEqual(await turn, { stopReason: 'cancelled' });
    });
  }

  it('ends the terminal of a cancelled turn', async () => {
    const { client, sessionId } = await start({ hangsOn: [methods.client.terminal.waitForExit] });
    const turn = client.prompt(sessionId, '/run');
    await client.requested(methods.client.terminal.waitForExit);
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    await turn;
    await client.requested(methods.client.terminal.kill);
    await client.requested(methods.client.terminal.release);
  });

  it('cancels a question and a slow answer', async () => {
    const { client, sessionId } = await start({ hangsOn: [methods.client.elicitation.create] });
    const question = client.prompt(sessionId, '/ask');
    await client.requested(methods.client.elicitation.create);
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    assert.equal((await question).stopReason, 'cancelled');
    const slow = client.prompt(sessionId, '/slow');
    await client.agent.notify(methods.agent.session.cancel, { sessionId });
    assert.equal((await slow).stopReason, 'cancelled');
  });

  it('makes no request that the client did not offer', async () => {
    const capabilities: ClientCapabilities = {};
    const { client, sessionId } = await start({ capabilities });
    for (const text of ['/tour', '/run', '/ask', '/ask url']) {
      assert.equal((await client.prompt(sessionId, text)).stopReason, 'end_turn');
    }
    assert.deepEqual(
      client.requests.map((request) => request.method),
      [methods.client.session.requestPermission],
    );
    const text = await readFile(join(folders.cwd, 'src', 'greet.js'), 'utf8');
    assert.match(text, /greet\(name = 'world'\)/);
  });

  it('replays the conversation on session/load, by another instance', async () => {
    const first = await start();
    await first.client.prompt(first.sessionId, '/tour');
    await first.client.prompt(first.sessionId, 'hello there');
    const second = await connectDemo(folders);
    const listed = await second.agent.request(methods.agent.session.list, { cwd: folders.cwd });
    assert.deepEqual(
      listed.sessions.map(({ sessionId, title }) => ({ sessionId, title })),
      [{ sessionId: first.sessionId, title: '/tour' }],
    );
    await second.agent.request(methods.agent.session.load, {
      sessionId: first.sessionId,
      cwd: folders.cwd,
      mcpServers: [],
    });
    assert.equal(spoken(second.updates, first.sessionId), spoken(first.client.updates, first.sessionId));
    const said = second.updates
      .map(({ update }) => update)
      .filter((update) => update.sessionUpdate === 'user_message_chunk')
      .map(({ content }) => (content.type === 'text' ? content.text : ''));
    assert.deepEqual(said, ['/tour', 'hello there']);
    assert.ok(!JSON.stringify(second.updates).includes('"terminalId"'));
    assert.ok(JSON.stringify(second.updates).includes('v20.0.0'));
  });

  it('forks, closes and deletes', async () => {
    const { client, sessionId } = await start();
    await client.prompt(sessionId, 'hello');
    const { session } = methods.agent;
    const fork = await client.agent.request(session.fork, { sessionId, cwd: folders.cwd });
    assert.notEqual(fork.sessionId, sessionId);
    await client.agent.request(session.close, { sessionId });
    await assert.rejects(client.prompt(sessionId, 'hello'), { code: -32002 });
    await client.agent.request(session.delete, { sessionId });
    const { sessions } = await client.agent.request(session.list, {});
    assert.deepEqual(
      sessions.map(({ sessionId: id, title }) => ({ id, title })),
      [{ id: fork.sessionId, title: 'hello (fork)' }],
    );
  });

  it('refuses ids that would leave its folder', async () => {
    const { client } = await start();
    const sessionId = `../${'x'.repeat(3)}`;
    const request = client.agent.request(methods.agent.session.load, {
      sessionId,
      cwd: folders.cwd,
      mcpServers: [],
    });
    await assert.rejects(request, { code: -32002 });
  });

  it('fails, refuses and crashes on demand', async () => {
    const { client, sessionId } = await start();
    await assert.rejects(client.prompt(sessionId, '/fail'), /failed on purpose/);
    assert.equal((await client.prompt(sessionId, '/refuse')).stopReason, 'refusal');
    await assert.rejects(client.prompt(sessionId, '/crash'));
    assert.deepEqual(client.exits, [42]);
  });

  it('names what was attached and says that it is scripted', async () => {
    const { client, sessionId } = await start();
    await client.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'what is this?' },
        { type: 'resource', resource: { uri: 'file:///w/a%20b.txt', text: 'x' } },
        { type: 'image', data: 'AA==', mimeType: 'image/png' },
      ],
    });
    const text = spoken(client.updates, sessionId);
    assert.match(text, /the file `a b\.txt`, an image \(image\/png\)/);
    assert.match(text, /> what is this\?[^]*not an AI model/);
  });

  it('streams exactly as much as /long asks for', async () => {
    const { client, sessionId } = await start();
    await client.prompt(sessionId, '/long 100');
    assert.equal(spoken(client.updates, sessionId).length, 100 * 1024);
  });

  it('offers a boolean option only to clients that know them', async () => {
    const ids = async (capabilities: ClientCapabilities): Promise<string[]> => {
      const client = await connectDemo(folders, { capabilities });
      const response = await client.agent.request(methods.agent.session.new, {
        cwd: folders.cwd,
        mcpServers: [],
      });
      return (response.configOptions ?? []).map((option) => option.id);
    };
    assert.deepEqual(await ids({}), ['mode', 'model', 'pace']);
    const withBoolean = await ids({ session: { configOptions: { boolean: {} } } });
    assert.deepEqual(withBoolean, ['mode', 'model', 'pace', 'thoughts']);
  });
});
