import assert from 'node:assert/strict';
import { searchTranscript } from '../../../src/core/transcripts/searchTranscript';
import { emptyTranscript, type Transcript } from '../../../src/shared/transcript/model';
import { reduce } from '../../../src/shared/transcript/reduce';

const said = (...texts: readonly string[]): Transcript =>
  texts.reduce(
    (transcript, text, turnId) =>
      reduce(transcript, {
        type: 'turnStarted',
        at: 0,
        turnId,
        entryId: `u${turnId}`,
        blocks: [{ kind: 'text', text }],
      }),
    emptyTranscript,
  );

describe('the search in conversations', () => {
  it('finds words in any order and case, and shows where', () => {
    const transcript = said('hello', `${'before '.repeat(20)}Fix the LOGIN bug${' after'.repeat(40)}`);
    const found = searchTranscript(transcript, 'login fix') ?? '';
    assert.match(found, /^….*Fix the LOGIN bug.*…$/);
    assert.ok(found.length < 130);
  });

  it('finds nothing where not all words are said together, or nothing is asked', () => {
    assert.equal(searchTranscript(said('fix this', 'the login'), 'login fix'), undefined);
    assert.equal(searchTranscript(said('fix this'), '  '), undefined);
  });
});
