import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { copySample } from '../../scripts/repository.mjs';
import { ChatPage } from '../support/chatPage';
import { makeDirtyRepository, pictureOf } from '../support/folderPicture';
import { eventually, openWorkbench, type Workbench } from '../support/workbench';

describe('the review of what an agent changed', () => {
  let workbench: Workbench;
  let chat: ChatPage;
  let original: ReturnType<typeof pictureOf>;

  before(async () => {
    workbench = await openWorkbench({
      env: { PARLEY_DEMO_PACE: '0' },
      workspace: (folder) => {
        copySample(folder);
        makeDirtyRepository(folder);
      },
    });
    original = pictureOf(workbench.dirs.workspace);
    chat = await ChatPage.open(workbench);
  });

  after(async () => {
    await workbench.close();
  });

  const bar = (): Locator => chat.frame.locator('[data-testid="changes-bar"]');
  const inBar = (name: string): Locator => bar().getByRole('button', { name, exact: true });
  const row = (name: string): Locator =>
    workbench.page.locator('.pane', { hasText: 'Changes' }).locator('.monaco-list-row', { hasText: name });
  const lens = (title: string): Locator =>
    workbench.page.locator('.codelens-decoration a', { hasText: new RegExp(`^${title}$`) }).first();
  const readme = (): string => path.join(workbench.dirs.workspace, 'README.md');
  const filesAre = (what: string, wanted: typeof original): Promise<true> =>
    eventually(what, async () => {
      const found = pictureOf(workbench.dirs.workspace);
      return JSON.stringify(found) === JSON.stringify(wanted) ? true : undefined;
    });

  async function change(): Promise<void> {
    await chat.send('/change');
    await chat.turnRuns();
    await chat.allowUntilEnd();
    await bar().getByText('3 files').waitFor();
  }

  it('counts it above the message, whichever way it was made, and opens nothing', async () => {
    await change();
    assert.match(await bar().innerText(), /\+\d+\s*−\d+/);
    assert.equal(await workbench.page.locator('.part.editor .tab').count(), 0);
  });

  it('lists the files in the view', async () => {
    await workbench.page.locator('.activitybar a[aria-label*="Parley"]').first().click();
    for (const name of ['greet.js', 'notes.md', 'README.md']) {
      await row(name).waitFor();
    }
    await workbench.screenshot('changes-view');
  });

  it('shows one file beside what it was', async () => {
    await row('README.md').click();
    await workbench.page.locator('.tab', { hasText: 'README.md (changes)' }).waitFor();
    await workbench.page
      .locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'A command of the demo' })
      .waitFor();
    await workbench.command('View: Close All Editors');
  });

  it('shows all of it in the multi-file diff editor', async () => {
    await inBar('Review').click();
    await workbench.page.locator('.monaco-component.multiDiffEditor').waitFor();
    await workbench.screenshot('changes-review');
    await workbench.command('View: Close All Editors');
  });

  it('undoes a place in the editor, and takes that back', async () => {
    const changed = readFileSync(readme(), 'utf8');
    await workbench.command('Parley: Go to Next Change');
    await eventually('the changed README', async () => {
      const isOpen = await workbench.page.locator('.tab.active', { hasText: 'README.md' }).isVisible();
      if (!isOpen) {
        await workbench.command('Parley: Go to Next Change');
      }
      return isOpen ? true : undefined;
    });
    await workbench.screenshot('changes-editor');
    await lens('Undo').click();
    await bar().getByText('2 files').waitFor();
    assert.doesNotMatch(readFileSync(readme(), 'utf8'), /command of the demo/);
    await workbench.command('Parley: Undo Last Keep or Undo');
    await bar().getByText('3 files').waitFor();
    assert.equal(readFileSync(readme(), 'utf8'), changed);
  });

  it('is still there after a reload', async () => {
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await bar().getByText('3 files').waitFor();
  });

  it('undoes all byte for byte, the index and stashes included, and takes that back', async () => {
    const changed = pictureOf(workbench.dirs.workspace);
    await inBar('Undo').click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await filesAre('the files as they were', original);
    await inBar('Undo').click();
    await filesAre('the changed files', changed);
    await bar().getByText('3 files').waitFor();
  });

  it('restores the files to before a message and leaves what the user has written since', async () => {
    writeFileSync(readme(), `Mine.\n${readFileSync(readme(), 'utf8')}`);
    const message = chat.entries('user').first();
    await message.hover();
    await message.getByRole('button', { name: /Restore files/ }).click();
    const picker = workbench.page.locator('.quick-input-widget:visible');
    await picker.getByText('your own edits stay').waitFor();
    await workbench.screenshot('changes-restore');
    await picker.getByText('Restore 3 files').click();
    await chat.entries('notice').filter({ hasText: 'Files restored' }).waitFor();
    assert.equal(readFileSync(readme(), 'utf8').split('\n')[0], 'Mine.');
    writeFileSync(readme(), readFileSync(readme(), 'utf8').replace('Mine.\n', ''));
    await filesAre('the files as they were', original);
  });

  it('keeps all with one click, and asks nothing', async () => {
    await change();
    const changed = pictureOf(workbench.dirs.workspace);
    await inBar('Keep').click();
    await bar().getByText(/Kept/).waitFor();
    await filesAre('the changed files', changed);
  });
});
