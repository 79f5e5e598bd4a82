import assert from 'node:assert/strict';
import { emptyTranscript, type Entry, type UserEntry } from '../../src/shared/transcript/model';
import { until } from '../support/until';
import { ChatPage, chatState, installPage } from '../support/webviewPage';
import { tool } from './sampleEntries';

const blocks = (text: string) => [{ kind: 'text', text }] as const;
const user = (id: string, text: string): UserEntry => ({
  kind: 'user',
  id,
  at: 0,
  messageId: undefined,
  turnId: 1,
  blocks: blocks(text),
});
const agent = (id: string, text: string): Entry => ({
  kind: 'agent',
  id,
  at: 0,
  messageId: undefined,
  blocks: blocks(text),
});
const entries = [
  user('u1', 'Where is the apple'),
  agent('a1', 'An Ap**ple** a day.\n\nap\n\nple'),
  user('u2', 'Thanks'),
  tool({ id: 't1', title: 'Peel the apple' }),
  agent('a2', '```js\nlet apple = 1; // apple\n```'),
];

describe('find in the conversation', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  const open = async (): Promise<HTMLInputElement> => {
    page = await ChatPage.open(chatState, { entries });
    await page.press('f', { ctrlKey: true });
    return input();
  };
  const input = (): HTMLInputElement => {
    const found = page.find('.find-input');
    assert.ok(found instanceof window.HTMLInputElement);
    return found;
  };
  const search = async (text: string): Promise<void> => {
    input().value = text;
    input().dispatchEvent(new Event('input', { bubbles: true }));
    await page.painted();
  };
  const count = () => page.find('.find-count').textContent;
  const current = () => page.find('[data-found]').dataset.entry;

  it('counts what is shown, in any case and over bold words, but not over paragraphs', async () => {
    const bar = await open();
    assert.equal(document.activeElement, bar);
    await search('APPLE');
    assert.equal(count(), '1 of 5');
    assert.equal(current(), 'u1');
    await search('pears');
    assert.equal(count(), 'No results');
    assert.equal(page.all('[data-found]').length, 0);
  });

  it('goes on and back with Enter and the buttons, round the end', async () => {
    await open();
    await search('apple');
    const seen: (string | undefined)[] = [];
    for (let step = 0; step < 5; step++) {
      await page.press('Enter', {}, input());
      seen.push(current());
    }
    assert.deepEqual(seen, ['a1', 't1', 'a2', 'a2', 'u1']);
    await page.press('Enter', { shiftKey: true }, input());
    assert.equal(count(), '5 of 5');
    await page.click(page.button('Previous match'));
    assert.equal(count(), '4 of 5');
  });

  it('finds what comes while it is open', async () => {
    await open();
    await search('apple');
    const block = { kind: 'text', text: 'apple apple' } as const;
    await page.events({
      type: 'messageChunk',
      at: 1,
      role: 'agent',
      entryId: 'a9',
      messageId: undefined,
      block,
    });
    while (count() !== '1 of 7') {
      await page.painted();
    }
  });

  const searchIn = async (closed: readonly Entry[], text: string): Promise<void> => {
    page = await ChatPage.open(chatState, {
      entries: closed,
      terminals: {
        x: {
          id: 'x',
          isOurs: true,
          output: 'a \x1b[31mche\x1b[0mrry\n',
          isTruncated: false,
          exit: undefined,
        },
      },
    });
    await page.press('f', { ctrlKey: true });
    await search(text);
  };
  const terminal = [{ kind: 'terminal', terminalId: 'x' }] as const;
  const inClosed: readonly (readonly [string, Entry])[] = [
    ['the output of a call', tool({ id: 'x', content: terminal })],
    ['a change', tool({ id: 'x', content: [{ kind: 'diff', path: '/a', oldText: '', newText: 'cherry' }] })],
    [
      'a thought',
      { kind: 'thought', id: 'x', at: 0, endedAt: 1, messageId: undefined, blocks: blocks('A cherry') },
    ],
    [
      'a summary',
      { kind: 'compaction', id: 'x', at: 0, status: 'completed', summary: 'cherry', error: undefined },
    ],
  ];
  for (const [name, entry] of inClosed) {
    it(`finds what ${name} holds while it is closed, and opens it when it is wanted`, async () => {
      await searchIn([user('u1', 'Where?'), entry], 'Cherry');
      assert.equal(count(), '1 of 1');
      assert.equal(page.all('[data-found], .tool-body, .thought-text').length, 0);
      await page.press('Enter', {}, input());
      assert.equal(current(), 'x');
      assert.match(page.find('[data-entry="x"]').textContent, /cherry/);
      assert.equal(count(), '1 of 1');
    });
  }

  it('finds rows in a folded run, in their order', async () => {
    const read = (id: string, title: string) => tool({ id, title, toolKind: 'read', content: terminal });
    await searchIn(
      [
        user('u1', 'A cherry?'),
        read('r1', 'cherry'),
        read('r2', 'r2'),
        read('r3', 'r3'),
        agent('a1', 'cherry'),
      ],
      'cherry',
    );
    assert.equal(count(), '1 of 6');
    const seen: (string | undefined)[] = [];
    for (let step = 0; step < 5; step++) {
      await page.press('Enter', {}, input());
      seen.push(current());
    }
    assert.deepEqual(seen, ['r1', 'r1', 'r2', 'r3', 'a1']);
    assert.equal(page.all('.tool-group-rows[hidden]').length, 0);
    assert.equal(count(), '6 of 6');
  });

  it('stays at its match when what lies before it is drawn', async () => {
    const long = Array.from({ length: 200 }, (_, index) => user(`u${index}`, `Prompt ${index} of many`));
    page = await ChatPage.open(chatState, { entries: long });
    await page.press('f', { ctrlKey: true });
    await search('many');
    await page.press('Enter', { shiftKey: true }, input());
    const at = current();
    assert.equal(at, 'u199');
    await until('all matches', () => count() === '200 of 200');
    assert.equal(current(), at);
  });

  it('closes with Escape, which stops nothing, and gives the focus back', async () => {
    page = await ChatPage.open(chatState, {
      entries,
      turn: { state: 'running', turnId: 1, startedAt: 0, isCancelling: false },
    });
    page.composer.focus();
    await page.click(page.button('Find in conversation'));
    await search('apple');
    await page.press('Escape', {}, input());
    assert.equal(page.all('.find-bar, [data-found]').length, 0);
    assert.equal(document.activeElement, page.composer);
    assert.equal(page.sent('cancelTurn').length, 0);
  });

  it('closes with Escape in the composer, which stops the turn only then', async () => {
    page = await ChatPage.open(chatState, {
      entries,
      turn: { state: 'running', turnId: 1, startedAt: 0, isCancelling: false },
    });
    await page.click(page.button('Find in conversation'));
    page.composer.focus();
    await page.press('Escape');
    assert.equal(page.all('.find-bar').length, 0);
    assert.equal(page.sent('cancelTurn').length, 0);
    assert.equal(document.activeElement, page.composer);
    await page.press('Escape');
    assert.equal(page.sent('cancelTurn').length, 1);
  });

  it('does not come back by itself, with the focus, in the next session', async () => {
    await open();
    page.send({ type: 'snapshot', seq: 1, sessionId: '', transcript: emptyTranscript });
    await page.painted();
    page.composer.focus();
    page.send({ type: 'snapshot', seq: 2, sessionId: '', transcript: { ...emptyTranscript, entries } });
    await page.painted();
    assert.equal(page.all('.find-bar').length, 0);
    assert.equal(document.activeElement, page.composer);
  });

  it('goes from prompt to prompt', async () => {
    page = await ChatPage.open(chatState, { entries });
    const focused = () =>
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset.entry : '';
    page.find('[data-entry="u1"]').tabIndex = -1;
    page.find('[data-entry="u1"]').focus();
    await page.press('ArrowDown', { altKey: true }, page.find('[data-entry="u1"]'));
    assert.equal(focused(), 'u2');
    await page.press('ArrowDown', { altKey: true }, page.find('[data-entry="u2"]'));
    assert.equal(focused(), 'u2');
    await page.press('ArrowUp', { altKey: true }, page.find('[data-entry="u2"]'));
    assert.equal(focused(), 'u1');
  });
});

