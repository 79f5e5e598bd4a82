import assert from 'node:assert/strict';
import { ChatPage, chatState, installPage } from '../support/webviewPage';
import type { Command, Entry } from '../../src/shared/transcript/model';

const commands: Command[] = [
  { name: 'review', description: 'Review the changes', hint: 'what to look at' },
  { name: 'compact', description: 'Summarise', hint: undefined },
];
const asked = (id: string, text: string): Entry => ({
  kind: 'user',
  id,
  at: 0,
  messageId: undefined,
  turnId: 1,
  blocks: [{ kind: 'text', text }],
});
const running = { state: 'running', turnId: 1, startedAt: 0, isCancelling: false } as const;

describe('composer', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('sends with Enter and breaks the line with Shift+Enter', async () => {
    page = await ChatPage.open();
    assert.equal(page.composer.getAttribute('aria-label'), 'Message');
    await page.type('hello');
    const shift = await page.press('Enter', { shiftKey: true });
    assert.equal(shift.defaultPrevented, false);
    assert.equal(page.sent('submitPrompt').length, 0);
    await page.press('Enter');
    assert.deepEqual(page.sent('submitPrompt'), [
      { type: 'submitPrompt', sessionId: 's1', text: 'hello', attachments: [] },
    ]);
    assert.equal(page.composer.value, '');
  });

  it('leaves Enter to the input method while it composes', async () => {
    page = await ChatPage.open();
    await page.type('にほん');
    await page.press('Enter', { isComposing: true });
    // As some input methods have it, which do not say that they compose.
    await page.press('Process');
    await page.press('Process', { code: 'Enter' });
    assert.equal(page.sent('submitPrompt').length, 0);
    assert.equal(page.composer.value, 'にほん');
    await page.press('Enter');
    assert.equal(page.sent('submitPrompt')[0]?.text, 'にほん');
  });

  it('does not send nothing', async () => {
    page = await ChatPage.open();
    await page.type('  \n ');
    await page.press('Enter');
    assert.equal(page.sent('submitPrompt').length, 0);
  });

  it('recalls earlier prompts with Up when empty', async () => {
    page = await ChatPage.open(chatState, { entries: [asked('u1', 'first'), asked('u2', 'second')] });
    await page.press('ArrowUp');
    assert.equal(page.composer.value, 'second');
    await page.press('ArrowUp');
    assert.equal(page.composer.value, 'first');
    await page.press('ArrowDown');
    await page.press('ArrowDown');
    assert.equal(page.composer.value, '');
    await page.type('mine');
    const up = await page.press('ArrowUp');
    assert.equal(up.defaultPrevented, false);
    assert.equal(page.composer.value, 'mine');
  });

  it('recalls a prompt of many lines and lets the cursor through it', async () => {
    page = await ChatPage.open(chatState, { entries: [asked('u1', 'first'), asked('u2', 'one\ntwo')] });
    const { composer } = page;
    await page.press('ArrowUp');
    assert.equal(composer.value, 'one\ntwo');
    const inside = await page.press('ArrowUp');
    assert.equal(inside.defaultPrevented, false);
    assert.equal(composer.value, 'one\ntwo');
    composer.setSelectionRange(1, 1);
    const below = await page.press('ArrowDown');
    assert.equal(below.defaultPrevented, false);
    await page.press('ArrowUp');
    assert.equal(composer.value, 'first');
    await page.press('ArrowDown');
    assert.equal(composer.value, 'one\ntwo');
    await page.press('ArrowDown');
    assert.equal(composer.value, '');
  });

  it('stops the turn with Escape, but not while a menu is open', async () => {
    page = await ChatPage.open(chatState, { entries: [asked('u1', 'x')], commands, turn: running });
    await page.type('/re');
    await page.press('Escape');
    assert.equal(page.sent('cancelTurn').length, 0);
    assert.equal(page.all('[role="listbox"]').length, 0);
    await page.press('Escape');
    assert.deepEqual(page.sent('cancelTurn'), [{ type: 'cancelTurn', sessionId: 's1' }]);
  });

  it('does nothing on Escape when no turn runs', async () => {
    page = await ChatPage.open();
    await page.press('Escape');
    assert.equal(page.sent('cancelTurn').length, 0);
  });

  it('replaces Send by Stop while a turn runs, and has both when there is text', async () => {
    page = await ChatPage.open(chatState, { entries: [asked('u1', 'x')], turn: running });
    assert.throws(() => page.button('Send'));
    await page.click(page.button('Stop'));
    assert.equal(page.sent('cancelTurn').length, 1);
    await page.type('next');
    assert.match(page.button('Send').title, /^Queue/);
    await page.click(page.button('Send'));
    assert.equal(page.sent('submitPrompt').length, 1);
  });

  it('completes slash commands by keyboard', async () => {
    page = await ChatPage.open(chatState, { commands });
    await page.type('/');
    assert.deepEqual(
      page.all('[role="listbox"] [role="option"] .option-title').map((option) => option.textContent),
      ['/review what to look at', '/compact'],
    );
    await page.press('ArrowDown');
    assert.equal(page.composer.getAttribute('aria-activedescendant'), page.find('[data-active]').id);
    await page.press('ArrowUp');
    await page.press('Enter');
    assert.equal(page.composer.value, '/review ');
    assert.match(page.find('.composer-hint').textContent, /what to look at/);
    assert.equal(page.sent('submitPrompt').length, 0);
    await page.press('Enter');
    assert.equal(page.sent('submitPrompt')[0]?.text, '/review ');
  });

  it('saves the draft at once when the focus leaves', async () => {
    page = await ChatPage.open();
    await page.type('half a thou');
    page.composer.blur();
    assert.deepEqual(page.sent('saveDraft'), [
      { type: 'saveDraft', sessionId: 's1', text: 'half a thou', attachments: [] },
    ]);
  });

  it('takes a draft from the host, but not over unsaved words', async () => {
    page = await ChatPage.open();
    page.send({ type: 'draft', sessionId: 's1', text: 'from before', attachments: [] });
    await page.painted();
    assert.equal(page.composer.value, 'from before');
    await page.type('from before, and more');
    page.send({ type: 'draft', sessionId: 's1', text: 'from before', attachments: [] });
    await page.painted();
    assert.equal(page.composer.value, 'from before, and more');
  });

  it('brings back what could not be sent, in front of what was typed since', async () => {
    page = await ChatPage.open();
    await page.type('lost');
    await page.press('Enter');
    await page.type('new');
    page.send({ type: 'draft', sessionId: 's1', text: 'lost', attachments: [] });
    await page.painted();
    assert.equal(page.composer.value, 'lost\n\nnew');
  });

  it('keeps what was typed while a new session starts', async () => {
    page = await ChatPage.open({ ...chatState, session: undefined });
    await page.type('hello');
    await page.press('Enter');
    assert.equal(page.sent('submitPrompt')[0]?.sessionId, '');
    await page.type('and then');
    page.send({ type: 'state', state: chatState });
    page.send({ type: 'snapshot', seq: 4, sessionId: 's1', transcript: emptySnapshot });
    await page.painted();
    assert.equal(page.composer.value, 'and then');
    assert.deepEqual(page.sent('saveDraft').at(-1), {
      type: 'saveDraft',
      sessionId: 's1',
      text: 'and then',
      attachments: [],
    });
  });

  it('inserts text and takes the focus when the host says so', async () => {
    page = await ChatPage.open();
    page.send({ type: 'insertText', text: 'src/a.ts ' });
    await page.painted();
    assert.equal(page.composer.value, 'src/a.ts ');
    page.composer.blur();
    page.send({ type: 'focusComposer' });
    assert.equal(document.activeElement, page.composer);
  });

  it('edits, moves, sends and removes queued prompts', async () => {
    const queue = [
      { id: 'q1', text: 'one', attachments: [] },
      { id: 'q2', text: 'two', attachments: [] },
    ];
    page = await ChatPage.open({ ...chatState, queue }, { entries: [asked('u1', 'x')], turn: running });
    assert.equal(page.all('[data-testid="queued-prompt"]').length, 2);
    const first = '[data-queued-id="q1"]';
    await page.click(page.button('Move down', first));
    await page.click(page.button('Send now', first));
    await page.click(page.button('Remove from the queue', '[data-queued-id="q2"]'));
    await page.click(page.button('Edit queued prompt', first));
    const editor = page.find(`${first} textarea`);
    assert.ok(editor instanceof window.HTMLTextAreaElement);
    editor.value = 'one, changed';
    await page.press('Enter', {}, editor);
    assert.deepEqual(
      page.posted.filter((message) => message.type.includes('Queued')),
      [
        { type: 'moveQueued', sessionId: 's1', id: 'q1', index: 1 },
        { type: 'sendQueuedNow', sessionId: 's1', id: 'q1' },
        { type: 'removeQueued', sessionId: 's1', id: 'q2' },
        { type: 'editQueued', sessionId: 's1', id: 'q1', text: 'one, changed' },
      ],
    );
  });
});

const emptySnapshot = {
  entries: [],
  turn: { state: 'idle' },
  terminals: {},
  commands: [],
  config: [],
  usage: undefined,
  title: undefined,
} as const;
