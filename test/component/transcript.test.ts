import assert from 'node:assert/strict';
import { ChatPage, chatState, installPage, session } from '../support/webviewPage';
import { entries, tool } from './sampleEntries';

const running = { state: 'running', turnId: 1, startedAt: 0, isCancelling: false } as const;
const chunk = (text: string) =>
  ({
    type: 'messageChunk',
    at: 1,
    role: 'agent',
    entryId: 'a9',
    messageId: undefined,
    block: { kind: 'text', text },
  }) as const;

const none = { title: undefined, description: undefined, mimeType: undefined, size: undefined } as const;

describe('the transcript', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('says the command of an open call once, in full', async () => {
    page = await ChatPage.open(chatState, {
      entries: [
        tool({ id: 'a', status: 'running', title: 'Run `npm test`', rawInput: { command: 'npm test' } }),
        tool({ id: 'b', status: 'running', title: '`npm test`', rawInput: { command: 'npm test' } }),
        tool({ id: 'c', status: 'completed', title: 'Check it', rawInput: { command: 'npm test' } }),
      ],
    });
    const head = (id: string) => page.find(`[data-entry="${id}"] .tool-head`).textContent;
    assert.deepEqual([head('a'), head('b'), head('c')], ['Run', 'Run a command', 'Check it npm test']);
    assert.equal(page.find('[data-entry="a"] .command').textContent, 'npm test');
    await page.click(page.find('[data-entry="c"] .tool-head'));
    assert.equal(head('c'), 'Check it');
    assert.equal(page.find('[data-entry="c"] .command').textContent, 'npm test');
  });

  it('names a file from the session’s folder on', async () => {
    const content = [{ kind: 'diff', path: '/work/src/a.ts', oldText: 'a', newText: 'b' }] as const;
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'failed', toolKind: 'edit', title: 'Edit it', content })],
    });
    assert.equal(page.find('.file-name').textContent, 'a.ts');
    assert.equal(page.find('.file-name').dataset.path, '/work/src/a.ts');
    assert.equal(page.find('.file-folder').textContent, 'src');
  });

  it('does not open a running call that has nothing to show but its place', async () => {
    const locations = [{ path: '/a/b.ts', line: 1 }];
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'running', toolKind: 'read', title: 'Read b.ts', locations })],
    });
    assert.equal(page.all('.tool-body').length, 0);
  });

  it('goes to the end for a prompt that is sent, and stays for one that is queued', async () => {
    page = await ChatPage.open(chatState, { entries });
    const scroller = scrolledUp(page);
    await page.type('next');
    await page.press('Enter');
    assert.equal(scroller.scrollTop, 1000);
    await page.events({ type: 'turnStarted', at: 0, turnId: 2, entryId: 'u9', blocks: [] });
    scrolledUp(page);
    await page.type('later');
    await page.press('Enter');
    await page.events(chunk('more'));
    assert.equal(scroller.scrollTop, 100);
    assert.match(page.find('.news-button').textContent, /New messages/);
  });

  it('follows the end while the wheel turns in a box inside, or zooms', async () => {
    const content = [{ kind: 'block', block: { kind: 'text', text: 'long' } }] as const;
    page = await ChatPage.open(chatState, { entries: [tool({ status: 'failed', content })] });
    const scroller = scrolledUp(page);
    const box = page.find('.box-scroll');
    const turn = async (target: HTMLElement, init: WheelEventInit = {}): Promise<boolean> => {
      scroller.scrollTop = 800;
      scroller.dispatchEvent(new Event('scroll'));
      target.dispatchEvent(new window.WheelEvent('wheel', { deltaY: -10, bubbles: true, ...init }));
      await page.events(chunk('more'));
      const isFollowing = page.all('.news-button').length === 0;
      page.all('.news-button').forEach((button) => button.click());
      await page.painted();
      return isFollowing;
    };
    assert.equal(await turn(box), false);
    box.scrollTop = 40;
    assert.equal(await turn(box), true);
    assert.equal(await turn(scroller, { ctrlKey: true }), true);
    assert.equal(await turn(scroller), false);
  });

  it('keeps one Stop button, in one place, while an answer grows and the user writes', async () => {
    page = await ChatPage.open(chatState, { entries, turn: running });
    const stop = page.button('Stop');
    await page.events(chunk('one '));
    await page.type('and then');
    await page.events(chunk('two'));
    assert.equal(page.button('Stop'), stop);
    assert.equal(stop.parentElement?.lastElementChild, stop);
  });

  it('shows images of the workspace once the host has read them, and a link till then', async () => {
    const answer = (id: string, text: string) =>
      ({ kind: 'agent', id, at: 0, messageId: undefined, blocks: [{ kind: 'text', text }] }) as const;
    page = await ChatPage.open(chatState, {
      entries: [answer('a', '![A plot](./out/plot%201.png)'), answer('b', '![gone](gone.png)')],
    });
    const path = 'out/plot 1.png';
    assert.deepEqual(page.sent('loadImage'), [
      { type: 'loadImage', sessionId: 's1', path },
      { type: 'loadImage', sessionId: 's1', path: 'gone.png' },
    ]);
    const link = page.find('[data-entry="a"] a');
    assert.equal(link.textContent, 'A plot');
    const address = 'data:image/png;base64,iVBORw0KGgo=';
    page.send({ type: 'image', sessionId: 's1', path, address });
    page.send({ type: 'image', sessionId: 's1', path: 'gone.png', address: undefined });
    assert.deepEqual(link.querySelector('img')?.getAttribute('src'), address);
    assert.equal(link.querySelector('img')?.alt, 'A plot');
    await page.click(link);
    await page.click(page.find('[data-entry="b"] a'));
    assert.deepEqual(
      page.sent('openLocation').map((message) => message.path),
      [path, 'gone.png'],
    );
  });

  it('plays sounds, opens texts and names what it cannot show', async () => {
    const resource = { kind: 'resource', mimeType: undefined, text: undefined, blob: undefined } as const;
    const blocks = [
      { kind: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
      { kind: 'audio', mimeType: 'text/html', data: 'x' },
      { ...resource, uri: 'file:///c:/a/notes.txt', text: 'All of it' },
      { ...resource, uri: 'mcp://server/report', mimeType: 'application/pdf', blob: 'A'.repeat(4096) },
      { ...resource, uri: 'mcp://server/dot', mimeType: 'image/png', blob: 'iVBORw0KGgo=' },
      { kind: 'resourceLink', uri: 'file:///work/a%20b.ts#L3', name: 'a b', ...none },
    ] as const;
    page = await ChatPage.open(chatState, {
      entries: [{ kind: 'agent', id: 'a', at: 0, messageId: undefined, blocks }],
    });
    assert.deepEqual(
      page.all('audio').map((player) => player.getAttribute('src')),
      ['data:audio/wav;base64,UklGRg=='],
    );
    assert.equal(page.find('img').getAttribute('src'), 'data:image/png;base64,iVBORw0KGgo=');
    assert.doesNotMatch(page.find('[data-entry]').textContent, /All of it/);
    await page.click(page.find('.embedded-text button'));
    assert.equal(page.find('.embedded-text pre').textContent, 'All of it');
    await page.click(page.find('.embedded-text a'));
    assert.match(page.find('[data-entry]').textContent, /report · application\/pdf · 3 KB/);
    await page.click(page.all('a.chip').at(-1) ?? page.find('nothing'));
    assert.deepEqual(
      page.sent('openLocation').map(({ path, line }) => [path, line]),
      [
        ['c:/a/notes.txt', undefined],
        ['/work/a b.ts', 3],
      ],
    );
  });

  it('links files that are named in its text, and nothing that only looks like one', async () => {
    const text =
      'See src/a.ts:12, (lib/b.py) and main.go:3. But not 1.2:3, e.g. and/or, v1.2.3/x, node.js, a.b, ' +
      'example.com/a.md, example.com:80, https://a.example/b.ts, [src/c.ts](https://x.example) or `d/e.ts`.';
    page = await ChatPage.open(chatState, {
      entries: [{ kind: 'agent', id: 'a', at: 0, messageId: undefined, blocks: [{ kind: 'text', text }] }],
    });
    assert.deepEqual(
      page
        .all('.markdown a[data-path]')
        .map(({ textContent, dataset }) => [textContent, dataset.path, dataset.line]),
      [
        ['src/a.ts:12', 'src/a.ts', '12'],
        ['lib/b.py', 'lib/b.py', undefined],
        ['main.go:3', 'main.go', '3'],
        ['d/e.ts', 'd/e.ts', undefined],
      ],
    );
    assert.equal(
      page.find('.markdown').textContent.trim(),
      text.replace('[src/c.ts](https://x.example)', 'src/c.ts').replaceAll('`', ''),
    );
  });

  it('loads no image of the network', async () => {
    const text = '![x](https://evil.example/p.png) ![y](//evil.example/p.png) <img src="file://h/p.png">';
    page = await ChatPage.open(chatState, {
      entries: [{ kind: 'agent', id: 'a', at: 0, messageId: undefined, blocks: [{ kind: 'text', text }] }],
    });
    assert.equal(page.all('img').length, 0);
    assert.deepEqual(
      page.sent('loadImage').filter(({ path }) => path.includes('evil')),
      [],
    );
  });

  it('copies prompts and answers, and takes a prompt back to the composer', async () => {
    const copied: string[] = [];
    const clipboard = { writeText: (text: string) => Promise.resolve(copied.push(text)) };
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
    page = await ChatPage.open(chatState, { entries });
    await page.click(page.button('Copy prompt'));
    await page.click(page.button('Copy answer'));
    assert.equal(copied[0], 'Line one\n**not bold**');
    assert.match(copied[1] ?? '', /^# Hi\n/);
    assert.equal(page.button('Copy answer').title, 'Copied');
    await page.click(page.button('Edit again'));
    assert.equal(page.composer.value, 'Line one\n**not bold**');
  });
});

