import assert from 'node:assert/strict';
import { mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PathGuard } from '../../src/core/files/pathGuard';
import { asObject, asString } from '../../src/shared/json';
import { Terminals } from '../../src/core/terminals/commandTerminals';
import { livingOf } from '../support/processTable';
import type { Json, JsonObject, Step } from '../support/scriptedAgent/steps';
import { until } from '../support/until';
import { fault, script, type FaultBench } from './faultBench';

const pids = new Set<number>();
let takesInput = false;
let count = 0;

const terminals = new Terminals({
  ledger: { add: (pid) => void pids.add(pid), remove: (pid) => void pids.delete(pid) },
  guard: new PathGuard({
    ask: () => Promise.resolve('deny'),
    outside: () => 'ask',
    protectedGlobs: () => [],
    ownFolders: [],
  }),
  newId: () => `t${(count += 1)}`,
  environment: () => Promise.resolve({ ...process.env, NO_COLOR: '1', TERM: 'dumb' }),
  takesInput: () => takesInput,
});

const create = (params: JsonObject): Step => ({
  do: 'request',
  method: 'terminal/create',
  params: { sessionId: '$sessionId', ...params },
  save: 'made',
});
const ask = (method: string, more: JsonObject = {}): Step => ({
  do: 'request',
  method: `terminal/${method}`,
  params: { sessionId: '$sessionId', terminalId: '$saved.made.terminalId', ...more },
  save: method,
});
const rest = [ask('wait_for_exit'), ask('output'), ask('release')];

/** The results and errors that the agent got, in order, for a turn of these steps. */
async function answers(bench: FaultBench, ...steps: readonly Step[]): Promise<readonly JsonObject[]> {
  const session = await bench.start();
  const before = bench.agent.received().length;
  await bench.sessions.prompt(session.id, script(...steps));
  return bench.agent
    .received()
    .slice(before)
    .filter((message) => 'result' in message || 'error' in message);
}

const result = (answer: JsonObject | undefined): Json => answer?.result ?? null;
const error = (answer: JsonObject | undefined): { code: unknown; message: string } => {
  const { code, message } = asObject(asObject(answer).error);
  return { code, message: asString(message) ?? '' };
};

