import assert from 'node:assert/strict';
import { emptyTranscript, type Entry } from '../../src/shared/transcript/model';
import { chunksOf } from '../../src/webview/transcriptChunks';
import { until } from '../support/until';
import { ChatPage, chatState, installPage } from '../support/webviewPage';
import { tool } from './sampleEntries';

const prompt = (id: number): Entry => ({
  kind: 'user',
  id: `u${id}`,
  at: 0,
  messageId: undefined,
  blocks: [{ kind: 'text', text: `Prompt ${id}` }],
  turnId: id,
});
const prompts = (count: number): Entry[] => Array.from({ length: count }, (_, index) => prompt(index));

describe('the chunks of a transcript', () => {
  it('hold every entry once, in order', () => {
    const entries = prompts(100);
    const chunks = chunksOf(entries, []);
    assert.ok(chunks.length > 5);
    assert.deepEqual(
      chunks.flatMap((chunk) => chunk.entries),
      entries,
    );
  });

  it('stay the same objects but for the one that changed', () => {
    const before = prompts(100);
    const old = chunksOf(before, []);
    const grown = chunksOf([...before, prompt(100)], old);
    assert.deepEqual(grown.slice(0, -1), old.slice(0, -1));
    assert.ok(old.slice(0, -1).every((chunk, index) => chunk === grown[index]));
    const changed = chunksOf(before.with(30, { ...prompt(30) }), old);
    assert.deepEqual(
      changed.flatMap((chunk, index) => (chunk === old[index] ? [] : [index])),
      [old.findIndex((chunk) => chunk.entries.some(({ id }) => id === 'u30'))],
    );
  });

  it('keep their places when an entry before them goes', () => {
    const before = prompts(100);
    const old = chunksOf(before, []);
    const now = chunksOf(before.toSpliced(5, 1), old);
    assert.ok(now.slice(1).every((chunk, index) => chunk === old[index + 1]));
    assert.equal(now.length, old.length);
  });

  it('do not end among tool calls, which may fold', () => {
    const tools = Array.from({ length: 40 }, (_, index) => tool({ id: `t${index}` }));
    assert.equal(chunksOf([prompt(1), ...tools], []).length, 1);
  });
});

describe('a long transcript', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('shows its end first and soon all of it', async () => {
    page = await ChatPage.open(chatState, { entries: prompts(300) });
    assert.equal(page.all('[data-entry="u299"]').length, 1);
    await until('all rows', () => page.all('[data-entry]').length === 300);
    assert.deepEqual(
      page.all('[data-entry]').map((row) => row.dataset.entry),
      prompts(300).map(({ id }) => id),
    );
  });

  it('is not drawn at once when all of it was sent again with other ids', async () => {
    page = await ChatPage.open(chatState, { entries: prompts(300) });
    await until('all rows', () => page.all('[data-entry]').length === 300);
    const again = prompts(300).map((entry) => ({ ...entry, id: `again-${entry.id}` }));
    let fewest = 300;
    const changes = new window.MutationObserver(() => {
      fewest = Math.min(fewest, page.all('[data-entry^="again"]').length || 300);
    });
    changes.observe(document.body, { childList: true, subtree: true });
    page.send({
      type: 'snapshot',
      seq: 0,
      sessionId: 's1',
      transcript: { ...emptyTranscript, entries: again },
    });
    await until('all rows', () => page.all('[data-entry^="again"]').length === 300);
    changes.disconnect();
    assert.ok(fewest < 100, `${fewest} rows were drawn first`);
  });

  it('asks for all of it once its end is shown, and keeps what is shown', async () => {
    page = await ChatPage.open({ ...chatState, session: undefined });
    const entries = prompts(300);
    const snapshot = { type: 'snapshot', seq: 0, sessionId: 's1' } as const;
    page.send({ type: 'state', state: chatState });
    page.send({ ...snapshot, isEnd: true, transcript: { ...emptyTranscript, entries: entries.slice(-60) } });
    const isAsked = () => page.posted.some(({ type }) => type === 'resync');
    assert.ok(!isAsked(), 'asked before anything was shown');
    await until('the end, and the wish for more', isAsked);
    const last = page.find('[data-entry="u299"]');
    const copies = prompts(300);
    page.send({ ...snapshot, transcript: { ...emptyTranscript, entries: copies } });
    await until('all rows', () => page.all('[data-entry]').length === 300);
    assert.equal(page.find('[data-entry="u299"]'), last);
    assert.equal(page.posted.filter(({ type }) => type === 'resync').length, 1);
  });

  it('stays drawn when its first entry goes', async () => {
    const entries = prompts(60);
    page = await ChatPage.open(chatState, {
      entries: [
        { kind: 'notice', id: 'n', at: 0, severity: 'info', text: 'x', detail: undefined, actions: [] },
        ...entries,
      ],
    });
    await until('all rows', () => page.all('[data-entry]').length === 61);
    const last = page.find('[data-entry="u59"]');
    await page.events({ type: 'noticeRemoved', entryId: 'n' });
    await until('all rows but one', () => page.all('[data-entry]').length === 60);
    assert.equal(page.find('[data-entry="u59"]'), last);
  });

  it('keeps the nodes of its rows while it grows', async () => {
    page = await ChatPage.open(chatState, { entries: prompts(60) });
    await until('all rows', () => page.all('[data-entry]').length === 60);
    const rows = page.all('[data-entry]');
    for (let turnId = 60; turnId < 90; turnId += 1) {
      await page.events({ type: 'turnStarted', at: 0, turnId, entryId: `u${turnId}`, blocks: [] });
    }
    assert.ok(page.all('[data-entry]').length === 90);
    assert.ok(rows.every((row, index) => row === page.all('[data-entry]')[index]));
    assert.ok(page.all('.row-chunk.still, .row-chunk.far').length > 0);
  });
});