describe('a fresh chat', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('presents the demo, and the way to an agent of one’s own', async () => {
    page = await ChatPage.open({ ...chatState, session: undefined });
    await page.click(page.find('.suggestion'));
    assert.equal(page.composer.value, '/tour ');
    await page.click(page.button('Use an agent of your own…'));
    assert.equal(page.sent('runAction')[0]?.command, 'openSettings');
  });

  it('presents only the agent when it is another one', async () => {
    const agents = [{ id: 'gemini', name: 'Gemini', description: undefined }];
    page = await ChatPage.open({ ...chatState, agents, agentId: 'gemini', session: undefined });
    assert.equal(page.find('h2').textContent, 'Gemini');
    assert.equal(page.all('.suggestion, .calm-page .link-button').length, 0);
  });

  it('greets with an agent’s name, not with its command', async () => {
    const agents = [{ id: 'own', name: 'Own', description: '/usr/bin/node' }];
    page = await ChatPage.open({ ...chatState, agents, agentId: 'own', session: undefined });
    assert.equal(page.find('.calm-page').textContent, 'Own');
  });

  it('looks while its agent starts as it will afterwards; only a restored one shows that more will come', async () => {
    page = await ChatPage.open({ ...chatState, session: undefined, progress: 'Starting Demo…' });
    assert.equal(page.find('.session-line').textContent, 'Starting Demo…');
    assert.equal(page.find('h2').textContent, 'Demo');
    assert.equal(page.all('.skeleton').length, 0);
    page.send({ type: 'state', state: { ...chatState, progress: 'Reconnecting to Demo…' } });
    await page.painted();
    assert.equal(page.all('.skeleton').length, 1);
  });

  it('lets another agent be chosen after a start that failed', async () => {
    const failed = entries.filter((entry) => entry.kind === 'notice');
    page = await ChatPage.open({ ...chatState, session: undefined }, { entries: failed });
    assert.equal(page.all('[data-testid="agent-picker"]').length, 1);
    page.send({ type: 'state', state: { ...chatState, session } });
    await page.painted();
    assert.equal(page.all('[data-testid="agent-picker"]').length, 0);
  });
});

/** jsdom has no layout: a long transcript in a small window, which the user has scrolled up. */
function scrolledUp(page: ChatPage): HTMLElement {
  const scroller = page.find('[data-testid="transcript"]');
  const sizes = { scrollHeight: 1000, clientHeight: 200 };
  for (const [name, value] of Object.entries(sizes)) {
    Object.defineProperty(scroller, name, { value, configurable: true });
  }
  for (const top of [800, 100]) {
    scroller.scrollTop = top;
    scroller.dispatchEvent(new Event('scroll'));
  }
  return scroller;
}
