import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { copySample, root } from '../../scripts/repository.mjs';
import { ChatPage } from '../support/chatPage';
import { resizeChat } from '../support/screenshotsLayout';
import { eventually, openWorkbench, type Workbench } from '../support/workbench';

const END_PX = 4;

describe('the composer', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    workbench = await openWorkbench({
      env: { PARLEY_DEMO_PACE: '0' },
      settings: {
        'parley.agents': {
          other: {
            name: 'Other',
            command: process.execPath,
            args: [path.join(root, 'dist', 'demoAgent.js')],
          },
        },
        'parley.defaultAgent': 'demo',
      },
      workspace: (folder) => {
        copySample(folder);
        writeFileSync(path.join(folder, 'broken.json'), '{ "a": }');
      },
    });
    chat = await ChatPage.open(workbench);
  });

  after(async () => {
    await workbench.close();
  });

  it('keeps a draft for each session', async () => {
    await chat.ask('first');
    const first = await chat.root.getAttribute('data-session-id');
    await chat.composer.fill('for the first');
    await workbench.command('Parley: New Session');
    await chat.frame
      .locator(`[data-session-status="active"]:not([data-session-id="${first ?? ''}"])`)
      .waitFor();
    assert.equal(await chat.composer.inputValue(), '');
    await chat.composer.fill('for the second');
    await workbench.command('Parley: Next Session');
    await composerHolds('for the first');
    await workbench.command('Parley: Next Session');
    await composerHolds('for the second');
    await chat.composer.fill('');
  });

  it('recalls prompts with Up, also through one of two lines', async () => {
    await chat.ask('alone');
    await chat.ask('one\ntwo');
    await press('ArrowUp');
    await composerHolds('one\ntwo');
    await press('ArrowUp');
    assert.equal(await caret(), 'one'.length);
    await press('ArrowUp');
    await composerHolds('alone');
    await press('ArrowDown');
    await press('ArrowDown');
    await composerHolds('');
  });

  it('completes a command by keyboard and says what it takes', async () => {
    await type('/ru');
    await option('/run').waitFor();
    await press('Enter');
    await composerHolds('/run ');
    assert.match(await chat.frame.locator('.composer-hint').innerText(), /node --version/);
    await chat.composer.fill('');
  });

  it('attaches a folder and problems by @', async () => {
    await workbench.page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: 'broken.json' })
      .dblclick();
    await workbench.page.locator('.squiggly-error').first().waitFor();
    await chat.composer.focus();
    await type('see @src');
    await option(/^src/).waitFor();
    await press('Enter');
    await chip('src').waitFor();
    await type('@problems');
    await option('Problems in broken.json').waitFor();
    await press('Enter');
    await chip('Problems in broken.json').waitFor();
    assert.equal(await chat.composer.inputValue(), 'see ');
    await press('Enter');
    await chat.entries('user').filter({ hasText: 'see' }).waitFor();
    await chat.turnEnds();
  });

  it('takes a file that is dropped on it', async () => {
    const uri = `file://${path.join(workbench.dirs.workspace, 'README.md')}`;
    await chat.frame.locator('.composer-box').evaluate((box, address) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', address);
      for (const type of ['dragover', 'drop']) {
        box.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    }, uri);
    await chip('README.md').waitFor();
    assert.equal(await isFocused(chat.composer), true);
    await press('Backspace');
    await chip('README.md').waitFor({ state: 'detached' });
  });

  it('leaves Enter to an input method that composes', async () => {
    const before = await chat.entries('user').count();
    const devtools = await workbench.page.context().newCDPSession(workbench.page);
    await chat.composer.focus();
    await devtools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await composerHolds('に');
    await press('Enter');
    await chat.composer.fill('日');
    await press('Enter');
    await chat.entries('user').filter({ hasText: '日' }).waitFor();
    assert.equal(await chat.entries('user').count(), before + 1);
    await chat.turnEnds();
  });

  it('queues prompts, of which one is edited and one removed', async () => {
    await chat.send('/slow');
    await chat.turnRuns();
    for (const text of ['next', 'later']) {
      await chat.send(text);
      await queued(text).waitFor();
    }
    await queued('next').getByRole('button', { name: 'Edit queued prompt' }).click();
    await workbench.page.keyboard.type(', changed');
    await press('Enter');
    await queued('next, changed').waitFor();
    await queued('later').getByRole('button', { name: 'Remove from the queue' }).click();
    await queued('later').waitFor({ state: 'detached' });
    await eventually('the focus in the composer', async () =>
      (await isFocused(chat.composer)) ? true : undefined,
    );
  });

  it('stops with Escape only when nothing else is open, and keeps the queue', async () => {
    await press('Control+f');
    await chat.frame.locator('.find-bar').waitFor();
    await chat.composer.focus();
    await type('/');
    await option('/tour').waitFor();
    await press('Escape');
    await option('/tour').waitFor({ state: 'detached' });
    await press('Escape');
    await chat.frame.locator('.find-bar').waitFor({ state: 'detached' });
    assert.equal(await chat.root.getAttribute('data-turn'), 'running');
    await press('Escape');
    await chat.turnEnds();
    await chat.composer.fill('');
    await queued('next, changed').getByRole('button', { name: 'Send now' }).click();
    await chat.entries('user').filter({ hasText: 'next, changed' }).waitFor();
    await chat.turnEnds();
  });

  it('stops from anywhere in the chat by the key of VS Code’s own', async () => {
    await chat.send('/slow');
    await chat.turnRuns();
    await chat.frame.locator('[data-testid="transcript"]').focus();
    await press('Control+Escape');
    await chat.turnEnds();
  });

  it('goes to a question by key, where a number answers it', async () => {
    await chat.send('/edit');
    await chat.permission('Allow').waitFor();
    await workbench.page.locator('.monaco-editor').first().click();
    await press('Control+Alt+g');
    const card = chat.frame.getByRole('group', { name: 'Permission' });
    await eventually('the focus in the card', async () => ((await isFocused(card)) ? true : undefined));
    await press('1');
    await chat.turnEnds();
    assert.equal(await chat.entries('tool').last().getAttribute('data-status'), 'completed');
  });

  it('loses nothing and stays at the end when it is hidden while an answer comes', async () => {
    await chat.ask('hello');
    await chat.send('/long 128');
    await chat.turnRuns();
    await workbench.command('View: Toggle Secondary Side Bar Visibility');
    await workbench.page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await workbench.command('View: Toggle Secondary Side Bar Visibility');
    await chat.turnEnds();
    const shown = await answer();
    assert.ok(shown.length > 80_000, `${shown.length} characters`);
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await chat.entries('agent').last().waitFor();
    await eventually('the answer as it was stored', async () =>
      (await answer()) === shown ? true : undefined,
    );
    await eventually('the end', async () => {
      const rest = await chat.frame
        .locator('[data-testid="transcript"]')
        .evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
      return rest <= END_PX ? true : undefined;
    });
  });

  it('sets options by keyboard, also those that have no room in the row', async () => {
    await chat.composer.fill('');
    await chat.ask('are you there');
    await resizeChat(workbench, 300);
    await chat.frame.locator('[data-config-id="mode"] button').focus();
    await press('ArrowDown');
    await press('p');
    await press('Enter');
    await chat.frame.locator('[data-config-id="mode"]', { hasText: 'Plan' }).waitFor();
    await chat.frame.getByRole('button', { name: 'More options' }).focus();
    await press('Enter');
    const pace = chat.frame.locator('[data-config-id="pace"]');
    await eventually('the focus in the menu', async () =>
      (await isFocused(pace.locator('button'))) ? true : undefined,
    );
    await press('Enter');
    await press('i');
    await press('Enter');
    await pace.filter({ hasText: 'Instant' }).waitFor();
    await press('Escape');
    await pace.waitFor({ state: 'hidden' });
    assert.equal(await isFocused(chat.frame.getByRole('button', { name: 'More options' })), true);
  });

  it('keeps its row in one line and its text in sight at 240 px', async () => {
    await chat.composer.fill('words '.repeat(20).trim());
    const sizes = async () => ({
      row: (await chat.frame.locator('.composer-row').boundingBox())?.height,
      cut: await chat.composer.evaluate((input) => input.scrollHeight - input.clientHeight),
    });
    const wide = await sizes();
    await resizeChat(workbench, 240);
    assert.deepEqual(await sizes(), wide);
    assert.equal(wide.cut, 0);
    await workbench.screenshot('composer-240');
    await chat.composer.fill('');
  });

  it('changes the agent of an empty session after a reload, and what was written goes along', async () => {
    await workbench.command('Parley: New Session');
    await chat.frame.locator('[data-testid="agent-picker"]', { hasText: 'Parley demo' }).waitFor();
    await chat.composer.fill('for the other one');
    await chat.composer.blur();
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await composerHolds('for the other one');
    await chat.frame.locator('[data-testid="agent-picker"] button').click();
    await chat.frame.getByRole('option', { name: /^Other/ }).click();
    await chat.frame.locator('[data-session-status="none"]').waitFor();
    await composerHolds('for the other one');
    await chat.composer.press('Enter');
    await chat.entries('user').filter({ hasText: 'for the other one' }).waitFor();
    await chat.turnEnds();
    assert.match((await chat.frame.locator('.session-title').getAttribute('title')) ?? '', /^.*\nOther/);
  });

  /** All of it, which a flood is drawn to over many frames; where lines break is no part of it. */
  async function answer(): Promise<string> {
    await chat.frame.locator('.markdown[aria-busy]').waitFor({ state: 'detached' });
    return ((await chat.entries('agent').last().locator('.markdown').textContent()) ?? '').replace(/\s/g, '');
  }

  async function press(key: string): Promise<void> {
    await workbench.page.keyboard.press(key);
  }

  async function type(text: string): Promise<void> {
    await chat.composer.focus();
    await workbench.page.keyboard.type(text);
  }

  async function composerHolds(text: string): Promise<void> {
    await eventually(`"${text}" in the composer`, async () =>
      (await chat.composer.inputValue()) === text ? true : undefined,
    );
  }

  function caret(): Promise<number> {
    return chat.composer.evaluate((input) => (input as HTMLTextAreaElement).selectionStart);
  }

  function isFocused(element: Locator): Promise<boolean> {
    return element.evaluate((node) => node === document.activeElement);
  }

  function option(name: string | RegExp): Locator {
    return chat.frame.getByRole('option', { name }).first();
  }

  function chip(name: string): Locator {
    return chat.frame.locator('[data-testid="attachment"]', { hasText: name });
  }

  function queued(text: string): Locator {
    return chat.frame.locator('[data-testid="queued-prompt"]', { hasText: text });
  }
});
