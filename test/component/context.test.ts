import assert from 'node:assert/strict';
import type { Attachment, ContextSuggestion } from '../../src/shared/attachments';
import { emptyTranscript, type Entry } from '../../src/shared/transcript/model';
import { ChatPage, chatState, installPage, session } from '../support/webviewPage';

const file = (name: string): Attachment => ({
  kind: 'file',
  id: `id-${name}`,
  name,
  path: `/work/src/${name}`,
});
const suggestion = (name: string): ContextSuggestion => ({
  attachment: file(name),
  label: name,
  description: 'src',
  icon: 'file',
});
const noImages = {
  ...chatState,
  session: { ...session, agentName: 'Gemini', accepts: { ...session.accepts, image: false } },
};

describe('context in the composer', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  const chips = (): (string | null)[] =>
    page.all('[data-testid="attachment"] .attachment-name').map((chip) => chip.textContent);
  const options = (): (string | null)[] =>
    page.all('[role="option"] .option-title').map((one) => one.textContent);
  /** Waits until the host is asked for `query` and answers. */
  const answer = async (query: string, ...names: string[]): Promise<number> => {
    const asked = await waitFor(() =>
      page.sent('searchContext').findLast((message) => message.query === query),
    );
    page.send({ type: 'contextFound', requestId: asked.requestId, suggestions: names.map(suggestion) });
    await page.painted();
    return asked.requestId;
  };
  const typeAt = async (text: string, cursor: number): Promise<void> => {
    page.composer.focus();
    page.composer.value = text;
    page.composer.setSelectionRange(cursor, cursor);
    page.composer.dispatchEvent(new Event('input', { bubbles: true }));
    await page.painted();
  };

  it('completes @ by keyboard, in the middle of the text', async () => {
    page = await ChatPage.open();
    await typeAt('explain @gr please', 'explain @gr'.length);
    await answer('gr', 'greet.js', 'grid.ts');
    assert.deepEqual(options(), ['greet.js', 'grid.ts']);
    assert.equal(page.composer.getAttribute('aria-activedescendant'), page.find('[data-active]').id);
    await page.press('ArrowDown');
    await page.press('Enter');
    assert.equal(page.composer.value, 'explain please');
    assert.equal(page.composer.selectionStart, 'explain '.length);
    assert.deepEqual(chips(), ['grid.ts']);
    assert.equal(page.all('[role="listbox"]').length, 0);
    await page.press('Enter');
    assert.deepEqual(page.sent('submitPrompt'), [
      { type: 'submitPrompt', sessionId: 's1', text: 'explain please', attachments: [file('grid.ts')] },
    ]);
    assert.deepEqual(chips(), []);
  });

  it('keeps chips for the session that they were meant for', async () => {
    page = await ChatPage.open({ ...chatState, session: { ...session, isReadOnly: true } });
    page.send({ type: 'attach', attachments: [file('greet.js')] });
    await page.painted();
    const show = async (sessionId: string): Promise<void> => {
      page.send({ type: 'state', state: { ...chatState, session: { ...session, sessionId } } });
      page.send({ type: 'snapshot', seq: 0, sessionId, transcript: emptyTranscript });
      await page.painted();
    };
    await show('s2');
    assert.deepEqual(chips(), []);
    await show('s1');
    assert.deepEqual(chips(), ['greet.js']);
  });

  it('opens at the beginning of a word only', async () => {
    page = await ChatPage.open();
    await page.type('me@example');
    await page.type('@');
    await answer('', 'greet.js');
    assert.equal(page.sent('searchContext').length, 1);
    await page.press('Tab');
    assert.deepEqual(chips(), ['greet.js']);
  });

  it('closes with Escape, which then does nothing else, and when the cursor leaves', async () => {
    page = await ChatPage.open();
    await page.type('see @g');
    await answer('g', 'greet.js');
    await page.press('Escape');
    assert.deepEqual(options(), []);
    await page.type('see @gr');
    await answer('gr', 'greet.js');
    page.composer.setSelectionRange(0, 0);
    page.composer.dispatchEvent(new KeyboardEvent('keyup', { key: 'ArrowLeft', bubbles: true }));
    await page.painted();
    assert.deepEqual(options(), []);
    assert.equal(page.composer.value, 'see @gr');
  });

  it('asks once for letters typed fast, and ignores an answer that comes too late', async () => {
    page = await ChatPage.open();
    await page.type('@');
    const first = await answer('', 'open.ts');
    await page.type('@g');
    await page.type('@gr');
    const second = await answer('gr', 'greet.js');
    assert.ok(second > first);
    assert.equal(
      page.sent('searchContext').some((message) => message.query === 'g'),
      false,
    );
    page.send({ type: 'contextFound', requestId: first, suggestions: [suggestion('late.ts')] });
    await page.painted();
    assert.deepEqual(options(), ['greet.js']);
  });

  it('takes nothing that was found for less than what is written by now', async () => {
    page = await ChatPage.open();
    await page.type('@g');
    await answer('g', 'grid.ts', 'greet.js');
    await page.type('@gree');
    await page.press('Enter');
    await page.press('Tab');
    assert.equal(page.composer.value, '@gree');
    assert.deepEqual(chips(), []);
    await answer('gree', 'greet.js');
    await page.press('Enter');
    assert.deepEqual(chips(), ['greet.js']);
    assert.equal(page.sent('submitPrompt').length, 0);
  });

  it('removes chips with Backspace at the start, with Delete on a chip and with the button', async () => {
    page = await ChatPage.open();
    page.send({ type: 'attach', attachments: [file('a.ts'), file('b.ts'), file('c.ts'), file('d.ts')] });
    await page.painted();
    assert.equal(document.activeElement, page.composer);
    assert.equal(page.find('[data-testid="attachment"]').title, '/work/src/a.ts');
    await typeAt('text', 2);
    await page.press('Backspace');
    assert.equal(chips().length, 4);
    page.composer.setSelectionRange(0, 0);
    await page.press('Backspace');
    assert.deepEqual(chips(), ['a.ts', 'b.ts', 'c.ts']);
    const first = page.button('Remove a.ts');
    first.focus();
    await page.press('ArrowRight', {}, first);
    assert.equal(document.activeElement, page.button('Remove b.ts'));
    await page.press('Delete', {}, page.button('Remove b.ts'));
    assert.deepEqual(chips(), ['a.ts', 'c.ts']);
    assert.equal(document.activeElement, page.button('Remove c.ts'));
    await page.click(page.button('Remove c.ts'));
    await page.click(page.button('Remove a.ts'));
    assert.deepEqual(chips(), []);
    assert.equal(document.activeElement, page.composer);
  });

  it('shows the same file once', async () => {
    page = await ChatPage.open();
    page.send({ type: 'attach', attachments: [file('a.ts')] });
    page.send({ type: 'attach', attachments: [{ ...file('a.ts'), id: 'other' }] });
    await page.painted();
    assert.deepEqual(chips(), ['a.ts']);
  });

  it('sends what is attached without words, and nothing when there is neither', async () => {
    page = await ChatPage.open();
    assert.equal(page.button('Send').hasAttribute('disabled'), true);
    page.send({ type: 'attach', attachments: [file('a.ts')] });
    await page.painted();
    await page.click(page.button('Send'));
    assert.deepEqual(page.sent('submitPrompt'), [
      { type: 'submitPrompt', sessionId: 's1', text: '', attachments: [file('a.ts')] },
    ]);
  });

  it('keeps what is attached with the draft', async () => {
    page = await ChatPage.open();
    page.send({ type: 'draft', sessionId: 's1', text: 'from before', attachments: [file('a.ts')] });
    await page.painted();
    assert.deepEqual(chips(), ['a.ts']);
    page.send({ type: 'attach', attachments: [file('b.ts')] });
    await page.painted();
    page.composer.blur();
    const saved = {
      type: 'saveDraft',
      sessionId: 's1',
      text: 'from before',
      attachments: [file('a.ts'), file('b.ts')],
    };
    assert.deepEqual(page.sent('saveDraft').at(-1), saved);
  });

  it('shows the draft of the session that is switched to, and only that', async () => {
    page = await ChatPage.open();
    page.send({ type: 'attach', attachments: [file('a.ts')] });
    await page.painted();
    page.send({ type: 'state', state: { ...chatState, session: { ...session, sessionId: 's2' } } });
    page.send({ type: 'snapshot', seq: 9, sessionId: 's2', transcript: emptySnapshot });
    page.send({ type: 'draft', sessionId: 's2', text: 'two', attachments: [file('b.ts')] });
    await page.painted();
    assert.deepEqual(page.sent('saveDraft'), [
      { type: 'saveDraft', sessionId: 's1', text: '', attachments: [file('a.ts')] },
    ]);
    assert.deepEqual(chips(), ['b.ts']);
    await page.type('two!');
    page.composer.blur();
    assert.deepEqual(page.sent('saveDraft').at(-1), {
      type: 'saveDraft',
      sessionId: 's2',
      text: 'two!',
      attachments: [file('b.ts')],
    });
  });

  it('brings back what was attached to a prompt that could not be sent', async () => {
    page = await ChatPage.open();
    page.send({ type: 'attach', attachments: [file('a.ts')] });
    await page.type('lost');
    await page.press('Enter');
    await page.type('new');
    page.send({ type: 'draft', sessionId: 's1', text: 'lost', attachments: [file('a.ts')] });
    await page.painted();
    assert.equal(page.composer.value, 'lost\n\nnew');
    assert.deepEqual(chips(), ['a.ts']);
  });

  it('takes a pasted image as a thumbnail', async () => {
    page = await ChatPage.open();
    assert.equal(transfer(page.composer, 'paste', { files: [image()] }).defaultPrevented, true);
    await waitFor(() => page.all('.attachment-thumbnail')[0]);
    assert.match(
      page.find('.attachment-thumbnail').getAttribute('src') ?? '',
      /^data:image\/png;base64,AQID$/,
    );
    await page.press('Enter');
    const sent = page.sent('submitPrompt')[0]?.attachments[0];
    assert.equal(sent?.kind === 'image' ? sent.data : undefined, 'AQID');
  });

  it('gives the host the data of an image once', async () => {
    page = await ChatPage.open();
    transfer(page.composer, 'paste', { files: [image()] });
    await waitFor(() => chips()[0]);
    page.composer.focus();
    page.composer.blur();
    await page.type('look at this');
    page.composer.blur();
    await page.press('Enter');
    const data = [...page.sent('saveDraft'), ...page.sent('submitPrompt')].map(({ attachments: [one] }) =>
      one?.kind === 'image' ? one.data : undefined,
    );
    assert.deepEqual(data, ['AQID', '', '']);
  });

  it('says so when the agent takes no images', async () => {
    page = await ChatPage.open(noImages);
    transfer(page.composer, 'paste', { files: [image()] });
    const alert = await waitFor(() => page.all('.composer-problem')[0]);
    assert.equal(alert.getAttribute('role'), 'alert');
    assert.equal(alert.textContent, 'Gemini takes no images.');
    assert.deepEqual(chips(), []);
    await page.type('then not');
    assert.equal(page.all('.composer-problem').length, 0);
  });

  it('takes an image before there is a session, and warns when its agent turns out to take none', async () => {
    page = await ChatPage.open({ ...chatState, session: undefined });
    transfer(page.composer, 'paste', { files: [image()] });
    await waitFor(() => page.all('.attachment-thumbnail')[0]);
    page.send({ type: 'state', state: noImages });
    await page.painted();
    assert.equal(page.all('.attachment-thumbnail').length, 0);
    assert.match(page.find('[data-testid="attachment"]').title, /Gemini takes no images/);
  });

  it('leaves pasted text, formatted or not, to the text field', async () => {
    page = await ChatPage.open();
    const office = { 'text/plain': 'cell', 'text/html': '<td>cell</td>' };
    assert.equal(
      transfer(page.composer, 'paste', { files: [image()], data: office }).defaultPrevented,
      false,
    );
    assert.equal(transfer(page.composer, 'paste', { data: { 'text/plain': 'x' } }).defaultPrevented, false);
  });

  it('takes dropped text files, and says what it cannot take', async () => {
    page = await ChatPage.open();
    const files = [
      new window.File(['let a;\n'], 'a.ts'),
      new window.File([new Uint8Array([0, 1, 2])], 'a.bin'),
      new window.File(['x'.repeat(200_001)], 'big.log'),
      new window.File([new Uint8Array(10_000_001)], 'big.png', { type: 'image/png' }),
    ];
    transfer(page.find('.composer-box'), 'drop', { files });
    const alert = await waitFor(() => page.all('.composer-problem')[0]);
    for (const words of ['a.bin is neither text', 'big.log is over 200 KB', 'big.png is over 10 MB']) {
      assert.ok(alert.textContent.includes(words), words);
    }
    await page.press('Enter');
    const sent = page.sent('submitPrompt')[0]?.attachments ?? [];
    assert.deepEqual(
      sent.map((one) => (one.kind === 'text' ? [one.name, one.text] : one)),
      [['a.ts', 'let a;\n']],
    );
  });

  it('takes files dropped by their addresses', async () => {
    page = await ChatPage.open();
    const list = 'file:///work/my%20file.ts\r\nhttps://example.com/x\r\nvscode-remote://host/work/b.ts';
    const box = page.find('.composer-box');
    assert.equal(transfer(box, 'dragover', { data: { 'text/uri-list': list } }).defaultPrevented, true);
    await page.painted();
    assert.equal(page.all('.drop-hint').length, 1);
    transfer(box, 'drop', { data: { 'text/uri-list': list } });
    await page.painted();
    assert.equal(page.all('.drop-hint').length, 0);
    assert.deepEqual(chips(), ['my file.ts', 'b.ts']);
    assert.equal(page.find('[data-testid="attachment"]').title, '/work/my file.ts');
  });

  it('asks the host for the file picker', async () => {
    page = await ChatPage.open();
    await page.click(page.button('Attach files…'));
    assert.deepEqual(page.sent('pickFiles'), [{ type: 'pickFiles' }]);
  });

  it('shows what went along with a prompt, opens it, and takes it up again', async () => {
    page = await ChatPage.open(chatState, { entries: [sent] });
    const entry = '[data-kind="user"]';
    assert.deepEqual(
      page.all(`${entry} .attachment-name`).map((chip) => chip.textContent),
      ['a b.ts', 'c.ts:3-5', 'src', 'Problems in c.ts'],
    );
    assert.equal(page.all(`${entry} img`).length, 1);
    assert.equal(page.find(`${entry} .plain-text`).textContent, 'Look');
    for (const chip of page.all(`${entry} a.attachment`)) {
      await page.click(chip);
    }
    assert.deepEqual(page.sent('openLocation'), [
      { type: 'openLocation', path: '/w/a b.ts', line: undefined },
      { type: 'openLocation', path: '/w/c.ts', line: 3 },
    ]);
    await page.click(page.button('Edit again'));
    assert.equal(page.composer.value, 'Look');
    assert.deepEqual(chips(), ['a b.ts', 'c.ts:3-5', 'src', 'Pasted image']);
    await page.type('');
    await page.press('ArrowUp');
    assert.equal(page.composer.value, 'Look');
  });

  it('shows how much is attached to a queued prompt', async () => {
    const queue = [{ id: 'q1', text: '', attachments: [file('a.ts'), file('b.ts')] }];
    page = await ChatPage.open({ ...chatState, queue });
    assert.equal(page.find('[data-testid="queued-prompt"] .strip-text').textContent, 'a.ts, b.ts');
    assert.equal(page.find('.queued-attachments').getAttribute('aria-label'), '2 attached');
  });
});

