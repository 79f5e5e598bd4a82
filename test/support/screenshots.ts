import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/repository.mjs';
import { ChatPage } from './chatPage';
import { finishTour, resizeChat, startTour } from './screenshotsLayout';
import { openWorkbench, type Workbench, type WorkbenchOptions } from './workbench';

const CHAT_PX = 460;
const SCROLLBARS_MS = 3000;
const folder = path.join(root, 'media', 'readme');

const pictures: readonly (readonly [NonNullable<WorkbenchOptions['theme']>, string])[] = [
  ['light', 'light'],
  ['dark', 'dark'],
  ['highContrast', 'high-contrast'],
];

void takeAll();

async function takeAll(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [theme, name] of pictures) {
    const workbench = await openWorkbench({ theme, env: { PARLEY_DEMO_PACE: '0' } });
    try {
      await takeTour(workbench, name);
      if (name === 'light') {
        await takeReview(workbench);
      }
    } finally {
      await workbench.close();
    }
  }
}

async function takeTour(workbench: Workbench, name: string): Promise<void> {
  const { page } = workbench;
  // The server has no TypeScript and says so in a toast, over the composer.
  await page.addStyleTag({ content: '.notifications-toasts { display: none !important }' });
  const chat = await ChatPage.open(workbench);
  await resizeChat(workbench, CHAT_PX);
  await openFile(workbench, 'src', 'greet.js');
  await startTour(chat);
  if (name === 'dark') {
    await take(workbench, chat, 'permission');
  }
  await finishTour(chat);
  await take(workbench, chat, `tour-${name}`);
}

/** A change in the editor with what can be done about it, the list of all, and the bar above the message. */
async function takeReview(workbench: Workbench): Promise<void> {
  const chat = await ChatPage.open(workbench);
  await workbench.command('Parley: Keep All Changes');
  await workbench.command('Parley: New Session');
  await chat.frame.locator('[data-session-status="active"] .calm-page').waitFor();
  await chat.send('/change');
  await chat.turnRuns();
  await chat.allowUntilEnd();
  await chat.frame.locator('[data-testid="changes-bar"]').waitFor();
  await workbench.page.locator('.activitybar a[aria-label*="Parley"]').first().click();
  await workbench.command('Parley: Go to Next Change');
  await workbench.page.locator('.codelens-decoration a', { hasText: 'Undo' }).first().waitFor();
  await take(workbench, chat, 'review');
}

async function openFile(workbench: Workbench, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await workbench.page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: name })
      .first()
      .click();
  }
  await workbench.page
    .locator('.editor-group-container .view-line', { hasText: 'function' })
    .first()
    .waitFor();
}

async function take(workbench: Workbench, chat: ChatPage, name: string): Promise<void> {
  // Where nothing reacts to it.
  await workbench.page.mouse.move(640, 600);
  await chat.composer.focus();
  // They show for a moment when the file changes, in high contrast for good.
  const bars = workbench.page.locator('.editor-instance .scrollbar.visible').first();
  await bars.waitFor({ state: 'hidden', timeout: SCROLLBARS_MS }).catch(() => undefined);
  // What is fading in is finished with the animations; a caret would blink in or out of the picture.
  await workbench.page.screenshot({
    path: path.join(folder, `${name}.png`),
    animations: 'disabled',
    caret: 'hide',
  });
  console.log(path.join('media', 'readme', `${name}.png`));
}
