import assert from 'node:assert/strict';
import { merge3 } from '../../../../src/core/files/merge3';
import { selectLines } from '../../../../src/core/files/selectLines';
import { textEdits, type TextEdit } from '../../../../src/core/files/textEdits';

/** The same numbers at every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomText(random: (below: number) => number): string {
  const lines = Array.from({ length: random(12) }, () => `${'abcü😀'.slice(0, random(4))}${random(4)}`);
  return lines.join('\n') + (random(2) === 0 ? '\n' : '');
}

function changed(text: string, random: (below: number) => number, word: string): string {
  const lines = text.split('\n');
  for (let count = random(3); count >= 0; count -= 1) {
    lines.splice(random(lines.length + 1), random(3), ...(random(3) === 0 ? [] : [`${word}${random(100)}`]));
  }
  return lines.join('\n');
}

function apply(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: TextEdit['start']): number => {
    const before = lines.slice(0, line);
    assert.ok(
      line < lines.length && character <= (lines[line] ?? '').length,
      'a range is outside of the text',
    );
    return before.join('\n').length + (line > 0 ? 1 : 0) + character;
  };
  return edits.reduceRight(
    (result, { start, end, text: added }) =>
      result.slice(0, offset(start)) + added + result.slice(offset(end)),
    text,
  );
}

describe('merging three texts', () => {
  it('takes both changes where they are apart', () => {
    assert.equal(merge3('1\n2\n3\n4\n', 'one\n2\n3\n4\n', '1\n2\n3\nfour\n'), 'one\n2\n3\nfour\n');
    assert.equal(merge3('1\n2\n3\n', '0\n1\n2\n3\n', '1\n2\n3\n4\n'), '0\n1\n2\n3\n4\n');
    assert.equal(merge3('1\n2\n3\n', '1\n3\n', '1\n3\n'), '1\n3\n');
  });

  it('gives up where they meet', () => {
    assert.equal(merge3('1\n2\n3\n', '1\nours\n3\n', '1\ntheirs\n3\n'), undefined);
    assert.equal(merge3('1\n2\n', '1\nours\n2\n', '1\ntheirs\n2\n'), undefined);
    assert.equal(merge3('', 'ours', 'theirs'), undefined);
    assert.equal(merge3('1\n2\n3\n', '', '1\n2\n3\n4\n'), undefined);
  });

  it('loses nothing, whatever the texts are', () => {
    const random = randomNumbers(5);
    let merges = 0;
    for (let round = 0; round < 4000; round += 1) {
      const base = randomText(random);
      const ours = changed(base, random, 'ours');
      const theirs = changed(base, random, 'theirs');
      const merged = merge3(base, ours, theirs);
      assert.equal(merge3(base, theirs, ours), merged, 'the order of the sides matters');
      assert.equal(merge3(base, ours, base), ours);
      assert.equal(merge3(base, base, theirs), theirs);
      assert.equal(merge3(base, ours, ours), ours);
      if (merged === undefined) {
        continue;
      }
      merges += 1;
      for (const word of [...ours.matchAll(/ours\d+/g), ...theirs.matchAll(/theirs\d+/g)]) {
        assert.ok(
          merged.includes(word[0]),
          `${word[0]} is lost of ${JSON.stringify({ base, ours, theirs })}`,
        );
      }
    }
    assert.ok(merges > 500, `only ${merges} merges`);
  });
});

describe('minimal edits', () => {
  it('touches only the letters that differ', () => {
    assert.deepEqual(textEdits('a\nsome word\nb\n', 'a\nsome other word\nb\n'), [
      { start: { line: 1, character: 5 }, end: { line: 1, character: 5 }, text: 'other ' },
    ]);
    assert.deepEqual(textEdits('same\n', 'same\n'), []);
  });

  it('makes the one text the other', () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 4000; round += 1) {
      const before = randomText(random);
      const after = round % 2 === 0 ? changed(before, random, '😀') : randomText(random);
      assert.equal(apply(before, textEdits(before, after)), after, JSON.stringify({ before, after }));
    }
  });

  it('never cuts a character in two', () => {
    assert.deepEqual(textEdits('😀', '😁'), [
      { start: { line: 0, character: 0 }, end: { line: 0, character: 2 }, text: '😁' },
    ]);
  });
});

describe('lines of a text', () => {
  it('counts from one and leaves the last break', () => {
    const text = 'one\r\ntwo\r\nthree\r\n';
    assert.equal(selectLines(text, undefined, undefined), text);
    assert.equal(selectLines(text, 2, 1), 'two');
    assert.equal(selectLines(text, 2, 99), 'two\r\nthree\r\n');
    assert.equal(selectLines(text, 0, 1), 'one');
    assert.equal(selectLines(text, 9, 1), '');
    assert.equal(selectLines(text, 1, 0), '');
  });
});
