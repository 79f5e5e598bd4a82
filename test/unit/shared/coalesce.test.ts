import assert from 'node:assert/strict';
import { coalesce } from '../../../src/shared/transcript/coalesce';
import type { TranscriptEvent } from '../../../src/shared/transcript/events';
import { emptyTranscript } from '../../../src/shared/transcript/model';
import { reduce } from '../../../src/shared/transcript/reduce';

const chunk = (
  role: 'user' | 'agent' | 'thought',
  text: string,
  messageId: string | undefined,
  at: number,
): TranscriptEvent => ({
  type: 'messageChunk',
  at,
  role,
  entryId: `e${at}`,
  messageId,
  block: { kind: 'text', text },
});

describe('coalesce', () => {
  it('makes one event of a burst of text', () => {
    const events = Array.from({ length: 100 }, (_, index) => chunk('agent', 'x', 'm', index));
    assert.equal(coalesce(events).length, 1);
  });

  it('keeps different messages apart', () => {
    assert.equal(
      coalesce([chunk('agent', 'a', 'm', 1), chunk('agent', 'b', 'n', 2), chunk('thought', 'c', 'n', 3)])
        .length,
      3,
    );
  });

  it('gives the same transcript as the events one by one, for random lists', () => {
    let seed = 7;
    const random = (limit: number): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % limit;
    };
    const kinds: ((at: number) => TranscriptEvent)[] = [
      (at) => chunk('agent', `a${at} `, ['m', 'n', undefined][random(3)], at),
      (at) => chunk('thought', `t${at} `, [undefined, 'm'][random(2)], at),
      (at) => chunk('user', `u${at} `, undefined, at),
      (at) => ({ type: 'terminalOutput', terminalId: `t${random(2)}`, data: `${at}` }),
      (at) => ({ type: 'toolUpserted', at, id: `tool${random(3)}`, title: `${at}` }),
    ];
    for (let round = 0; round < 200; round++) {
      const events = Array.from({ length: 30 }, (_, at) => kinds[random(kinds.length)]?.(at)).filter(
        (event) => event !== undefined,
      );
      assert.deepEqual(
        coalesce(events).reduce(reduce, emptyTranscript),
        events.reduce(reduce, emptyTranscript),
      );
    }
  });
});
