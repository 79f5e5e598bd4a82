import assert from 'node:assert/strict';
import { ChatPage } from '../support/chatPage';
import { everyEntry, everyOption, everyQuestion } from '../support/everyEntry';
import { loadAxe, stickingOut, themes, violations } from '../support/lookChecks';
import { scriptedAgentCommand } from '../support/scriptedAgent/scenario';
import { chooseTheme, resizeChat } from '../support/screenshotsLayout';
import { openWorkbench, type Workbench } from '../support/workbench';

const TALL = { width: 1280, height: 1500 };

/** Every kind of entry, opened, and every kind of question, open, at the narrowest and at a comfortable width. */
describe('the look of every entry', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    const { command, args, env } = scriptedAgentCommand({
      prompts: [everyEntry, everyQuestion],
      configOptions: everyOption,
    });
    workbench = await openWorkbench({
      viewport: TALL,
      settings: {
        'parley.agents': { all: { name: 'Everything', command, args, env } },
        'parley.defaultAgent': 'all',
      },
    });
    chat = await ChatPage.open(workbench);
    await loadAxe(chat);
    await showEverything();
  });

  after(async () => {
    await workbench.close();
  });

  for (const width of [240, 300, 640]) {
    it(`lets nothing stick out at ${width} px`, async () => {
      await resizeChat(workbench, width);
      assert.deepEqual(await stickingOut(chat), []);
    });
  }

  for (const [label, id] of themes) {
    it(`is accessible in ${label}, colours included`, async () => {
      await chooseTheme(workbench, label);
      await chat.frame.locator(`body[data-vscode-theme-id="${id}"]`).waitFor();
      for (const width of [300, 640]) {
        await resizeChat(workbench, width);
        await takePictures(`${label.toLowerCase().replaceAll(' ', '-')}-${width}`);
      }
      assert.deepEqual(await violations(workbench, chat), []);
    });
  }

  async function showEverything(): Promise<void> {
    await chat.send('show everything');
    const form = chat.entries('elicitation');
    await form.getByRole('textbox', { name: 'Name' }).press('Enter');
    await chat.permission('Allow').click();
    await chat.turnEnds();
    const closed = chat.frame.locator('[data-entry] [aria-expanded="false"]');
    while ((await closed.count()) > 0) {
      await closed.first().click();
    }
    await chat.send('ask everything');
    await chat.frame
      .locator('[data-entry="askedPlan"]')
      .getByRole('button', { name: 'Allow', exact: true })
      .waitFor();
  }

  /** The transcript is longer than the window: one picture for each part of it. */
  async function takePictures(name: string): Promise<void> {
    const transcript = chat.frame.locator('[data-testid="transcript"]');
    const { height, all } = await transcript.evaluate((element) => ({
      height: element.clientHeight,
      all: element.scrollHeight,
    }));
    for (let part = 0; part * height < all; part += 1) {
      await transcript.evaluate((element, top) => element.scrollTo(0, top), part * height);
      await workbench.screenshot(`every-${name}-${part + 1}`);
    }
  }
});
