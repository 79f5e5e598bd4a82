import assert from 'node:assert/strict';
import type { Entry } from '../../src/shared/transcript/model';
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
