import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  resolveCommand,
  type CommandRequest,
  type ResolvedCommand,
} from '../../../src/core/process/resolveCommand';
import { ParleyError } from '../../../src/core/base/errors';

describe('resolveCommand', () => {
  let root: string;
  let workspaceFolder: string;
  let home: string;
  let bin: string;
  let otherBin: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'parley-resolve-'));
    [workspaceFolder, home, bin, otherBin] = ['my project', 'home', 'bin', 'other bin'].map((name) =>
      join(root, name),
    ) as [string, string, string, string];
    for (const folder of [workspaceFolder, home, bin, otherBin]) {
      await mkdir(folder);
    }
  });

  afterEach(() => rm(root, { recursive: true }));

  async function program(folder: string, name: string, mode = 0o755): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, '#!/bin/sh\n');
    await chmod(path, mode);
    return path;
  }

  function run(request: Partial<CommandRequest>): Promise<ResolvedCommand> {
    return resolveCommand({
      command: 'agent',
      args: [],
      env: {},
      workspaceFolder,
      baseEnv: { PATH: `${bin}:${otherBin}` },
      home,
      platform: 'linux',
      ...request,
    });
  }

  async function failure(request: Partial<CommandRequest>): Promise<ParleyError> {
    try {
      await run(request);
    } catch (error) {
      assert.ok(ParleyError.is(error));
      return error;
    }
    return assert.fail('It was resolved.');
  }

  it('finds a bare name in the first folder of PATH that has it', async () => {
    await program(otherBin, 'agent');
    const first = await program(bin, 'agent');
    assert.equal((await run({})).file, first);
  });

  it('looks in the PATH that the agent itself sets', async () => {
    const file = await program(home, 'agent');
    const resolved = await run({ env: { PATH: '~/:${env:PATH}' }, baseEnv: { PATH: bin } });
    assert.equal(resolved.env.PATH, `${home}/:${bin}`);
    assert.equal(resolved.file, file);
  });

  it('expands variables and the home folder everywhere', async () => {
    const file = await program(home, 'agent');
    const resolved = await run({
      command: '~/agent',
      args: ['--root=${workspaceFolder}', '~', '~user', '${env:TOKEN}', '${env:NOPE}', '$HOME'],
      cwd: '${workspaceFolder}/..',
      env: { CACHE: '~/cache', BOTH: '${env:TOKEN}-${env:TOKEN}' },
      baseEnv: { PATH: bin, TOKEN: 't' },
    });
    assert.deepEqual(resolved, {
      file,
      args: [`--root=${workspaceFolder}`, home, '~user', 't', '', '$HOME'],
      cwd: root,
      env: { PATH: bin, TOKEN: 't', CACHE: join(home, 'cache'), BOTH: 't-t' },
    });
  });

  it('takes a relative path from the workspace folder, which is also where the agent runs', async () => {
    const file = await program(workspaceFolder, 'agent');
    const resolved = await run({ command: './agent' });
    assert.equal(resolved.file, file);
    assert.equal(resolved.cwd, workspaceFolder);
  });

  it('lists each folder when a bare name is nowhere', async () => {
    const file = await program(otherBin, 'agent', 0o644);
    await mkdir(join(bin, 'agent'));
    const error = await failure({ baseEnv: { PATH: `${bin}::${otherBin}:${home}:${bin}` } });
    assert.equal(error.code, 'agentNotFound');
    assert.match(error.message, /"agent"/);
    assert.deepEqual(error.detail?.split('\n'), [
      'Looked in the folders of PATH:',
      `${bin}: is not a file`,
      `${otherBin}: exists but is not executable`,
      home,
    ]);
    await chmod(file, 0o755);
    assert.equal((await run({})).file, file);
  });

  it('says why a path is not a program', async () => {
    const plain = await program(bin, 'plain', 0o644);
    assert.equal(
      (await failure({ command: plain })).detail,
      `Looked for ${plain}: exists but is not executable`,
    );
    const missing = join(bin, 'missing');
    assert.equal((await failure({ command: missing })).detail, `Looked for ${missing}: no such file`);
  });

  it('hints at arguments that were written into the command', async () => {
    assert.match((await failure({ command: 'agent --acp' })).detail ?? '', /arguments belong in "args"/);
  });

  it('refuses variables it does not know', async () => {
    await program(bin, 'agent');
    const error = await failure({ args: ['${workspaceRoot}'] });
    assert.equal(error.code, 'invalidConfig');
    assert.match(error.message, /\$\{workspaceRoot\}/);
  });

  it('refuses an empty command and a folder that is not there', async () => {
    await program(bin, 'agent');
    assert.equal((await failure({ command: ' ' })).code, 'invalidConfig');
    const error = await failure({ cwd: 'nowhere' });
    assert.equal(error.code, 'invalidConfig');
    assert.match(error.message, /nowhere/);
  });

  it('adds PATHEXT and ignores the case of variables on Windows', async () => {
    await program(bin, 'agent');
    const batch = await program(bin, 'agent.cmd');
    const windows = {
      platform: 'win32',
      baseEnv: { Path: `${bin};${otherBin}`, PathExt: '.EXE;.CMD', lower: 'x' },
    } as const;
    const resolved = await run({ ...windows, args: ['${env:LOWER}'], env: { LOWER: 'y' } });
    assert.equal(resolved.file, batch);
    assert.deepEqual(resolved.args, ['x']);
    assert.equal(resolved.env.lower, 'y');
    assert.equal(resolved.env.LOWER, undefined);
    assert.equal((await run({ ...windows, command: 'agent.cmd' })).file, batch);
    assert.equal((await failure({ ...windows, command: 'agent.txt' })).code, 'agentNotFound');
  });
});
