import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ChatPage } from '../support/chatPage';
import { openWorkbench, type Workbench } from '../support/workbench';

describe('the chat with the demo agent', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    workbench = await openWorkbench({ env: { PARLEY_DEMO_PACE: '0' } });
    chat = await ChatPage.open(workbench);
  });

  after(async () => {
    await workbench.close();
  });

  it('answers the first prompt of a fresh profile, in a session that did not exist before', async () => {
    assert.equal(await chat.root.getAttribute('data-session-status'), 'none');
    const turns = await chat.root.evaluateHandle((root) => {
      const seen: (string | null)[] = [];
      new MutationObserver(() => seen.push(root.getAttribute('data-turn'))).observe(root, {
        attributeFilter: ['data-turn'],
      });
      return seen;
    });
    await chat.ask('hello');
    assert.equal(await chat.root.getAttribute('data-session-status'), 'active');
    assert.match(await chat.entries('agent').first().innerText(), /script/i);
    // It runs from Enter to its end: nobody who waits for the end sees one before.
    assert.deepEqual(await turns.jsonValue(), ['running', 'idle']);
  });

  it('lists the session in the tree', async () => {
    await workbench.page.locator('.activitybar a[aria-label*="Parley"]').first().click();
    await workbench.page.locator('.monaco-list-row', { hasText: 'hello' }).first().waitFor();
  });

  it('shows a plan, a thought, tools and asks for permission in the tour; the edit reaches the file', async () => {
    const file = path.join(workbench.dirs.workspace, 'src', 'greet.js');
    const before = readFileSync(file, 'utf8');
    await chat.send('/tour');
    await chat.turnRuns();
    await chat.allowUntilEnd();
    for (const kind of ['thought', 'tool', 'agent', 'plan']) {
      assert.notEqual(await chat.entries(kind).count(), 0, `an entry of kind ${kind}`);
    }
    assert.notEqual(readFileSync(file, 'utf8'), before);
    assert.equal(await chat.frame.locator('[data-kind="tool"][data-status="pending"]').count(), 0);
    assert.equal(await chat.frame.locator('[data-kind="tool"][data-status="running"]').count(), 0);
  });

  it('rejects an edit from the keyboard command and leaves the file alone', async () => {
    const file = path.join(workbench.dirs.workspace, 'src', 'greet.js');
    const before = readFileSync(file, 'utf8');
    await chat.send('/edit');
    await chat.permission(/./).first().waitFor();
    await workbench.command('Parley: Reject');
    await chat.turnEnds();
    await chat.frame.locator('[data-kind="tool"][data-status="rejected"]').first().waitFor();
    assert.equal(readFileSync(file, 'utf8'), before);
  });

  it('stops at once', async () => {
    await chat.send('/slow');
    await chat.turnRuns();
    await chat.frame.getByRole('button', { name: 'Stop' }).click();
    await chat.turnEnds();
    await chat.entries('notice').filter({ hasText: 'Stopped' }).first().waitFor();
  });

  it('queues a prompt while a turn runs and sends it when the user stops and sends it now', async () => {
    await chat.send('/slow');
    await chat.turnRuns();
    await chat.send('after that');
    await chat.frame.locator('[data-testid="queued-prompt"]', { hasText: 'after that' }).waitFor();
    await chat.frame
      .locator('[data-testid="queued-prompt"]', { hasText: 'after that' })
      .getByRole('button', { name: /now/i })
      .click();
    await chat.entries('user').filter({ hasText: 'after that' }).waitFor();
    await chat.turnEnds();
  });

  it('shows why a turn failed', async () => {
    await chat.ask('/fail');
    const notice = chat.frame.locator('[data-kind="notice"][data-severity="error"]').last();
    assert.notEqual((await notice.innerText()).trim(), '');
    assert.notEqual(await notice.getByRole('button').count(), 0);
  });

  it('offers the agent’s slash commands', async () => {
    await chat.composer.fill('/to');
    await chat.frame.getByRole('option', { name: /tour/ }).waitFor();
    await chat.composer.press('Enter');
    assert.match(await chat.composer.inputValue(), /^\/tour/);
    await chat.composer.fill('');
  });

  it('changes the mode with the picker', async () => {
    const mode = chat.frame.locator('[data-config-id="mode"]');
    const before = await mode.innerText();
    await mode.click();
    await chat.frame.getByRole('option', { selected: false }).first().click();
    await chat.frame.waitForFunction(
      (old) => document.querySelector('[data-config-id="mode"]')?.textContent !== old,
      before,
    );
  });

  it('says what happened when the agent crashes, and comes back with its history', async () => {
    await chat.ask('/crash');
    await chat.frame.locator('[data-kind="notice"][data-severity="error"]', { hasText: '42' }).waitFor();
    await chat.frame.locator('[data-session-status="disconnected"]').waitFor();
    await chat.ask('are you back');
    await chat.frame.locator('[data-session-status="active"]').waitFor();
    assert.notEqual(await chat.entries('user').filter({ hasText: 'hello' }).count(), 0);
  });

  it('keeps a draft and the transcript over a reload', async () => {
    await chat.composer.fill('not sent yet');
    await chat.composer.blur();
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await chat.entries('user').filter({ hasText: 'hello' }).first().waitFor();
    assert.equal(await chat.composer.inputValue(), 'not sent yet');
    assert.equal(await chat.root.getAttribute('data-session-status'), 'disconnected');
  });

  it('has a strict content security policy', async () => {
    const policy = await chat.frame.locator('meta[http-equiv]').first().getAttribute('content');
    assert.match(policy ?? '', /default-src 'none'/);
    assert.doesNotMatch(policy ?? '', /unsafe-inline/);
  });
});
