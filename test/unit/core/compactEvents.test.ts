import assert from 'node:assert/strict';
import { compactEvents } from '../../../src/core/transcripts/compactEvents';
import type { TranscriptEvent } from '../../../src/shared/transcript/events';
import { emptyTranscript, type Transcript } from '../../../src/shared/transcript/model';
import { reduce } from '../../../src/shared/transcript/reduce';
import { loadedTwice } from './loadedTwice';

const replay = (events: readonly TranscriptEvent[]): Transcript => events.reduce(reduce, emptyTranscript);

describe('compactEvents', () => {
  const events = loadedTwice();

  it('gives the same transcript wherever the log ends', () => {
    for (let length = 0; length <= events.length; length++) {
      const part = events.slice(0, length);
      assert.deepEqual(replay(compactEvents(part)), replay(part), `the first ${length} events`);
    }
  });

  it('gives the same transcript when more is appended to the result', () => {
    for (let length = 0; length <= events.length; length += 7) {
      const compacted = [...compactEvents(events.slice(0, length)), ...events.slice(length)];
      assert.deepEqual(replay(compacted), replay(events), `compacted after ${length} events`);
    }
  });

  it('keeps one event per message and none that was superseded', () => {
    const compacted = compactEvents(events);
    assert.ok(compacted.length < events.length / 10);
    assert.equal(compacted.filter(({ type }) => type === 'cleared').length, 1);
    assert.equal(compacted.filter(({ type }) => type === 'usageChanged').length, 1);
    assert.deepEqual(compactEvents(compacted), compacted);
  });
});
