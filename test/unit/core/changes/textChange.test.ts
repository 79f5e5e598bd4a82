import assert from 'node:assert/strict';
import type { Author } from '../../../../src/core/changes/model';
import {
  editText,
  keepHunks,
  linesBefore,
  undoHunks,
  type TextChange,
} from '../../../../src/core/changes/textChange';
import { diffLines } from '../../../../src/core/files/lineDiff';

const user: Author = { kind: 'user' };
const agent = (sessionId = 'one', turnId = 1): Author => ({ kind: 'agent', sessionId, turnId });
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
const words = (text: string): string[] => text.split(' ').map((word) => `${word}\n`);

let ids = 0;
function after(
  start: readonly string[],
  ...edits: readonly (readonly [Author, readonly string[]])[]
): TextChange {
  return edits.reduce<TextChange>(
    (change, [author, now]) => editText(change, now, author, () => `h${++ids}`),
    { lines: start, hunks: [] },
  );
}

describe('hunks of a text', () => {
  it('are what agents change, and not what the user does elsewhere', () => {
    const change = after(words('a b c d'), [agent(), words('a B c d')], [user, words('x a B c D')]);
    assert.deepEqual(linesBefore(change), words('x a b c D'));
    assert.equal(change.hunks.length, 1);
    assert.equal(change.hunks[0]?.start, 2);
    assert.equal(change.hunks[0].isMixed, false);
  });

  it('are mixed once the user edits inside', () => {
    const change = after(words('a b c'), [agent(), words('a X Y Z c')], [user, words('a X mine Z c')]);
    assert.equal(change.hunks[0]?.isMixed, true);
    assert.deepEqual(linesBefore(change), words('a b c'));
  });

  it('keep their id when edits come before, in them and after', () => {
    const first = after(words('a b c'), [agent(), words('a B c')]);
    const id = first.hunks[0]?.id;
    for (const [author, now] of [
      [user, words('x a B c')],
      [agent('two', 4), words('a B2 c')],
      [user, words('a mine c')],
    ] as const) {
      const next = editText(first, now, author, () => 'new');
      assert.equal(next.hunks[0]?.id, id);
    }
    assert.equal(editText(first, words('a B2 c'), agent('two', 4), () => 'new').hunks[0]?.sessionId, 'two');
  });

  it('vanish when both sides are the same again', () => {
    assert.deepEqual(after(words('a b'), [agent(), words('a B')], [user, words('a b')]).hunks, []);
    assert.deepEqual(after(words('a b'), [agent(), words('b')], [agent(), words('a b')]).hunks, []);
  });

  it('take an insertion at deleted lines for a mix, as nobody can tell its side', () => {
    const change = after(words('a b c'), [agent(), words('a c')], [user, words('a new c')]);
    assert.equal(change.hunks[0]?.isMixed, true);
  });

  it('leave a changed line next to deleted ones to the user', () => {
    const change = after(words('a b c'), [agent(), words('a c')], [user, words('a C')]);
    assert.equal(change.hunks[0]?.isMixed, false);
    assert.deepEqual(linesBefore(change), words('a b C'));
  });

  it('leave what the user writes at their borders to the user', () => {
    const change = after(words('a b c'), [agent(), words('a B c')], [user, words('a before B after c')]);
    assert.equal(change.hunks[0]?.isMixed, false);
    assert.deepEqual(linesBefore(change), words('a before b after c'));
  });

  it('of two agents stay apart, and each is undone alone', () => {
    const change = after(
      words('a b c d'),
      [agent('one'), words('A b c d')],
      [agent('two'), words('A B c d')],
    );
    assert.deepEqual(
      change.hunks.map(({ sessionId }) => sessionId),
      ['one', 'two'],
    );
    assert.deepEqual(undoHunks(change, ({ sessionId }) => sessionId === 'one').lines, words('a B c d'));
    assert.deepEqual(
      linesBefore(keepHunks(change, ({ sessionId }) => sessionId === 'one')),
      words('A b c d'),
    );
  });

  it('never glue lines together where the last one had no end', () => {
    const change = after(lines('a\nb'), [agent(), lines('a\nX\n')], [user, lines('a\nX\nc\n')]);
    assert.equal(change.hunks[0]?.isMixed, true);
    assert.deepEqual(linesBefore(change), lines('a\nb'));
  });

  it('include those between an edit and a hunk that it touches', () => {
    const change = after(
      words('a b c d e'),
      [agent('one'), words('a B c d e')],
      [agent('two'), words('a B d e')],
      [agent('one'), words('a B D e')],
    );
    assert.deepEqual(linesBefore(change), words('a b c d e'));
    assert.deepEqual(undoHunks(change, () => true).lines, words('a b c d e'));
  });
});

describe('the difference of two texts', () => {
  const apply = (from: readonly string[], to: readonly string[]): readonly string[] => {
    const result = [...from];
    for (const { start, end, lines: now } of [...diffLines(from, to)].reverse()) {
      result.splice(start, end - start, ...now);
    }
    return result;
  };

  // Within the time that a test may take; quadratic work would not be.
  it('is found for 20,000 lines that are nearly all new', () => {
    const from = Array.from({ length: 20_000 }, (_, index) => `old ${index}\n`);
    const to = from.map((line, index) => (index % 5 === 0 ? line : `new ${index}\n`));
    assert.deepEqual(apply(from, to), to);
    assert.equal(diffLines(from, to).length, 4000);
  });
});
