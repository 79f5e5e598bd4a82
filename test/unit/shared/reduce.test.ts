import assert from 'node:assert/strict';
import { storedTranscript } from '../../../src/core/transcripts/storedTranscript';
import { attachedText } from '../../../src/shared/attachments';
import type { MessageChunk, TranscriptEvent, TurnStarted } from '../../../src/shared/transcript/events';
import {
  emptyTranscript,
  type CompactionEntry,
  type ContentBlock,
  type Entry,
  type Transcript,
} from '../../../src/shared/transcript/model';
import { reduce } from '../../../src/shared/transcript/reduce';

const replay = (events: readonly TranscriptEvent[]): Transcript => events.reduce(reduce, emptyTranscript);

const turn = (turnId: number, text = 'hi'): TurnStarted => ({
  type: 'turnStarted',
  at: 1,
  turnId,
  entryId: `u${turnId}`,
  blocks: [{ kind: 'text', text }],
});
const prompt = (turnId = 1, text = 'hi'): TranscriptEvent => turn(turnId, text);

const steer = (text: string): TranscriptEvent => ({
  type: 'messageSteered',
  at: 2,
  entryId: `s-${text}`,
  blocks: [{ kind: 'text', text }],
});

const chunk = (
  text: string,
  messageId?: string,
  role: 'agent' | 'thought' | 'user' = 'agent',
): MessageChunk => ({
  type: 'messageChunk',
  at: 2,
  role,
  entryId: `m-${text}`,
  messageId,
  block: { kind: 'text', text },
});

const say = (...chunked: Parameters<typeof chunk>): TranscriptEvent => chunk(...chunked);

const tool = (id: string, more: object = {}): TranscriptEvent => ({
  type: 'toolUpserted',
  at: 3,
  id,
  ...more,
});

const ask = (toolId: string, requestId = 'p1'): TranscriptEvent => ({
  type: 'permissionAsked',
  at: 4,
  requestId,
  toolId,
  options: [
    { id: 'y', name: 'Allow', kind: 'allow_once' },
    { id: 'n', name: 'No', kind: 'reject_once' },
  ],
});

const end = (kind: 'done' | 'cancelled', turnId = 1): TranscriptEvent => ({
  type: 'turnEnded',
  at: 9,
  turnId,
  outcome: kind === 'done' ? { kind, stopReason: 'end_turn' } : { kind },
});

const texts = (transcript: Transcript): readonly string[] =>
  transcript.entries.map((entry) =>
    'blocks' in entry
      ? entry.blocks.map((block) => (block.kind === 'text' ? block.text : block.kind)).join('|')
      : entry.kind,
  );

function onlyTool(transcript: Transcript): Extract<Entry, { kind: 'tool' }> {
  const found = transcript.entries.find((entry) => entry.kind === 'tool');
  assert.equal(found?.kind, 'tool');
  return found;
}

