import assert from 'node:assert/strict';
import { unknown, versionBeforeEdits, type ReportedEdit } from '../../../../src/core/changes/reportedEdit';

const edit = (oldText: string | undefined, newText: string): ReportedEdit => ({ oldText, newText });

function before(now: string | Buffer, edits: readonly ReportedEdit[], isNew = false): unknown {
  const version = versionBeforeEdits({ content: Buffer.from(now), mode: 'executable' }, edits, isNew);
  if (version === undefined || version === unknown) {
    return version;
  }
  assert.equal(version.mode, 'executable');
  return Buffer.from(version.content);
}

describe('a file before the edits that an agent reports', () => {
  it('was not there only when it is no older than the turn', () => {
    for (const oldText of [undefined, '']) {
      assert.equal(before('new\n', [edit(oldText, 'new\n')], true), undefined);
    }
    assert.equal(before('new\n', [edit(undefined, 'new\n')]), unknown);
    assert.deepEqual(before('new\n', [edit('', 'new\n')]), Buffer.from(''));
  });

  it('is told from all edits, the last first', () => {
    const edits = [edit('one', 'two'), edit('two three', 'four')];
    assert.deepEqual(before('four\n', edits), Buffer.from('one three\n'));
    assert.equal(before('a\n', [edit(undefined, 'b\n'), edit('b', 'a')], true), undefined);
    assert.equal(before('a\n', [edit('c', 'b'), edit('', 'a\n')], true), unknown);
  });

  it('keeps every byte around them, in any encoding', () => {
    const latin1 = Buffer.from('caf\u00e9 two\n', 'latin1');
    assert.deepEqual(before(latin1, [edit('one', 'two')]), Buffer.from('caf\u00e9 one\n', 'latin1'));
    assert.deepEqual(before('\uFEFFcafé tü\n', [edit('ünö', 'tü')]), Buffer.from('\uFEFFcafé ünö\n'));
  });

  it('is not known when they do not fit, or fit twice', () => {
    assert.equal(before('x x\n', [edit('y', 'x')]), unknown);
    assert.equal(before('z\n', [edit('y', 'x')]), unknown);
    assert.equal(before('z\n', [edit('y', '')]), unknown);
  });
});
