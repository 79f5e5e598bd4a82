import assert from 'node:assert/strict';
import { ChatPage } from '../support/chatPage';
import { loadAxe, stickingOut, themes, violations } from '../support/lookChecks';
import { chooseTheme, finishTour, resizeChat, startTour } from '../support/screenshotsLayout';
import { openWorkbench, type Workbench } from '../support/workbench';

const NARROW_PX = 300;

describe('the look of the chat', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    workbench = await openWorkbench({ env: { PARLEY_DEMO_PACE: '0' } });
    chat = await ChatPage.open(workbench);
    await resizeChat(workbench, NARROW_PX);
    await loadAxe(chat);
  });

  after(async () => {
    await workbench.close();
  });

  it('asks in a narrow chat without anything sticking out', async () => {
    await startTour(chat);
    assert.deepEqual(await stickingOut(chat), []);
  });

  it('shows a finished turn in a narrow chat without anything sticking out', async () => {
    await finishTour(chat);
    for (const kind of ['edit', 'execute']) {
      await chat.frame.locator(`[data-tool-kind="${kind}"] .tool-head`).click();
    }
    await chat.frame.locator('[data-terminal]').waitFor();
    await chat.ask('/markdown');
    await chat.ask('/fail');
    assert.deepEqual(await stickingOut(chat), []);
  });

  for (const [label, id] of themes) {
    it(`is accessible in ${label}, colours included`, async () => {
      await chooseTheme(workbench, label);
      await chat.frame.locator(`body[data-vscode-theme-id="${id}"]`).waitFor();
      assert.deepEqual(await violations(workbench, chat), []);
    });
  }
});
