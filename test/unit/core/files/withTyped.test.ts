import assert from 'node:assert/strict';
import { withTyped } from '../../../../src/core/files/withTyped';

describe('what is typed while a text is replaced', () => {
  it('stays in other lines, and with what was typed before', () => {
    assert.equal(withTyped('1\n2\n3\n', '1\n2\n3 typed\n', '1 more\n2\n3\n'), '1 more\n2\n3 typed\n');
    assert.equal(withTyped('1\n', '1\n', '1\n2\n'), '1\n2\n');
  });

  it('goes behind what was typed before in the very place', () => {
    assert.equal(withTyped('four\n', 'four ty\n', 'fourped\n'), 'four typed\n');
    assert.equal(withTyped('a\nb\n', 'a\nAGENT and me\n', 'a\nb!\n'), 'a\nAGENT and me!\n');
    assert.equal(withTyped('start end\n', 'start, end\n', 'my start end\n'), 'my start, end\n');
    assert.equal(withTyped('', 'one', 'two'), 'onetwo');
  });

  it('is never lost, whatever happened there', () => {
    for (const base of ['', 'abc\n', 'a\nb\n']) {
      for (let at = 0; at <= base.length; at += 1) {
        const typed = `${base.slice(0, at)}<typed>${base.slice(at)}`;
        for (const text of ['', 'abx\n', 'x\nb\ny', 'abc\nmore\n']) {
          assert.ok(withTyped(base, text, typed).includes('<typed>'), JSON.stringify([base, text, typed]));
        }
      }
    }
  });
});
