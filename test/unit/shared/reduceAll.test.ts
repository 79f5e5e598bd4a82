import assert from 'node:assert/strict';
import type { TranscriptEvent } from '../../../src/shared/transcript/events';
import { emptyTranscript, type Transcript } from '../../../src/shared/transcript/model';
import { reduce } from '../../../src/shared/transcript/reduce';
import { reduceAll } from '../../../src/shared/transcript/reduceAll';
import { Chance } from '../core/changes/chance';

const SEED = Number(process.env.REDUCE_SEED ?? 20_261_119);
const RUNS = 1000;

describe('reduceAll', () => {
  it(`gives what one event after the other gives, and changes nothing that was there before, ${RUNS} times`, () => {
    for (let run = 0; run < RUNS; run++) {
      const seed = SEED + run;
      const chance = new Chance(seed);
      const events = Array.from({ length: chance.below(40) }, (_, number) => randomEvent(chance, number));
      const cut = chance.below(events.length + 1);
      const before = frozen(events.slice(0, cut).reduce(reduce, emptyTranscript));
      const expected = events.reduce(reduce, emptyTranscript);
      assert.deepEqual(reduceAll(before, events.slice(cut)), expected, `REDUCE_SEED=${seed}`);
    }
  });

  it('lets go of what it gave, also when an event breaks it', () => {
    const given = reduceAll(emptyTranscript, [tool('a', 'pending')]);
    assert.throws(() => reduceAll(given, [tool('b', 'pending'), { type: 'unheard-of' } as never]));
    frozen(given);
    assert.equal(reduce(given, tool('a', 'completed')).entries.length, 1);
    assert.equal(reduce(given, tool('b', 'pending')).entries.length, 2);
  });
});

function frozen(state: Transcript): Transcript {
  Object.freeze(state.entries);
  return Object.freeze(state);
}

function tool(id: string, status: 'pending' | 'completed' | 'failed'): TranscriptEvent {
  return { type: 'toolUpserted', at: 1, id, status, title: id };
}

function randomEvent(chance: Chance, number: number): TranscriptEvent {
  const of = <T>(...choices: readonly [T, ...T[]]): T => choices[chance.below(choices.length)] ?? choices[0];
  const at = number;
  const id = of('a', 'b', 'c');
  const entryId = `e${number}`;
  const turnId = of(1, 2);
  const blocks = [{ kind: 'text', text: of('hello', 'there') }] as const;
  return of<() => TranscriptEvent>(
    () => ({ type: 'turnStarted', at, turnId, entryId, blocks }),
    () => ({ type: 'turnCancelling', turnId }),
    () => ({ type: 'turnEnded', at, turnId, outcome: { kind: 'done', stopReason: 'end_turn' } }),
    () => ({ type: 'messageSteered', at, entryId, blocks }),
    () => ({
      type: 'messageChunk',
      at,
      role: of('agent', 'thought', 'user'),
      entryId,
      messageId: of(undefined, 'm1', 'm2'),
      block: of(blocks[0], { kind: 'text', text: '' }),
    }),
    () => tool(id, of('pending', 'completed', 'failed')),
    () => ({ type: 'permissionAsked', at, requestId: `r${id}`, toolId: id, options: [] }),
    () => ({
      type: 'permissionAnswered',
      at,
      requestId: `r${id}`,
      toolId: id,
      outcome: { kind: 'cancelled' },
    }),
    () => ({ type: 'planUpserted', at, id, items: [] }),
    () => ({ type: 'planRemoved', id }),
    () => ({ type: 'noticeAdded', at, entryId: id, severity: 'info', text: 'so' }),
    () => ({ type: 'noticeRemoved', entryId: id }),
    () => ({ type: 'compactionUpserted', at, id, status: of('running', 'completed') }),
    () => (chance.oneIn(4) ? { type: 'cleared' } : { type: 'replayEnded' }),
  )();
}
