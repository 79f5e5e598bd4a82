import assert from 'node:assert/strict';
import type { Entry, PlanEntry, ToolEntry } from '../../src/shared/transcript/model';
import { ChatPage, chatState, installPage } from '../support/webviewPage';
import { permission, tool } from './sampleEntries';

const parent = tool({ id: 'p', title: 'Explore', toolKind: 'think', status: 'running' });
const child = (id: string, fields: Partial<ToolEntry> = {}) =>
  tool({ id, title: `Call ${id}`, toolKind: 'fetch', parentId: 'p', ...fields });

describe('calls of a sub-agent', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());
  const shown = () => page.all('[data-entry]').map((row) => row.dataset.entry);
  const under = (id: string) =>
    page.all(`[data-entry="${id}"] > .nested-calls > [data-entry]`).map((row) => row.dataset.entry);

  it('stand under the call that started it, in their order, once each', async () => {
    const other = tool({ id: 'q', title: 'Other', toolKind: 'fetch' });
    page = await ChatPage.open(chatState, { entries: [parent, child('a'), other, child('b')] });
    assert.deepEqual(shown(), ['p', 'a', 'b', 'q']);
    assert.deepEqual(under('p'), ['a', 'b']);
  });

  it('open and close with it, and stay in the document', async () => {
    page = await ChatPage.open(chatState, { entries: [parent, child('a')] });
    assert.equal(page.find('.nested-calls').hidden, false);
    await page.click(page.find('[data-entry="p"] > .tool-head'));
    assert.equal(page.find('.nested-calls').hidden, true);
    assert.deepEqual(under('p'), ['a']);
  });

  it('come to a parent that was there before, and to one that comes later', async () => {
    page = await ChatPage.open(chatState, { entries: [child('a', { parentId: 'late' }), parent] });
    assert.deepEqual(shown(), ['a', 'p']);
    const upsert = { type: 'toolUpserted', at: 1, toolKind: 'fetch', status: 'completed' } as const;
    await page.events({ ...upsert, id: 'b', title: 'Call b', parentId: 'p' });
    assert.deepEqual(under('p'), ['b']);
    await page.events({ ...upsert, id: 'late', title: 'Late' });
    assert.deepEqual(shown(), ['p', 'b', 'late', 'a']);
  });

  it('never hide a question, however deep', async () => {
    const closed = { ...parent, status: 'completed' } as const;
    const deep = child('c', { parentId: 'b', status: 'pending', permissions: [permission] });
    page = await ChatPage.open(chatState, { entries: [closed, child('b'), deep] });
    assert.equal(page.all('.nested-calls[hidden]').length, 0);
    await page.events({
      type: 'permissionAnswered',
      at: 1,
      toolId: 'c',
      requestId: 'r1',
      outcome: { kind: 'selected', optionId: 'yes' },
    });
    assert.equal(page.all('.nested-calls[hidden]').length, 2);
  });

  it('open the run that their parent is folded into while they ask', async () => {
    const reads = ['1', '2', 'p'].map((id) => tool({ id, toolKind: 'search' }));
    const asking = child('a', { status: 'pending', permissions: [permission] });
    page = await ChatPage.open(chatState, { entries: [...reads, asking] });
    const askedIn = () => page.find('[role="group"][aria-label="Permission"]').closest('[hidden]');
    assert.equal(page.find('.tool-group-rows').hidden, false);
    assert.equal(askedIn(), null);
    await page.events({
      type: 'permissionAnswered',
      at: 1,
      toolId: 'a',
      requestId: 'r1',
      outcome: { kind: 'selected', optionId: 'yes' },
    });
    assert.equal(page.find('.tool-group-rows').hidden, true);
  });

  it('fold runs of reads under it, and are all shown when they go in circles', async () => {
    const reads = ['1', '2', '3'].map((id) => child(id, { toolKind: 'read' }));
    const circle = [child('x', { parentId: 'y' }), child('y', { parentId: 'x' })];
    const ended = { ...parent, status: 'completed' } as const;
    page = await ChatPage.open(chatState, { entries: [ended, ...reads, ...circle] });
    assert.match(page.find('.nested-calls > .tool-group').textContent, /^Read 3 files/);
    assert.equal(page.all('.tool-group').length, 1);
    assert.deepEqual(shown(), ['p', '1', '2', '3', 'x', 'y']);
  });
});