describe('the end of a turn', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('tells how long it took and what it changed, to those who look', async () => {
    const diff = (path: string) => ({ kind: 'diff', path, oldText: 'a', newText: 'b' }) as const;
    const timed = [
      { ...user('u1', 'Change it'), end: { at: 70_000, tokens: 12_345 } },
      { ...agent('a1', 'I will.'), at: 1000 },
      tool({ id: 't1', toolKind: 'edit', content: [diff('/a'), diff('/b')] }),
      tool({ id: 't2', toolKind: 'edit', content: [diff('/a')] }),
      tool({ id: 't3', toolKind: 'edit', status: 'rejected', content: [diff('/c')] }),
      { ...agent('a2', 'Done.'), at: 65_000 },
      user('u2', 'Thanks'),
      agent('a3', 'Not at all.'),
    ];
    page = await ChatPage.open(chatState, {
      entries: timed,
      turn: { state: 'running', turnId: 2, startedAt: 0, isCancelling: false },
    });
    for (const entry of page.all('[data-entry]')) {
      entry.dispatchEvent(new Event('pointerenter'));
    }
    await page.painted();
    const facts = page.all('.turn-facts').filter((fact) => fact.textContent !== '');
    assert.deepEqual(
      facts.map((fact) => fact.textContent),
      ['1 min 10 s · 2 files changed · 12k tokens'],
    );
    assert.equal(facts[0]?.closest<HTMLElement>('[data-entry]')?.dataset.entry, 'a2');
  });

  it('tells it at its last call, when it ends in calls', async () => {
    page = await ChatPage.open(chatState, {
      entries: [
        { ...user('u1', 'Do it'), end: { at: 70_000, tokens: undefined } },
        agent('a1', 'I will.'),
        tool({ id: 't1' }),
        {
          kind: 'notice',
          id: 'n1',
          at: 0,
          severity: 'info',
          text: 'Stopped',
          detail: undefined,
          actions: [],
        },
      ],
    });
    for (const entry of page.all('[data-entry]')) {
      entry.dispatchEvent(new Event('pointerenter'));
    }
    await page.painted();
    const facts = page.all('.turn-facts').filter((fact) => fact.textContent !== '');
    assert.deepEqual(
      facts.map((fact) => [fact.closest<HTMLElement>('[data-entry]')?.dataset.entry, fact.textContent]),
      [['t1', '1 min 10 s']],
    );
  });
});
