import type { Frame, Locator } from 'playwright-core';
import { eventually, type Workbench } from './workbench';

/** The chat as a person sees it, by the names of the contract that other tools rely on too. */
export class ChatPage {
  private constructor(readonly frame: Frame) {}

  static async open(workbench: Workbench): Promise<ChatPage> {
    await workbench.command('Parley: Focus Chat');
    return ChatPage.find(workbench);
  }

  /** Without bringing it to sight. */
  static async find(workbench: Workbench): Promise<ChatPage> {
    return new ChatPage(await workbench.webview('[data-testid="parley-chat"]'));
  }

  get root(): Locator {
    return this.frame.locator('[data-testid="parley-chat"]');
  }

  get composer(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message' });
  }

  entries(kind: string): Locator {
    return this.frame.locator(`[data-entry][data-kind="${kind}"]`);
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
  }

  async turnEnds(timeout = 30_000): Promise<void> {
    await this.frame.locator('[data-testid="parley-chat"][data-turn="idle"]').waitFor({ timeout });
  }

  async turnRuns(): Promise<void> {
    await this.frame.locator('[data-testid="parley-chat"][data-turn="running"]').waitFor();
  }

  /** Sends a prompt and waits for the whole turn. */
  async ask(text: string): Promise<void> {
    const before = await this.entries('user').count();
    await this.send(text);
    await this.entries('user').nth(before).waitFor();
    await this.turnEnds();
  }

  /** Allows whatever the agent asks, which is at least one thing, until its turn is over. */
  async allowUntilEnd(): Promise<void> {
    const allow = this.permission('Allow').first();
    await allow.waitFor();
    await eventually('the end of the turn', async () => {
      await allow.click({ timeout: 200 }).catch(() => undefined);
      return (await this.root.getAttribute('data-turn')) === 'idle' ? true : undefined;
    });
  }

  permission(option: string | RegExp): Locator {
    const exact = typeof option === 'string';
    return this.frame.getByRole('group', { name: 'Permission' }).getByRole('button', { name: option, exact });
  }
}
