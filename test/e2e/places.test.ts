import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import { ChatPage } from '../support/chatPage';
import { eventually, openWorkbench, type Workbench } from '../support/workbench';

describe('where the chat lives', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    // At its natural pace: there must be time to hide the chat before the agent asks.
    workbench = await openWorkbench({
      settings: { 'parley.permissions.rules': [{ decision: 'deny', kind: 'execute', command: 'rm *' }] },
    });
    chat = await ChatPage.open(workbench);
  });

  /** The webview of the editor tab: the wide one. */
  const wideFrameWith = (selector: string, hasText?: string): Promise<Frame> =>
    eventually(`a wide chat with ${selector}`, async () => {
      for (const frame of workbench.page.frames()) {
        const found = frame.locator(selector, hasText === undefined ? {} : { hasText });
        const isWide = await frame.evaluate(() => window.innerWidth > 500).catch(() => false);
        if (isWide && (await found.count().catch(() => 0)) > 0) {
          return frame;
        }
      }
      return undefined;
    });
  const chatInTab = (): Promise<Frame> => wideFrameWith('[data-entry][data-kind="user"]', 'hello tab');

  after(async () => {
    await workbench.close();
  });

  it('opens a session as an editor tab, which is there again after a reload', async () => {
    await chat.ask('hello tab');
    await workbench.command('Parley: Open Session in Editor');
    await chatInTab();
    await workbench.reload({ withEditors: true });
    await workbench.page.locator('.tab', { hasText: 'hello tab' }).waitFor();
    const tab = await chatInTab();
    assert.equal(
      await tab.locator('[data-testid="parley-chat"]').getAttribute('data-session-status'),
      'disconnected',
    );
    await workbench.command('View: Close All Editors');
  });

  it('leads from a notification to a question in a hidden chat', async () => {
    chat = await ChatPage.open(workbench);
    await chat.send('/tour');
    await workbench.page.locator('.part.statusbar', { hasText: '1 running' }).waitFor();
    await workbench.command('View: Toggle Secondary Side Bar Visibility');
    await workbench.notification('waits for your answer').waitFor();
    await workbench.page.locator('.part.statusbar', { hasText: '1 waiting' }).waitFor();
    await workbench.notification('waits for your answer').getByRole('button', { name: 'Answer' }).click();
    chat = await ChatPage.find(workbench);
    await chat
      .permission(/reject/i)
      .first()
      .click();
    await chat.frame.getByRole('button', { name: 'Stop' }).click();
    await chat.turnEnds();
  });

  it('answers by a rule and says which', async () => {
    await chat.ask('/run rm -rf everything');
    const tool = chat.entries('tool').last();
    assert.equal(await tool.getAttribute('data-status'), 'rejected');
    assert.match(await tool.innerText(), /rm \*/);
  });

  it('exports the conversation as Markdown', async () => {
    await workbench.command('Parley: Export Transcript');
    await workbench.page.locator('.editor-instance .view-line', { hasText: 'hello tab' }).first().waitFor();
    await workbench.command('View: Revert and Close Editor');
  });

  it('a tab follows its chat to another session, and closes when that is deleted', async () => {
    const { page } = workbench;
    const tab = (title: string): Locator => page.locator('.tab', { hasText: title });
    await workbench.command('Parley: New Session');
    await chat.frame.locator('[data-testid="parley-chat"][data-session-status="active"]').waitFor();
    await workbench.command('Parley: Open Session in Editor');
    const welcome = await wideFrameWith('.recent-session');
    await welcome.locator('.recent-session', { hasText: 'hello tab' }).click();
    await tab('hello tab').waitFor();
    // It is the session of the tab that commands mean now.
    await workbench.command('Parley: Delete Session…');
    await page
      .locator('.monaco-dialog-box', { hasText: 'hello tab' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await tab('hello tab').waitFor({ state: 'detached' });
  });

  it('renames a session in the list by F2', async () => {
    const { page } = workbench;
    await chat.ask('hello list');
    await workbench.command('Parley: Focus on Sessions View');
    // Opens it, too: the focus goes with it.
    await page.getByRole('treeitem', { name: 'hello list' }).click();
    await workbench.command('Parley: Focus on Sessions View');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await page.locator('.part.sidebar .monaco-list:focus').waitFor();
    await page.keyboard.press('F2');
    await page.locator('.quick-input-widget input').fill('renamed by key');
    await page.keyboard.press('Enter');
    await page.getByRole('treeitem', { name: 'renamed by key' }).waitFor();
  });
});