const link = { title: undefined, description: undefined, size: undefined };
const sent: Entry = {
  kind: 'user',
  id: 'u1',
  at: 0,
  messageId: undefined,
  turnId: 1,
  blocks: [
    { kind: 'resource', uri: 'file:///w/a%20b.ts', mimeType: undefined, text: 'x', blob: undefined },
    { kind: 'resource', uri: 'file:///w/c.ts#L3-L5', mimeType: undefined, text: 'x', blob: undefined },
    { kind: 'resourceLink', uri: 'file:///w/src', name: 'src', mimeType: 'inode/directory', ...link },
    { kind: 'image', mimeType: 'image/png', data: 'AQID', uri: undefined },
    { kind: 'text', text: '[Attached: Problems in c.ts]\nc.ts:3 error Oh\n\n' },
    { kind: 'text', text: 'Look' },
  ],
};

const emptySnapshot = {
  entries: [],
  turn: { state: 'idle' },
  terminals: {},
  commands: [],
  config: [],
  usage: undefined,
  title: undefined,
} as const;

function image(): File {
  return new window.File([new Uint8Array([1, 2, 3])], 'image.png', { type: 'image/png' });
}

interface Transferred {
  readonly files?: readonly File[];
  readonly data?: Readonly<Record<string, string>>;
}

/** jsdom has neither ClipboardEvent nor DragEvent. */
function transfer(target: Element, type: 'paste' | 'dragover' | 'drop', what: Transferred): Event {
  const { files = [], data = {} } = what;
  const event = new Event(type, { bubbles: true, cancelable: true });
  const types = [...Object.keys(data), ...(files.length > 0 ? ['Files'] : [])];
  const value = { files, types, getData: (wanted: string) => data[wanted] ?? '' };
  Object.defineProperty(event, type === 'paste' ? 'clipboardData' : 'dataTransfer', { value });
  target.dispatchEvent(event);
  return event;
}

async function waitFor<T>(probe: () => T | undefined): Promise<T> {
  for (;;) {
    const found = probe();
    if (found !== undefined) {
      return found;
    }
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
