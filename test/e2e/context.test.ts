import assert from 'node:assert/strict';
import { ChatPage } from '../support/chatPage';
import { resizeChat } from '../support/screenshotsLayout';
import { openWorkbench, type Workbench } from '../support/workbench';

/** One red pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

describe('context for a prompt', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    workbench = await openWorkbench({ env: { PARLEY_DEMO_PACE: '0' } });
    chat = await ChatPage.open(workbench);
  });

  after(async () => {
    await workbench.close();
  });

  it('finds a file by @ and shows it as a chip', async () => {
    await chat.composer.fill('What does ');
    await chat.composer.pressSequentially('@greet');
    await chat.frame.getByRole('option', { name: /^greet\.js/ }).waitFor();
    await workbench.screenshot('context-menu');
    await chat.composer.press('Enter');
    await attached('greet.js').waitFor();
    assert.equal(await chat.composer.inputValue(), 'What does ');
  });

  it('sends the file, and the agent has it', async () => {
    await chat.composer.pressSequentially('do?');
    await chat.composer.press('Enter');
    await chat.entries('agent').filter({ hasText: 'the file greet.js' }).waitFor();
    const user = chat.entries('user').last();
    assert.equal(await user.locator('.attachment').innerText(), 'greet.js');
    assert.match(await user.innerText(), /What does do\?/);
    assert.equal(await attached('greet.js').count(), 0);
    await user.locator('a.attachment').click();
    await workbench.page.locator('.tabs-container .tab.active', { hasText: 'greet.js' }).waitFor();
  });

  it('takes a pasted image and sends it without words', async () => {
    await chat.turnEnds();
    await pasteImage();
    await attached('Pasted image').waitFor();
    const thumbnail = chat.frame.locator('.attachment-thumbnail');
    assert.equal(await thumbnail.evaluate((image) => (image as HTMLImageElement).naturalWidth), 1);
    await chat.composer.press('Enter');
    await chat.entries('agent').filter({ hasText: 'an image (image/png)' }).waitFor();
    assert.equal(await chat.entries('user').last().locator('img').count(), 1);
  });

  it('takes the file of the active editor by a command', async () => {
    await chat.turnEnds();
    await workbench.command('Parley: Add File to Chat');
    await attached('greet.js').waitFor();
  });

  it('keeps chips over a reload', async () => {
    await chat.composer.fill('still here');
    await chat.composer.blur();
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await attached('greet.js').waitFor();
    assert.equal(await chat.composer.inputValue(), 'still here');
  });

  it('fits a narrow chat', async () => {
    await resizeChat(workbench, 300);
    await pasteImage();
    await attached('Pasted image').waitFor();
    await chat.composer.fill('');
    await chat.composer.pressSequentially('@');
    await chat.frame.getByRole('option').first().waitFor();
    await workbench.screenshot('context-narrow');
    const root = await chat.root.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(root, 0);
    await chat.composer.press('Escape');
    await chat.composer.fill('');
    await chat.composer.press('Backspace');
    await attached('Pasted image').waitFor({ state: 'detached' });
  });

  function attached(name: string): ReturnType<ChatPage['frame']['locator']> {
    return chat.frame.locator('[data-testid="attachment"]', { hasText: name });
  }

  async function pasteImage(): Promise<void> {
    await chat.composer.focus();
    await chat.composer.evaluate((input, base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, PNG);
  }
});