describe('commands that an agent runs through the editor', () => {
  beforeEach(() => {
    takesInput = false;
  });

  afterEach(() => {
    assert.deepEqual(livingOf([...pids]), []);
  });

  fault('as a program with arguments, with its environment', {
    terminals,
    run: async (bench) => {
      const code = 'console.log(process.argv[1], process.env.X, process.env.NO_COLOR, process.env.TERM)';
      const [, exit, output] = await answers(
        bench,
        create({
          command: process.execPath,
          args: ['-e', code, '--', 'a b'],
          env: [{ name: 'X', value: 'ü' }, { name: '' }],
        }),
        ...rest,
      );
      assert.deepEqual(result(exit), { exitCode: 0, signal: null });
      assert.equal(asObject(result(output)).output, 'a b ü 1 xterm-256color\n');
    },
  });

  fault('as a whole shell line, with and without spaces', {
    terminals,
    run: async (bench) => {
      const lines = await answers(
        bench,
        create({ command: 'echo "a  b" && echo c >&2; exit 3' }),
        ...rest,
        create({ command: 'echo|wc${IFS}-l' }),
        ...rest,
        create({ command: 'cat' }),
        ...rest,
      );
      const outputs = [2, 6, 10].map((index) => asObject(result(lines[index])));
      assert.deepEqual(asString(outputs[0]?.output)?.split('\n').sort(), ['', 'a  b', 'c']);
      assert.deepEqual(outputs[0]?.exitStatus, { exitCode: 3, signal: null });
      assert.equal(asString(outputs[1]?.output)?.trim(), '1');
      // It reads its input to the end, which is at once.
      assert.deepEqual(outputs[2]?.exitStatus, { exitCode: 0, signal: null });
    },
  });

  fault('with more output than it wants', {
    terminals,
    run: async (bench) => {
      const code = "process.stdout.write('ü'.repeat(150_000) + 'end')";
      const [, , output] = await answers(
        bench,
        create({ command: process.execPath, args: ['-e', code], outputByteLimit: 8 }),
        ...rest,
      );
      assert.deepEqual(
        [asObject(result(output)).output, asObject(result(output)).truncated],
        ['üüend', true],
      );
    },
  });

  fault('and kills: the whole tree goes, the id stays until it is released', {
    terminals,
    run: async (bench) => {
      const [, killed, exit, output, , after] = await answers(
        bench,
        create({ command: 'sleep 600 & sleep 601; echo never' }),
        ask('kill'),
        ...rest,
        ask('output'),
      );
      assert.deepEqual(result(killed), {});
      assert.deepEqual(result(exit), { exitCode: null, signal: 'SIGTERM' });
      assert.equal(asObject(result(output)).output, '');
      assert.equal(error(after).code, -32002);
      await until('the end of the tree', () => pids.size === 0);
    },
  });

  fault('that leave something in the background', {
    terminals,
    run: async (bench) => {
      const [, exit, output] = await answers(bench, create({ command: 'sleep 600 & echo started' }), ...rest);
      assert.deepEqual(result(exit), { exitCode: 0, signal: null });
      assert.equal(asObject(result(output)).output, 'started\n');
      await until('the end of what was left', () => pids.size === 0);
    },
  });

  fault('that cannot be started', {
    terminals,
    run: async (bench) => {
      const [missing, folder, outside, relative, empty] = await answers(
        bench,
        create({ command: 'no-such-program-here', args: ['x'] }),
        create({ command: 'ls', cwd: join(bench.folder, 'missing') }),
        create({ command: 'ls', cwd: tmpdir() }),
        create({ command: 'ls', cwd: 'sub' }),
        create({ command: '' }),
      );
      assert.deepEqual(error(missing), {
        code: -32002,
        message: 'The program "no-such-program-here" was not found.',
      });
      assert.equal(error(folder).code, -32602);
      assert.match(error(folder).message, /no such folder/);
      assert.equal(error(outside).code, -32603);
      assert.match(error(outside).message, /outside of the session's folders/);
      assert.equal(error(relative).code, -32602);
      assert.equal(error(empty).code, -32602);
    },
  });

  fault('and another session cannot touch', {
    terminals,
    run: async (bench) => {
      const first = await bench.start();
      await bench.sessions.prompt(first.id, script(create({ command: 'sleep 600' })));
      const made = bench.agent.received().map((message) => asObject(message.result).terminalId);
      const terminalId = made.find((id) => typeof id === 'string') ?? '';
      const foreign = await answers(bench, ask('output', { terminalId }), ask('kill', { terminalId }));
      assert.deepEqual(
        foreign.map((answer) => error(answer).code),
        [-32002, -32002],
      );
      assert.equal(pids.size, 1);
      await bench.sessions.close(first.id);
      await until('the end of the command with its session', () => pids.size === 0);
    },
  });

  fault('and the user types for, where that is wanted', {
    terminals,
    run: async (bench) => {
      takesInput = true;
      const session = await bench.start();
      const turn = bench.sessions.prompt(
        session.id,
        script(create({ command: 'read x; echo "got $x"' }), ...rest),
      );
      const ids = (): readonly string[] =>
        bench.agent.received().flatMap((message) => asString(asObject(message.result).terminalId) ?? []);
      await until('the command', () => ids().length === 1);
      const [id = ''] = ids();
      assert.equal(session.writeTerminal('another', 'x\n'), false);
      assert.equal(session.writeTerminal(id, 'hello\n'), true);
      await turn;
      assert.equal(session.transcript.terminals[id]?.output, 'got hello\n');
      assert.equal(session.writeTerminal(id, 'late\n'), false);
    },
  });
});

describe('the folders of a session', () => {
  const other = join(realpathSync(tmpdir()), 'parley-other-folder');
  const opened = (bench: FaultBench): readonly unknown[] =>
    bench.agent
      .received()
      .filter(({ method }) => method === 'session/new' || method === 'session/resume')
      .map(({ params }) => asObject(params).additionalDirectories);

  before(() => void mkdirSync(other, { recursive: true }));

  fault('are all told each time, to an agent that takes them', {
    otherFolders: [other],
    scenario: {
      results: {
        initialize: {
          agentCapabilities: { sessionCapabilities: { resume: {}, close: {}, additionalDirectories: {} } },
        },
      },
    },
    run: async (bench) => {
      const session = await bench.start();
      assert.deepEqual(session.roots, [bench.folder, other]);
      await bench.sessions.restartAgent(session.id);
      assert.deepEqual(opened(bench), [[other], [other]]);
    },
  });

  fault('are not told to an agent that would reject them', {
    otherFolders: [other],
    run: async (bench) => {
      await bench.start();
      assert.deepEqual(opened(bench), [undefined]);
    },
  });
});
