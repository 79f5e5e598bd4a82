import type { ChatPage } from './chatPage';
import { eventually, type Workbench } from './workbench';

/** Pulls the border of the secondary side bar until the chat is that wide. */
export async function resizeChat(workbench: Workbench, width: number): Promise<void> {
  const { mouse } = workbench.page;
  const bar = workbench.page.locator('.part.auxiliarybar');
  await eventually(`a chat of ${width} px`, async () => {
    const box = await bar.boundingBox();
    if (box === null) {
      return undefined;
    }
    if (Math.abs(box.width - width) < 2) {
      return true;
    }
    // The border lies in the gap before the side bar.
    const y = box.y + box.height / 3;
    await mouse.move(box.x - 2, y);
    await mouse.down();
    await mouse.move(box.x - 2 + box.width - width, y, { steps: 4 });
    await mouse.up();
    return undefined;
  });
  // Away from the border, which is highlighted under the pointer, and from everything that reacts to it.
  await mouse.move(640, 20);
}

/** Chooses a theme as a user does, by the name in VS Code's list. */
export async function chooseTheme(workbench: Workbench, label: string): Promise<void> {
  await workbench.command('Preferences: Color Theme');
  await workbench.page.locator('.quick-input-widget:visible input[type=text]').fill(label);
  await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
}

/** Plays the tour up to its first question. */
export async function startTour(chat: ChatPage): Promise<void> {
  await chat.send('/tour');
  await chat.permission(/^Allow$/).waitFor();
}

/** Answers both questions of the tour and waits for its end. */
export async function finishTour(chat: ChatPage): Promise<void> {
  await chat.permission(/^Allow$/).click();
  await chat.frame.locator('[data-tool-kind="execute"]').getByRole('group', { name: 'Permission' }).waitFor();
  await chat.permission(/^Allow$/).click();
  await chat.turnEnds();
}
