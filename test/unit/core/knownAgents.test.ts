import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasProgram } from '../../../src/core/process/resolveCommand';
import { findInstalledAgents } from '../../../src/core/agents/knownAgents';

describe('agents that are installed', () => {
  const found = (...programs: string[]) =>
    findInstalledAgents((program) => Promise.resolve(programs.includes(program)));

  it('are started by their own program', async () => {
    assert.deepEqual(await found('opencode', 'gemini'), [
      { id: 'gemini', program: 'gemini', entry: { name: 'Gemini', command: 'gemini', args: ['--acp'] } },
      {
        id: 'opencode',
        program: 'opencode',
        entry: { name: 'OpenCode', command: 'opencode', args: ['acp'] },
      },
    ]);
  });

  it('are fetched when only a program is there that does not speak ACP', async () => {
    const [claude] = await found('claude');
    assert.equal(claude?.program, 'claude');
    assert.equal(claude.entry.command, 'npx');
    const [adapter] = await found('claude', 'claude-agent-acp');
    assert.equal(adapter?.entry.command, 'claude-agent-acp');
  });

  it('are looked for on the PATH, where only what can be run counts', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'parley-installed-'));
    try {
      await writeFile(path.join(folder, 'runs'), '#!/bin/sh\n', { mode: 0o755 });
      await writeFile(path.join(folder, 'reads'), '', { mode: 0o644 });
      const env = { PATH: `${path.join(folder, 'missing')}:${folder}` };
      const has = (name: string) => hasProgram(name, env, folder);
      assert.deepEqual(await Promise.all(['runs', 'reads', 'nothing'].map(has)), [true, false, false]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