describe('new parts of the transcript', function () {
  this.timeout(30_000);
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('have no violations: nested calls, the menu of rules, the find bar', async () => {
    const { default: axe } = await import('axe-core');
    const asking = child('a', { status: 'pending', permissions: [permission] });
    page = await ChatPage.open(chatState, { entries: [parent, asking, child('b')] });
    await page.click(page.button('Allow by rule…'));
    const rules = { 'color-contrast': { enabled: false }, region: { enabled: false } };
    const violations = async () =>
      (await axe.run(document.body, { rules })).violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
    assert.deepEqual(await violations(), []);
    await page.press('f', { ctrlKey: true });
    assert.equal(page.all('.find-bar').length, 1);
    assert.deepEqual(await violations(), []);
  });
});

describe('questions and plans of an agent', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  const ask = async (url: string): Promise<HTMLElement> => {
    const entry: Entry = {
      kind: 'elicitation',
      id: 'e',
      at: 0,
      message: 'Sign in',
      outcome: undefined,
      request: { mode: 'url', url },
    };
    page = await ChatPage.open(chatState, { entries: [entry] });
    return page.find('[data-entry="e"]');
  };

  it('name who asks, and mark the host where it really is', async () => {
    const row = await ask('https://bank.example@evil.example/bank.example?q=1');
    assert.equal(page.find('.asked-by').textContent, 'Demo asks');
    assert.equal(page.find('.url-host').textContent, 'evil.example');
    assert.equal(page.find('.url').textContent, 'https://bank.example@evil.example/bank.example?q=1');
    assert.equal(row.querySelectorAll('.url-warning').length, 0);
  });

  for (const url of ['https://xn--pple-43d.example/', 'https://\u0430pple.example/']) {
    it(`warn of letters that look like others in ${url}`, async () => {
      const row = await ask(url);
      assert.match(row.querySelector('strong')?.textContent ?? '', /^xn--/);
      assert.match(page.find('.url-warning').textContent, /may look like others/);
    });
  }

  it('say what comes first only where not all is equal, and link to files', async () => {
    const items = [
      { text: 'a', status: 'pending', priority: 'high' },
      { text: 'b', status: 'pending', priority: 'medium' },
    ] as const;
    const common = { kind: 'plan', at: 0, markdown: undefined, uri: undefined } as const;
    page = await ChatPage.open(chatState, {
      entries: [
        { ...common, id: 'p', planId: 'p', items },
        { ...common, id: 'q', planId: 'q', items: items.slice(0, 1) },
        { ...common, id: 'f', planId: 'f', items: [], uri: 'file:///work/plan.md' },
      ],
    });
    await page.click(page.find('[data-entry="p"] > button'));
    await page.click(page.find('[data-entry="q"] > button'));
    assert.deepEqual(
      page.all('.plan-priority').map((priority) => priority.textContent),
      ['High priority'],
    );
    await page.click(page.find('[data-entry="f"] a'));
    assert.equal(page.sent('openLocation')[0]?.path, '/work/plan.md');
  });

  it('pin the plans of the running turn that are not done', async () => {
    const plan = (id: string, ...done: readonly boolean[]): PlanEntry => ({
      kind: 'plan',
      id,
      planId: id,
      at: 0,
      markdown: undefined,
      uri: undefined,
      items: done.map((isDone, index) => ({
        text: `${id}${index}`,
        status: isDone ? 'completed' : 'pending',
        priority: 'low',
      })),
    });
    const user: Entry = { kind: 'user', id: 'u', at: 0, messageId: undefined, turnId: 1, blocks: [] };
    const turn = { state: 'running', turnId: 1, startedAt: 0, isCancelling: false } as const;
    const strip = () => page.all('.strip-text').map((text) => text.textContent);
    page = await ChatPage.open(chatState, {
      entries: [user, plan('a', false), plan('b', true, false), plan('c', true)],
      turn,
    });
    assert.deepEqual(strip(), ['a0', 'b1']);
    const outcome = { kind: 'done', stopReason: 'end_turn' } as const;
    await page.events({ type: 'turnEnded', at: 1, turnId: 1, outcome });
    assert.deepEqual(strip(), []);
    page.close();
    page = await ChatPage.open(chatState, {
      entries: [plan('a', false), { ...user, id: 'u2' }, plan('c', true)],
      turn,
    });
    assert.deepEqual(strip(), []);
  });
});
