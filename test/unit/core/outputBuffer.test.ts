import assert from 'node:assert/strict';
import { commandLine } from '../../../src/core/terminals/commandLine';
import { LineInput } from '../../../src/core/terminals/lineInput';
import { OutputBuffer } from '../../../src/core/terminals/outputBuffer';

describe('the output of a command', () => {
  const kept = (limit: number, ...texts: readonly string[]): readonly [string, boolean] => {
    const buffer = new OutputBuffer(limit);
    texts.forEach((text) => buffer.append(text));
    return [buffer.text(), buffer.isTruncated];
  };

  it('keeps the end, in bytes, from a whole character on', () => {
    assert.deepEqual(kept(10, 'hello'), ['hello', false]);
    assert.deepEqual(kept(5, 'hello'), ['hello', false]);
    assert.deepEqual(kept(4, 'he', 'llo'), ['ello', true]);
    assert.deepEqual(kept(4, 'üüü'), ['üü', true]);
    assert.deepEqual(kept(5, 'üüü'), ['üü', true]);
    assert.deepEqual(kept(3, '😀'), ['', true]);
    assert.deepEqual(kept(9, '😀', 'a😀'), ['😀a😀', false]);
    assert.deepEqual(kept(8, '😀', 'a😀'), ['a😀', true]);
  });

  it('keeps nothing with a limit of 0', () => {
    assert.deepEqual(kept(0), ['', false]);
    assert.deepEqual(kept(0, 'x', 'y'), ['', true]);
  });

  it('holds for any pieces, at any limit', () => {
    const whole = 'aü€😀\n'.repeat(40_000);
    for (const limit of [1, 1000, 65_535, 65_536, 65_537, 200_001]) {
      for (const size of [7, 9_999, 70_000]) {
        const buffer = new OutputBuffer(limit);
        const letters = Array.from(whole);
        for (let index = 0; index < letters.length; index += size) {
          buffer.append(letters.slice(index, index + size).join(''));
        }
        const text = buffer.text();
        assert.ok(Buffer.byteLength(text) <= limit);
        assert.ok(Buffer.byteLength(text) > limit - 4);
        assert.ok(whole.endsWith(text));
        assert.equal(buffer.isTruncated, true);
      }
    }
  });

  it('costs what is added, not what is kept', () => {
    const time = (limit: number): number => {
      const buffer = new OutputBuffer(limit);
      buffer.append('x'.repeat(limit));
      const start = performance.now();
      for (let count = 0; count < 50_000; count += 1) {
        buffer.append('one more line of output\n');
      }
      return performance.now() - start;
    };
    time(1000);
    const small = Math.max(time(1024), 5);
    assert.ok(time(32 * 1024 * 1024) < 20 * small, 'a large limit makes small output dear');
  });
});

describe('the command of an agent', () => {
  const line = (command: string, args: readonly string[] = [], platform: NodeJS.Platform = 'linux'): object =>
    commandLine(
      { command, args, cwd: '/w' },
      platform,
      (file) => file === '/bin/bash' || file === '/w/my tool',
    );

  it('is a program when it is a name, has arguments, or is a file', () => {
    assert.deepEqual(line('ls'), { file: 'ls', args: [], isShell: false });
    assert.deepEqual(line('./a b', ['c']), { file: './a b', args: ['c'], isShell: false });
    assert.deepEqual(line('my tool'), { file: 'my tool', args: [], isShell: false });
    assert.deepEqual(line('C:\\x\\y.exe', [], 'win32'), { file: 'C:\\x\\y.exe', args: [], isShell: false });
  });

  it('is a shell line else, with or without a space', () => {
    for (const command of ['ls -l', 'ls;pwd', 'a|b', '$HOME/x', 'A=1', '"x"', '~/x', '*.sh']) {
      assert.deepEqual(line(command), { file: '/bin/bash', args: ['-c', command], isShell: false }, command);
    }
    assert.deepEqual(line('dir&&cd', [], 'win32'), { file: 'dir&&cd', args: [], isShell: true });
  });
});

describe('what is typed for a command', () => {
  it('is shown, can be corrected, and goes line by line', () => {
    const input = new LineInput();
    assert.deepEqual(input.type('ab\x7fü'), { echo: 'ab\b \bü', send: '', isEnd: false, isInterrupt: false });
    assert.deepEqual(input.type('\x1b[A\r'), {
      echo: '\r\n',
      send: 'aü\n',
      isEnd: false,
      isInterrupt: false,
    });
    assert.equal(input.type('\x7f').echo, '');
    assert.equal(input.type('\x04').isEnd, true);
    assert.equal(input.type('\x03').isInterrupt, true);
  });
});