describe('reduce', () => {
  describe('messages', () => {
    it('joins chunks of one message', () => {
      assert.deepEqual(texts(replay([prompt(), say('a', 'x'), say('b', 'x')])), ['hi', 'ab']);
    });

    it('lets a chunk without an id continue any message', () => {
      assert.deepEqual(texts(replay([prompt(), say('a', 'x'), say('b'), say('c', 'x')])), ['hi', 'abc']);
    });

    it('opens a new entry when the id changes', () => {
      assert.deepEqual(texts(replay([prompt(), say('a', 'x'), say('b', 'y')])), ['hi', 'a', 'b']);
    });

    it('goes on with messages that come in turns', () => {
      const inTurns = [say('a', 'x'), say('b', 'y'), say('c', 'x'), say('d', 'y')];
      assert.deepEqual(texts(replay([prompt(), ...inTurns])), ['hi', 'ac', 'bd']);
      const withThought = [say('a', 'x'), say('b', 'y', 'thought'), say('c', 'x'), say('d', 'y', 'thought')];
      assert.deepEqual(texts(replay([prompt(), ...withThought])), ['hi', 'ac', 'bd']);
    });

    it('leaves a message after what came between its parts', () => {
      const parts = (between: TranscriptEvent) =>
        texts(replay([prompt(), say('a', 'x'), between, say('b', 'x')]));
      assert.deepEqual(parts(tool('t')), ['hi', 'a', 'tool', 'b']);
      assert.deepEqual(parts(say('hm', 'x', 'thought')), ['hi', 'a', 'hm', 'b']);
      assert.deepEqual(parts(say('hm', undefined, 'thought')), ['hi', 'a', 'hm', 'b']);
      assert.deepEqual(parts(steer('go')), ['hi', 'a', 'go', 'b']);
      const [first, ...later] = [say('a', 'x'), end('done'), prompt(2), say('b', 'x')];
      assert.deepEqual(texts(replay([prompt(), first, ...later])), ['hi', 'a', 'hi', 'b']);
    });

    it('opens a new entry when another kind came between', () => {
      const { entries } = replay([prompt(), say('a'), tool('t'), say('b')]);
      assert.deepEqual(
        entries.map((entry) => entry.kind),
        ['user', 'agent', 'tool', 'agent'],
      );
    });

    it('keeps thoughts apart from answers and remembers how long they took', () => {
      const { entries } = replay([
        prompt(),
        { ...say('hm', undefined, 'thought'), at: 10 } as TranscriptEvent,
        { ...say('m', undefined, 'thought'), at: 25 } as TranscriptEvent,
        say('a'),
      ]);
      const thought = entries[1];
      assert.equal(thought?.kind === 'thought' ? thought.endedAt - thought.at : undefined, 15);
    });

    it('drops the echo of the prompt, also in pieces', () => {
      assert.deepEqual(
        texts(
          replay([prompt(1, 'do it now'), say('do it', undefined, 'user'), say(' now', undefined, 'user')]),
        ),
        ['do it now'],
      );
    });

    it('shows what is said into a running turn, though the prompt has the same words', () => {
      assert.deepEqual(texts(replay([prompt(1, 'read the docs'), steer('the docs')])), [
        'read the docs',
        'the docs',
      ]);
      assert.deepEqual(texts(replay([prompt(1, 'go'), steer('go')])), ['go', 'go']);
    });

    it('drops the echo of what was said into the turn', () => {
      const events = [prompt(1, 'go'), steer('and stop'), say('and ', 'e', 'user'), say('stop', 'e', 'user')];
      assert.deepEqual(texts(replay(events)), ['go', 'and stop']);
      assert.deepEqual(texts(replay([...events, say('go', 'f', 'user')])), ['go', 'and stop']);
    });

    it('knows the echo that is faster than the answer to what was said', () => {
      const events = [prompt(1, 'go'), say('and ', 'e', 'user'), steer('and stop'), say('stop', 'e', 'user')];
      assert.deepEqual(texts(replay(events)), ['go', 'and stop']);
    });

    it('takes a part of the prompt from elsewhere for no echo', () => {
      const events = [prompt(1, 'read the docs'), say('the docs', 'e', 'user')];
      assert.deepEqual(texts(replay(events)), ['read the docs', 'the docs']);
    });

    it('takes only the same image for an echo', () => {
      const image = (data: string): ContentBlock => ({
        kind: 'image',
        mimeType: 'image/png',
        data,
        uri: undefined,
      });
      const start: TranscriptEvent = { ...turn(1), blocks: [image('one')] };
      const sent = (data: string): TranscriptEvent => ({
        ...chunk('x', undefined, 'user'),
        block: image(data),
      });
      assert.deepEqual(texts(replay([start, sent('one')])), ['image']);
      assert.deepEqual(texts(replay([start, sent('two')])), ['image', 'image']);
    });

    it('keeps what another client said in this session', () => {
      assert.deepEqual(texts(replay([prompt(1, 'one'), say('other', undefined, 'user')])), ['one', 'other']);
    });

    it('joins a replayed user message', () => {
      assert.deepEqual(texts(replay([say('a', 'x', 'user'), say('b', 'x', 'user')])), ['ab']);
    });

    it('keeps what went along as text apart from the words of a replayed message', () => {
      const attached = attachedText('a.ts', '1\n\n2');
      const said = (...parts: readonly string[]) =>
        texts(replay(parts.map((part) => say(part, 'x', 'user'))));
      assert.deepEqual(said(attached, 'fix ', 'it'), [`${attached}|fix it`]);
      assert.deepEqual(said(attached, attached, 'fix it'), [`${attached}|${attached}|fix it`]);
      assert.deepEqual(said('/fix it', attached), [`/fix it|${attached}`]);
      assert.deepEqual(said(attached.slice(0, 16), attached.slice(16), 'fix'), [`${attached}|fix`]);
    });

    it('ignores empty chunks', () => {
      assert.deepEqual(texts(replay([prompt(), say('')])), ['hi']);
    });
  });

  describe('tools', () => {
    it('merges updates into the call and leaves what they do not mention', () => {
      const found = onlyTool(
        replay([prompt(), tool('t', { title: 'Read', toolKind: 'read' }), tool('t', { status: 'running' })]),
      );
      assert.deepEqual([found.title, found.toolKind, found.status], ['Read', 'read', 'running']);
    });

    it('makes an entry for an update of an unknown call', () => {
      assert.equal(onlyTool(replay([prompt(), tool('t', { status: 'completed' })])).status, 'completed');
    });

    it('makes an entry for a question about an unknown call', () => {
      assert.equal(onlyTool(replay([prompt(), ask('t')])).permissions.length, 1);
    });

    it('marks a call rejected when the user rejects it', () => {
      const events: TranscriptEvent[] = [
        prompt(),
        tool('t'),
        ask('t'),
        {
          type: 'permissionAnswered',
          at: 5,
          requestId: 'p1',
          toolId: 't',
          outcome: { kind: 'selected', optionId: 'n' },
        },
      ];
      assert.equal(onlyTool(replay(events)).status, 'rejected');
      assert.equal(onlyTool(replay([...events, tool('t', { status: 'failed' })])).status, 'rejected');
    });

    it('leaves a call open when the user allows it', () => {
      const found = onlyTool(
        replay([
          prompt(),
          tool('t'),
          ask('t'),
          {
            type: 'permissionAnswered',
            at: 5,
            requestId: 'p1',
            toolId: 't',
            outcome: { kind: 'selected', optionId: 'y' },
          },
        ]),
      );
      assert.equal(found.status, 'pending');
      assert.deepEqual(found.permissions[0]?.outcome, { kind: 'selected', optionId: 'y' });
    });
  });

  describe('turns', () => {
    it('cancels open tools and questions when the turn is cancelled', () => {
      const transcript = replay([prompt(), tool('t', { status: 'running' }), ask('t'), end('cancelled')]);
      const found = onlyTool(transcript);
      assert.equal(found.status, 'cancelled');
      assert.deepEqual(found.permissions[0]?.outcome, { kind: 'cancelled' });
      assert.equal(transcript.turn.state, 'idle');
    });

    it('leaves finished tools as they are', () => {
      assert.equal(
        onlyTool(replay([prompt(), tool('t', { status: 'completed' }), end('cancelled')])).status,
        'completed',
      );
    });

    it('lets a late end finish only its own turn', () => {
      const { turn } = replay([prompt(1), prompt(2), end('done', 1)]);
      assert.equal(turn.state === 'running' ? turn.turnId : undefined, 2);
    });

    it('closes open questions of the agent at the end', () => {
      const { entries } = replay([
        prompt(),
        {
          type: 'elicitationAsked',
          at: 2,
          id: 'e',
          message: '?',
          request: { mode: 'url', url: 'https://a' },
        },
        end('done'),
      ]);
      assert.equal(entries[1]?.kind === 'elicitation' ? entries[1].outcome : undefined, 'cancelled');
    });

    it('says why it failed', () => {
      const { entries } = replay([
        prompt(),
        {
          type: 'turnEnded',
          at: 9,
          turnId: 1,
          outcome: { kind: 'failed', notice: { entryId: 'n', severity: 'error', text: 'gone' } },
        },
      ]);
      assert.equal(entries[1]?.kind === 'notice' ? entries[1].text : undefined, 'gone');
    });
  });

  it('replaces a plan with the same id and keeps its place', () => {
    const plan = (text: string): TranscriptEvent => ({
      type: 'planUpserted',
      at: 2,
      id: 'plan',
      items: [{ text, status: 'pending', priority: 'low' }],
    });
    const { entries } = replay([prompt(), plan('a'), say('x'), plan('b')]);
    assert.deepEqual(
      entries.map((entry) => entry.kind),
      ['user', 'plan', 'agent'],
    );
    assert.equal(entries[1]?.kind === 'plan' ? entries[1].items[0]?.text : undefined, 'b');
  });

  it('gives each turn its own plan, unless the agent only repeats one', () => {
    const plan = (text: string): TranscriptEvent => ({
      type: 'planUpserted',
      at: 2,
      id: 'plan',
      items: [{ text, status: 'pending', priority: 'low' }],
    });
    const shown = (events: readonly TranscriptEvent[]) =>
      replay(events).entries.map((entry) =>
        entry.kind === 'plan' ? `${entry.id}: ${entry.items[0]?.text ?? ''}` : entry.kind,
      );
    const first = [prompt(), plan('a'), plan('b'), end('done'), prompt(2)];
    assert.deepEqual(shown([...first, plan('b')]), ['user', 'plan: b', 'user']);
    assert.deepEqual(shown([...first, plan('b'), plan('c'), plan('d')]), [
      'user',
      'plan: b',
      'user',
      'plan 2: d',
    ]);
    const removed = { type: 'planRemoved', id: 'plan' } as const;
    assert.deepEqual(shown([...first, plan('c'), removed]), ['user', 'plan: b', 'user']);
    // What the user adds to a running turn does not begin another.
    assert.deepEqual(shown([...first, plan('c'), say('also', 'm', 'user'), plan('d')]), [
      'user',
      'plan: b',
      'user',
      'plan 2: d',
      'user',
    ]);
  });

  it('removes a plan that the agent empties, and none of an earlier turn', () => {
    const plan = (...items: readonly string[]): TranscriptEvent => ({
      type: 'planUpserted',
      at: 2,
      id: 'plan',
      items: items.map((text) => ({ text, status: 'pending', priority: 'low' })),
    });
    const shown = (events: readonly TranscriptEvent[]) => replay(events).entries.map(({ kind }) => kind);
    assert.deepEqual(shown([prompt(), plan('a'), plan()]), ['user']);
    assert.deepEqual(shown([prompt(), plan()]), ['user']);
    assert.deepEqual(shown([prompt(), plan('a'), end('done'), prompt(2), plan()]), ['user', 'plan', 'user']);
    assert.deepEqual(shown([prompt(), { ...plan(), markdown: '# A' } as TranscriptEvent]), ['user', 'plan']);
  });

  it('keeps terminal output that comes before and after the exit', () => {
    const { terminals } = replay([
      { type: 'terminalOutput', terminalId: 't', data: 'a' },
      { type: 'terminalExited', terminalId: 't', exit: { code: 0, signal: undefined } },
      { type: 'terminalOutput', terminalId: 't', data: 'b' },
    ]);
    assert.equal(terminals.t?.output, 'ab');
    assert.equal(terminals.t.exit?.code, 0);
  });

  it('cancels open calls as soon as the user stops the turn, and takes what is said of them later', () => {
    const stopped = replay([
      prompt(),
      tool('a'),
      tool('b', { status: 'completed' }),
      { type: 'turnCancelling', turnId: 1 },
    ]);
    const statusOf = (transcript: Transcript) =>
      transcript.entries.flatMap((entry) => (entry.kind === 'tool' ? [entry.status] : []));
    assert.deepEqual(statusOf(stopped), ['cancelled', 'completed']);
    const working = reduce(stopped, tool('a', { status: 'running', title: 'Later' }));
    assert.deepEqual(statusOf(working), ['cancelled', 'completed']);
    assert.equal(working.entries[1]?.kind === 'tool' ? working.entries[1].title : '', 'Later');
    assert.deepEqual(statusOf(reduce(working, tool('a', { status: 'completed' }))), [
      'completed',
      'completed',
    ]);
  });

  it('ends a compaction with its turn or its history', () => {
    const compaction = (status?: CompactionEntry['status']): TranscriptEvent => ({
      type: 'compactionUpserted',
      at: 1,
      id: 'c',
      ...(status === undefined ? {} : { status }),
    });
    const status = (...events: readonly TranscriptEvent[]) =>
      replay([prompt(), compaction(), ...events]).entries.flatMap((entry) =>
        entry.kind === 'compaction' ? [entry.status] : [],
      );
    assert.deepEqual(status(), ['running']);
    assert.deepEqual(status(end('done')), ['cancelled']);
    assert.deepEqual(
      status({
        type: 'turnEnded',
        at: 1,
        turnId: 1,
        outcome: { kind: 'failed', notice: { entryId: 'n', severity: 'error', text: 'x' } },
      }),
      ['failed'],
    );
    assert.deepEqual(status({ type: 'replayEnded' }), ['cancelled']);
    assert.deepEqual(status(compaction('completed'), end('done')), ['completed']);
    assert.deepEqual(status(end('done'), compaction('completed')), ['completed']);
    const stored = storedTranscript([compaction()], 1).entries[0];
    assert.equal(stored?.kind === 'compaction' && stored.status, 'cancelled');
  });

  it('takes back what was said of a compaction', () => {
    const compaction = { type: 'compactionUpserted', at: 1, id: 'c' } as const;
    const { entries } = replay([
      { ...compaction, status: 'failed', summary: 'So far', error: 'Broken' },
      { ...compaction, status: 'running', summary: '', error: '' },
    ]);
    assert.deepEqual(entries, [
      { kind: 'compaction', id: 'c', at: 1, status: 'running', summary: '', error: undefined },
    ]);
  });

  it('keeps the identity of what an event does not touch', () => {
    const before = replay([prompt(), say('a'), tool('t')]);
    const after = reduce(before, tool('t', { status: 'running' }));
    assert.equal(after.entries[0], before.entries[0]);
    assert.equal(after.entries[1], before.entries[1]);
    assert.notEqual(after.entries[2], before.entries[2]);
  });

  it('does not change its input', () => {
    const frozen = (value: unknown): void => {
      if (typeof value === 'object' && value !== null) {
        Object.freeze(value);
        Object.values(value).forEach(frozen);
      }
    };
    const before = replay([prompt(), say('a'), tool('t'), ask('t')]);
    frozen(before);
    reduce(reduce(before, say('b')), end('cancelled'));
  });
});
