import assert from 'node:assert/strict';
import { commandFolderOf, commandLineOf, restOfCommand } from '../../../src/shared/transcript/command';

describe('the command line of a call', () => {
  const lines: readonly (readonly [unknown, string | undefined])[] = [
    [{ command: 'npm test' }, 'npm test'],
    [{ command: 'git', args: ['push', '-f'] }, 'git push -f'],
    [{ command: ['bash', '-lc', 'npm test'] }, "bash -lc 'npm test'"],
    [{ command: 'echo', args: ["it's", ''] }, `echo 'it'\\''s' ''`],
    [{ command: 'git', args: 'push -f' }, 'git push -f'],
    [{ command: 'git', args: null }, 'git'],
    [{ command: 'git', args: ['push', { force: true }] }, `git push '{"force":true}'`],
    [{ command: 'git', args: { force: true } }, `git '{"force":true}'`],
    [{ command: 'git', args: ['--message=a b'] }, `git --message='a b'`],
    [{ command: ['git', 3] }, 'git 3'],
    [{ command: [3, 'git'] }, undefined],
    [{ command: '' }, undefined],
    [{ command: [] }, undefined],
    ['npm test', undefined],
    [undefined, undefined],
  ];
  for (const [input, line] of lines) {
    it(`of ${JSON.stringify(input)} is ${line ?? 'not known'}`, () =>
      assert.equal(commandLineOf(input), line));
  }

  it('comes with the folder it runs in', () => {
    assert.equal(commandFolderOf({ command: 'ls', cwd: '/a' }), '/a');
    assert.equal(commandFolderOf({ command: 'ls', workdir: 'b' }), 'b');
    assert.equal(commandFolderOf({ command: 'ls', cwd: '' }), undefined);
  });

  it('is not all when there is an environment', () => {
    assert.deepEqual(restOfCommand({ command: 'ls', cwd: '/a', description: 'x', env: { A: '1' } }), {
      env: { A: '1' },
    });
    assert.equal(restOfCommand({ command: 'ls', args: [], timeout: 1 }), undefined);
    assert.deepEqual(restOfCommand({ command: 'ls', cwd: '/a', workdir: '/b' }), { workdir: '/b' });
  });
});
