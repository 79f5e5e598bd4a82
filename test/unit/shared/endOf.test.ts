import assert from 'node:assert/strict';
import { endOf } from '../../../src/shared/transcript/endOf';
import {
  emptyTranscript,
  type Entry,
  type ToolEntry,
  type Transcript,
} from '../../../src/shared/transcript/model';

const call = (number: number): ToolEntry => ({
  kind: 'tool',
  id: `t${number}`,
  at: 0,
  title: '',
  name: undefined,
  toolKind: 'execute',
  status: 'completed',
  content: [{ kind: 'terminal', terminalId: `terminal-${number}` }],
  locations: [],
  rawInput: undefined,
  rawOutput: undefined,
  parentId: undefined,
  permissions: [],
});

const terminal = (id: string) => ({ id, output: id, isTruncated: false, isOurs: true, exit: undefined });

function transcriptOf(count: number): Transcript {
  const entries: readonly Entry[] = Array.from({ length: count }, (_, number) => call(number));
  const ids = entries.map((_, number) => `terminal-${number}`);
  return {
    ...emptyTranscript,
    entries,
    terminals: Object.fromEntries(ids.map((id) => [id, terminal(id)])),
  };
}

describe('the end of a transcript', () => {
  it('is that of a long one, with the terminals it shows', () => {
    const end = endOf(transcriptOf(2000));
    assert.equal(end?.entries.at(-1)?.id, 't1999');
    assert.ok(end.entries.length < 200);
    assert.deepEqual(
      Object.keys(end.terminals),
      end.entries.map(({ id }) => id.replace('t', 'terminal-')),
    );
  });

  it('is not cut off a short one', () => {
    assert.equal(endOf(transcriptOf(60)), undefined);
  });

  it('is not cut off while a turn runs: its plan and its questions may be further up', () => {
    const turn = { state: 'running', turnId: 1, startedAt: 0, isCancelling: false } as const;
    assert.equal(endOf({ ...transcriptOf(2000), turn }), undefined);
  });
});
