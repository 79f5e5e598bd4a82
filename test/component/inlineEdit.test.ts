import assert from 'node:assert/strict';
import { ChatPage, chatState, installPage, session } from '../support/webviewPage';

describe('editing in place', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  const field = (selector: string): HTMLInputElement | HTMLTextAreaElement => {
    const found = page.find(selector);
    assert.ok(found instanceof window.HTMLInputElement || found instanceof window.HTMLTextAreaElement);
    return found;
  };
  /** As Chromium has it: a field that is taken away while it has the focus says that it lost it. */
  const pressAndLose = async (key: string, target: HTMLElement): Promise<void> => {
    await page.press(key, {}, target);
    assert.equal(target.isConnected, false);
    target.dispatchEvent(new window.FocusEvent('blur'));
    await page.painted();
  };

  describe('the title of the session', () => {
    const rename = async (): Promise<HTMLInputElement | HTMLTextAreaElement> => {
      page = await ChatPage.open();
      page.find('.session-title').focus();
      await page.press('F2', {}, page.find('.session-title'));
      assert.equal(document.activeElement, field('.session-rename'));
      return field('.session-rename');
    };

    it('is what the host says, whatever the agent called the session before', async () => {
      page = await ChatPage.open(
        { ...chatState, session: { ...session, title: 'Of the user' } },
        { title: 'Of the agent' },
      );
      assert.equal(page.find('.session-title').textContent, 'Of the user');
    });

    it('is changed once with Enter, and has the focus again', async () => {
      const input = await rename();
      input.value = ' Better ';
      await pressAndLose('Enter', input);
      assert.deepEqual(page.sent('renameSession'), [
        { type: 'renameSession', sessionId: 's1', title: 'Better' },
      ]);
      assert.equal(document.activeElement, page.find('.session-title'));
    });

    it('stays as it was with Escape', async () => {
      const input = await rename();
      input.value = 'Better';
      await pressAndLose('Escape', input);
      assert.equal(page.sent('renameSession').length, 0);
      assert.equal(document.activeElement, page.find('.session-title'));
    });

    it('leaves Enter to the input method while it composes', async () => {
      const input = await rename();
      input.value = 'に';
      await page.press('Enter', { isComposing: true }, input);
      await page.press('Process', {}, input);
      assert.equal(page.sent('renameSession').length, 0);
    });

    it('is changed when the user goes elsewhere, and leaves the focus there', async () => {
      const input = await rename();
      input.value = 'Better';
      page.composer.focus();
      await page.painted();
      assert.equal(page.sent('renameSession').length, 1);
      assert.equal(document.activeElement, page.composer);
    });
  });

  describe('a queued prompt', () => {
    const edit = async (): Promise<HTMLInputElement | HTMLTextAreaElement> => {
      page = await ChatPage.open({ ...chatState, queue: [{ id: 'q1', text: 'one', attachments: [] }] });
      await page.click(page.button('Edit queued prompt'));
      assert.equal(field('.queued-editor').selectionStart, 'one'.length);
      return field('.queued-editor');
    };

    it('is changed once with Enter; the composer has the focus then', async () => {
      const input = await edit();
      input.value = 'two';
      await pressAndLose('Enter', input);
      assert.deepEqual(page.sent('editQueued'), [
        { type: 'editQueued', sessionId: 's1', id: 'q1', text: 'two' },
      ]);
      assert.equal(document.activeElement, page.composer);
    });

    it('stays as it was with Escape', async () => {
      const input = await edit();
      input.value = 'two';
      await pressAndLose('Escape', input);
      assert.equal(page.sent('editQueued').length, 0);
      assert.equal(document.activeElement, page.composer);
    });

    it('leaves the focus to the composer when it is removed', async () => {
      page = await ChatPage.open({ ...chatState, queue: [{ id: 'q1', text: 'one', attachments: [] }] });
      page.button('Remove from the queue').focus();
      await page.click(page.button('Remove from the queue'));
      assert.equal(document.activeElement, page.composer);
    });
  });
});
