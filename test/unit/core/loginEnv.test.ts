import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoginEnvironment, loginShellEnvironment } from '../../../src/core/process/loginEnv';
import { becomesTrue, isGroupAlive } from '../../../src/core/process/processGroup';
import type { Environment } from '../../../src/core/process/expandVariables';
import { listLog } from './listLog';

describe('loginEnv', function () {
  this.timeout(20_000);
  let home: string;
  let base: Environment;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'parley-login-'));
    base = { HOME: home, PATH: '/usr/bin:/bin', OWN: 'editor', SHLVL: '3', VSCODE_PID: '1', ELECTRON_X: 'y' };
  });

  afterEach(() => rm(home, { recursive: true }));

  for (const [shell, profile] of [
    ['/bin/sh', '.profile'],
    ['/bin/bash', '.bash_profile'],
  ] as const) {
    it(`reads what ${shell} sets up at login, whatever it prints`, async () => {
      await writeFile(
        join(home, profile),
        `echo "Welcome {}"; echo trouble >&2
         export PATH="/opt/it's here/bin:$PATH" TRICKY='a "b" \\ $c
second line' VSCODE_FROM_RC=1
         cd /`,
      );
      const { log, lines } = listLog();
      const env = await loginShellEnvironment({ shell, log, env: base });
      // What comes after it is for the machine's own profile to say.
      assert.match(env.PATH ?? '', /^\/opt\/it's here\/bin:\//);
      assert.equal(env.TRICKY, 'a "b" \\ $c\nsecond line');
      assert.equal(env.OWN, 'editor');
      const foreign = Object.keys(env).filter((name) =>
        /^(VSCODE|ELECTRON|PARLEY)_|^(SHLVL|OLDPWD|PWD|_)$/.test(name),
      );
      assert.deepEqual(foreign, []);
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? '', new RegExp(`^info .*${shell} read in \\d+ ms. PATH=/opt/it's here/bin:`));
      assert.doesNotMatch(lines[0] ?? '', /TRICKY|second line/);
    });
  }

  it('lets start-up files know that only the environment is wanted', async () => {
    await writeFile(join(home, '.profile'), 'export SEEN="$VSCODE_RESOLVING_ENVIRONMENT"');
    const env = await loginShellEnvironment({ shell: '/bin/sh', log: listLog().log, env: base });
    assert.equal(env.SEEN, '1');
  });

  it('kills a shell that takes too long, with what it started', async () => {
    const pidFile = join(home, 'pid');
    await writeFile(join(home, '.profile'), `echo $$ > '${pidFile}'; sleep 1000`);
    const { log, lines } = listLog();
    const env = await loginShellEnvironment({ shell: '/bin/sh', log, env: base, timeoutMs: 500 });
    assert.deepEqual(env, { HOME: home, PATH: '/usr/bin:/bin', OWN: 'editor' });
    assert.match(lines.join('\n'), /^warn .*longer than 500 ms.*PATH=\/usr\/bin:\/bin$/);
    const group = Number(await readFile(pidFile, 'utf8'));
    assert.ok(group > 1);
    assert.ok(await becomesTrue(() => !isGroupAlive(group), 5000));
  });

  it('does not wait for what start-up files leave running', async () => {
    const pidFile = join(home, 'pid');
    await writeFile(join(home, '.profile'), `sleep 1000 & echo $! > '${pidFile}'; export OK=1`);
    const env = await loginShellEnvironment({ shell: '/bin/sh', log: listLog().log, env: base });
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
    assert.equal(env.OK, '1');
  });

  it('falls back to the own environment when the shell ends early', async () => {
    await writeFile(join(home, '.profile'), 'exit 3');
    const { log, lines } = listLog();
    const env = await loginShellEnvironment({ shell: '/bin/sh', log, env: base });
    assert.equal(env.PATH, '/usr/bin:/bin');
    assert.match(lines[0] ?? '', /^warn .*code 3/);
  });

  it('falls back to the own environment when there is no such shell', async () => {
    const { log, lines } = listLog();
    const env = await loginShellEnvironment({ log, env: { ...base, SHELL: '/no/such/shell' } });
    assert.equal(env.OWN, 'editor');
    assert.match(lines[0] ?? '', /^warn .*\/no\/such\/shell.*could not be started/);
  });

  it('asks no shell on Windows', async () => {
    const { log } = listLog();
    const env = { Path: 'C:\\bin', VSCODE_PID: '1' };
    assert.deepEqual(await loginShellEnvironment({ log, env, shell: '/bin/sh', platform: 'win32' }), {
      Path: 'C:\\bin',
    });
  });

  it('asks once, until told to forget', async () => {
    const shell = join(home, 'countingShell');
    await writeFile(shell, '#!/bin/sh\necho x >> "$HOME/count"\nexec /bin/sh "$@"\n');
    await chmod(shell, 0o755);
    const count = async (): Promise<number> => (await readFile(join(home, 'count'), 'utf8')).length / 2;
    const login = new LoginEnvironment({ shell, log: listLog().log, env: base });
    const [first, second] = await Promise.all([login.get(), login.get()]);
    assert.equal(first, second);
    assert.equal(await count(), 1);
    login.forget();
    await login.get();
    assert.equal(await count(), 2);
  });
});
