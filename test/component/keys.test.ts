import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/repository.mjs';
import { shortcut, shortcuts } from '../../src/webview/shortcut';
import { ChatPage, chatState, installPage } from '../support/webviewPage';
import { entries, permission, tool } from './sampleEntries';

interface Manifest {
  readonly contributes: {
    readonly keybindings: readonly { readonly command: string; readonly when?: string }[];
  };
}

describe('keys of the chat', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  const focused = () => document.activeElement?.closest<HTMLElement>('[data-entry]')?.dataset.entry;

  it('are named in tooltips as package.json has them', async () => {
    const { contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
    for (const [command, keys] of Object.entries(shortcuts)) {
      const bindings = contributes.keybindings
        .filter((binding) => binding.command === command)
        .map(({ command: _, when: __, ...rest }) => rest);
      assert.deepEqual(bindings, [keys]);
    }
    page = await ChatPage.open(chatState, {
      entries: [tool({ permissions: [permission] }), tool({ id: 't2', rawOutput: 'x' })],
    });
    assert.equal(page.find('.line-chevron').title, 'Open or close all tool calls (Ctrl+K Ctrl+J)');
    assert.match(
      page.find('.session-title').title,
      /Other sessions: Ctrl\+Alt\+PageUp, Ctrl\+Alt\+PageDown$/,
    );
    assert.equal(page.button('Allow').title, 'Allow (1, or Ctrl+Alt+Y anywhere)');
    assert.equal(page.button('Always allow').title, 'Always allow (2)');
    assert.equal(page.button('Reject').title, 'Reject (3, or Ctrl+Alt+N anywhere)');
  });

  it('are written as the platform writes them', async () => {
    page = await ChatPage.open();
    const { platform } = navigator;
    const on = (name: string, command: keyof typeof shortcuts = 'parley.stopTurn'): string => {
      Object.defineProperty(navigator, 'platform', { value: name, configurable: true });
      return shortcut(command);
    };
    assert.equal(on('MacIntel', 'parley.toggleToolCalls'), '⌘K ⌘J');
    assert.equal(on('MacIntel', 'parley.nextChange'), '⌥F6');
    assert.deepEqual(
      ['Linux x86_64', 'Win32', 'MacIntel'].map((name) => on(name)),
      ['Ctrl+Escape', 'Alt+Backspace', '⌘Escape'],
    );
    Object.defineProperty(navigator, 'platform', { value: platform, configurable: true });
  });

  it('are for the chat while its page has the focus', async () => {
    page = await ChatPage.open();
    const before = page.sent('focusChanged').length;
    window.dispatchEvent(new Event('focus'));
    window.dispatchEvent(new Event('blur'));
    assert.deepEqual(
      page
        .sent('focusChanged')
        .slice(before)
        .map(({ hasFocus }) => hasFocus),
      [true, false],
    );
  });

  it('go to the oldest question, where the number keys answer it', async () => {
    const question = (id: string) => tool({ id, permissions: [{ ...permission, requestId: id }] });
    page = await ChatPage.open(chatState, { entries: [tool(), question('q1'), question('q2')] });
    page.composer.focus();
    page.send({ type: 'goToQuestion' });
    await page.painted();
    assert.equal(focused(), 'q1');
    assert.ok(document.activeElement !== null);
    await page.press('3', {}, document.activeElement);
    assert.deepEqual(page.sent('answerPermission'), [
      { type: 'answerPermission', sessionId: 's1', requestId: 'q1', optionId: 'no' },
    ]);
  });

  it('go to a question below a sub-agent’s call that the user had closed', async () => {
    const parent = tool({ id: 'parent', status: 'running', title: 'Sub-agent' });
    const child = tool({ id: 'child', parentId: 'parent' });
    page = await ChatPage.open(chatState, { entries: [parent, child] });
    await page.click(page.find('[data-entry="parent"] > .tool-head'));
    assert.equal(page.find('.nested-calls').hidden, true);
    await page.events({
      type: 'permissionAsked',
      at: 1,
      toolId: 'child',
      requestId: 'r1',
      options: permission.options,
    });
    page.send({ type: 'goToQuestion' });
    await page.painted();
    assert.equal(page.find('.nested-calls').hidden, false);
    assert.equal(focused(), 'child');
  });

  it('go to the first field of a form, also from the words in the session line', async () => {
    const form = entries.filter(({ id }) => id === 'e1');
    page = await ChatPage.open(chatState, { entries: form });
    const words = page.button('Waiting for you');
    assert.equal(words.title, 'Go to the question (Ctrl+Alt+G)');
    await page.click(words);
    assert.equal(document.activeElement, page.find('[data-entry="e1"] input'));
  });

  it('close all tool calls, and open them again', async () => {
    const calls = ['a', 'b'].map((id) => tool({ id, rawInput: { command: 'ls' } }));
    page = await ChatPage.open(chatState, { entries: calls });
    const open = () => page.all('[data-kind="tool"] > [aria-expanded="true"]').length;
    const toggle = async () => {
      page.send({ type: 'toggleToolCalls' });
      await page.painted();
    };
    assert.equal(open(), 0);
    await toggle();
    assert.equal(open(), 2);
    await page.click(page.find('[data-entry="a"] > .tool-head'));
    await toggle();
    assert.equal(open(), 0);
  });
});
