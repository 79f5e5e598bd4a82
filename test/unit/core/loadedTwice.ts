import type { TranscriptEvent } from '../../../src/shared/transcript/events';

const text = (value: string, at: number, entryId: string, messageId = 'm'): TranscriptEvent => ({
  type: 'messageChunk',
  at,
  role: 'agent',
  entryId,
  messageId,
  block: { kind: 'text', text: value },
});

/** A session that was loaded twice and is in the middle of a turn, with everything that compaction touches. */
export function loadedTwice(): TranscriptEvent[] {
  const usage = (used: number): TranscriptEvent => ({
    type: 'usageChanged',
    usage: { used, size: 100, cost: undefined },
  });
  const answer = (turn: number): TranscriptEvent[] =>
    Array.from({ length: 60 }, (_, index) => [
      text(`word ${index} `, index, `a${turn}`, `m${turn}`),
      usage(index),
    ]).flat();
  const option = (value: boolean): TranscriptEvent => ({
    type: 'configChanged',
    config: [
      {
        id: 'fast',
        name: 'Fast',
        description: 'Or slow',
        category: 'mode',
        input: { type: 'boolean', value },
      },
    ],
  });
  return [
    { type: 'titleChanged', title: 'First' },
    { type: 'turnStarted', at: 1, turnId: 1, entryId: 'u1', blocks: [{ kind: 'text', text: 'Go' }] },
    ...answer(1),
    { type: 'turnEnded', at: 2, turnId: 1, outcome: { kind: 'done', stopReason: 'end_turn' } },
    { type: 'cleared' },
    ...answer(1),
    { type: 'turnStarted', at: 3, turnId: 2, entryId: 'u2', blocks: [{ kind: 'text', text: 'Go on' }] },
    { type: 'titleChanged', title: 'Second' },
    { type: 'cleared' },
    option(true),
    { type: 'configValueChanged', id: 'fast', value: false },
    option(true),
    { type: 'configValueChanged', id: 'fast', value: false },
    { type: 'commandsChanged', commands: [] },
    { type: 'commandsChanged', commands: [{ name: 'test', description: '', hint: 'what' }] },
    text('', 1, 'never'),
    ...answer(2),
    { type: 'toolUpserted', at: 5, id: 't', title: 'Run', status: 'running' },
    ...Array.from(
      { length: 5 },
      () => ({ type: 'terminalOutput', terminalId: 'big', data: 'b'.repeat(150_000) }) as const,
    ),
    ...Array.from(
      { length: 50 },
      () => ({ type: 'terminalOutput', terminalId: 'small', data: 'line\n' }) as const,
    ),
    { type: 'terminalExited', terminalId: 'small', exit: { code: 0, signal: 'none' } },
    ...answer(3),
    { type: 'turnCancelling', turnId: 2 },
  ];
}
