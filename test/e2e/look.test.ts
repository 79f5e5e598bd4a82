import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import { ChatPage } from '../support/chatPage';
import { chooseTheme, finishTour, resizeChat, startTour } from '../support/screenshotsLayout';
import { openWorkbench, type Workbench } from '../support/workbench';

const NARROW_PX = 300;

/** As VS Code lists them, and their ids. */
const themes = [
  ['Light 2026', 'Light 2026'],
  ['Dark 2026', 'Dark 2026'],
  ['Dark High Contrast', 'Default High Contrast'],
  ['Light High Contrast', 'Default High Contrast Light'],
] as const;
/** A webview is a part of VS Code's page, not a page. */
const ofPages = ['region', 'landmark-one-main', 'page-has-heading-one'];

describe('the look of the chat', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    workbench = await openWorkbench({ env: { PARLEY_DEMO_PACE: '0' } });
    chat = await ChatPage.open(workbench);
    await resizeChat(workbench, NARROW_PX);
    // The page's policy allows no script but its own; what a debugger evaluates is not subject to it.
    await chat.frame.evaluate(axe.source);
  });

  after(async () => {
    await workbench.close();
  });

  it('asks in a narrow chat without anything sticking out', async () => {
    await startTour(chat);
    assert.deepEqual(await stickingOut(), []);
  });

  it('shows a finished turn in a narrow chat without anything sticking out', async () => {
    await finishTour(chat);
    for (const kind of ['edit', 'execute']) {
      await chat.frame.locator(`[data-tool-kind="${kind}"] .tool-head`).click();
    }
    await chat.frame.locator('[data-terminal]').waitFor();
    await chat.ask('/markdown');
    await chat.ask('/fail');
    assert.deepEqual(await stickingOut(), []);
  });

  for (const [label, id] of themes) {
    it(`is accessible in ${label}, colours included`, async () => {
      await chooseTheme(workbench, label);
      await chat.frame.locator(`body[data-vscode-theme-id="${id}"]`).waitFor();
      assert.deepEqual(await violations(), []);
    });
  }

  /** What reaches over the right edge and is not inside something that scrolls or cuts off. */
  async function stickingOut(): Promise<string[]> {
    return await chat.root.evaluate((root) => {
      if (root.scrollWidth > root.clientWidth) {
        return [`the root, by ${root.scrollWidth - root.clientWidth} px`];
      }
      const transcript = root.querySelector('.transcript');
      return transcript === null || transcript.scrollWidth <= transcript.clientWidth
        ? []
        : [`the transcript, by ${transcript.scrollWidth - transcript.clientWidth} px`];
    });
  }

  async function violations(): Promise<string[]> {
    const background = await workbench.page
      .locator('.part.auxiliarybar')
      .evaluate((part) => getComputedStyle(part).backgroundColor);
    const rules = Object.fromEntries(ofPages.map((rule) => [rule, { enabled: false }]));
    const results = await chat.frame.evaluate(
      async ([colour, options]): Promise<AxeResults> => {
        // The page is transparent; what is behind it is out of the reach of axe.
        document.body.style.setProperty('background-color', colour);
        const { axe: inPage } = window as unknown as { axe: typeof axe };
        return await inPage.run(document, options);
      },
      [background, { rules }] as const,
    );
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
    );
  }
});
