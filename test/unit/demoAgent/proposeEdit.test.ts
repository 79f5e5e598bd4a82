import assert from 'node:assert/strict';
import { parseCommandLine } from '../../../src/demoAgent/runCommand';
import { proposeGreetEdit, proposeNoteEdit } from '../../../src/demoAgent/proposeEdit';
import { wordGroups } from '../../../src/demoAgent/turn';

describe('proposeEdit', () => {
  it('always has another edit for the greeting', () => {
    let text = 'export function greet(name) {\n}\n';
    for (let round = 0; round < 5; round += 1) {
      const edit = proposeGreetEdit(text);
      assert.notEqual(edit.newText, text);
      assert.equal(edit.oldText, text);
      text = edit.newText;
    }
    assert.match(text, /^\/\/ .*\nexport function greet\(name = 'world'\) \{\n\}\n$/);
  });

  it('creates the note and then adds lines to it', () => {
    const first = proposeNoteEdit(undefined);
    assert.equal(first.oldText, undefined);
    const second = proposeNoteEdit(first.newText);
    assert.equal(second.newText, `${first.newText}- Edit 2\n`);
    assert.equal(second.line, 6);
  });
});

describe('parseCommandLine', () => {
  it('splits plain words and leaves the rest to a shell', () => {
    assert.deepEqual(parseCommandLine('node --version'), { command: 'node', args: ['--version'] });
    assert.deepEqual(parseCommandLine('ls | wc', 'linux'), { command: '/bin/sh', args: ['-c', 'ls | wc'] });
    assert.equal(parseCommandLine('dir & ver', 'win32').command, 'cmd.exe');
  });
});

describe('wordGroups', () => {
  it('loses nothing', () => {
    for (const text of ['one two three four\n\nfive ', '  lead', '\n\n']) {
      assert.equal(wordGroups(text).join('').trim(), text.trim());
    }
    assert.deepEqual(wordGroups('a b c d\n'), ['a b c ', 'd\n']);
  });
});
