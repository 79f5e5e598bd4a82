import assert from 'node:assert/strict';
import { keepsEdits } from '../../../../src/core/files/keepsEdits';

describe('a text that was written on top of edits', () => {
  const lines = (letters: string): string => letters.replaceAll(/./g, '$&\n');
  const keeps = (base: string, edited: string, text: string): boolean =>
    keepsEdits(lines(base), lines(edited), lines(text));

  it('keeps them when it changes other lines, also right beside them', () => {
    assert.equal(keeps('abc', 'aUc', 'aUX'), true);
    assert.equal(keeps('abc', 'aUc', 'XUX'), true);
    assert.equal(keeps('abc', 'aUUbc', 'aUUXc'), true);
    assert.equal(keeps('abc', 'Ubcd', 'UbXd'), true);
    assert.equal(keeps('abc', 'abc', 'x'), true);
    assert.equal(keeps('abcde', 'ae', 'aeX'), true);
  });

  it('does not keep them when it has the old lines, or others in their place', () => {
    assert.equal(keeps('abc', 'aUc', 'abc'), false);
    assert.equal(keeps('abc', 'aUc', 'aXc'), false);
    assert.equal(keeps('abc', 'aUUbc', 'aUbc'), false);
    assert.equal(keeps('abc', 'ac', 'abc'), false);
    assert.equal(keeps('abc', 'ac', 'aXc'), false);
    assert.equal(keeps('abcd', 'UbcV', 'Ubcd'), false);
  });
});
