import assert from 'node:assert/strict';
import { titleFromPrompt } from '../../../src/core/session/titles';
import { attachedText } from '../../../src/shared/attachments';

const title = (...texts: readonly string[]): string | undefined =>
  titleFromPrompt(texts.map((text) => ({ kind: 'text', text })));

describe('titleFromPrompt', () => {
  it('takes the first line', () => {
    assert.equal(title('  fix the test\nplease'), 'fix the test');
  });

  it('cuts a long line at a word', () => {
    const cut = title('word '.repeat(30)) ?? '';
    assert.ok(cut.length <= 61 && cut.endsWith('word…'), cut);
  });

  it('leaves out what was attached as text', () => {
    assert.equal(title(attachedText('notes.txt', 'secret'), 'read this'), 'read this');
  });

  it('has none for nothing', () => {
    assert.equal(title('  '), undefined);
  });
});
