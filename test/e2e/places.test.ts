import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
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
  const chatInTab = (): Promise<Frame> =>
    eventually('the chat in the tab', async () => {
      for (const frame of workbench.page.frames()) {
        const found = frame.locator('[data-entry][data-kind="user"]', { hasText: 'hello tab' });
        const isWide = await frame.evaluate(() => window.innerWidth > 500).catch(() => false);
        if (isWide && (await found.count().catch(() => 0)) > 0) {
          return frame;
        }
      }
      return undefined;
    });

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
  });
});
