import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JSHandle, Locator } from 'playwright-core';
import { ChatPage } from '../test/support/chatPage';
import { eventually, openWorkbench, type Workbench } from '../test/support/workbench';
import { benchAgentCommand } from './benchAgentCommand';
import { BusyMeter } from './busyMeter';

/** A real workbench whose default agent is the bench's own. */
export class BenchWindow {
  private constructor(
    readonly workbench: Workbench,
    private shownChat: ChatPage,
    readonly meter: BusyMeter,
  ) {}

  static async open(): Promise<BenchWindow> {
    const workbench = await openWorkbench({ workspace: writeWorkspace });
    const chat = await ChatPage.open(workbench);
    const window = new BenchWindow(workbench, chat, await BusyMeter.attach(workbench.page));
    await window.newSession();
    return window;
  }

  get chat(): ChatPage {
    return this.shownChat;
  }

  /** Nothing of it is in memory any more. */
  async reload(): Promise<void> {
    await this.workbench.reload();
    this.shownChat = await ChatPage.open(this.workbench);
  }

  /** With its first, uncounted turn, which starts what there is to start. */
  async newSession(): Promise<void> {
    await this.emptySession();
    await this.turn('hello');
  }

  async emptySession(): Promise<void> {
    const before = await this.chat.root.getAttribute('data-session-id');
    await this.workbench.command('Parley: New Session');
    await eventually('a new session', async () => {
      const isNew = (await this.chat.root.getAttribute('data-session-id')) !== before;
      const isActive = (await this.chat.root.getAttribute('data-session-status')) === 'active';
      return isNew && isActive ? true : undefined;
    });
    await this.chat.composer.and(this.chat.frame.locator(':focus')).waitFor();
  }

  /** @returns What the turn cost, from Enter until the page is idle again. */
  async turn(prompt: string): Promise<number> {
    await this.composer.fill(prompt);
    // Looking something up walks the whole document: that is done before, and none of it counts.
    const ended = await this.watchTurn();
    await this.settled();
    return await this.meter.during(async () => {
      await this.workbench.page.keyboard.press('Enter');
      await ended.evaluate((watch) => watch.ended);
      await this.settled();
    });
  }

  /**
   * @param meanwhile Called again and again until the turn has ended.
   * @returns How long the turn took, from the key to the last of it being drawn, by the page's own clock.
   */
  async timedTurn(prompt: string, meanwhile?: () => Promise<unknown>): Promise<number> {
    await this.composer.fill(prompt);
    const turn = await this.watchTurn();
    await this.settled();
    await this.workbench.page.keyboard.press('Enter');
    const progress = { isOver: false };
    const drawn = turn.evaluate((watch) => watch.drawn).finally(() => (progress.isOver = true));
    while (meanwhile !== undefined && !progress.isOver) {
      await meanwhile();
    }
    return await drawn;
  }

  /** A cheap answer may be one that was not drawn. */
  async expectShown(characters: number): Promise<void> {
    const shown = (await this.chat.entries('agent').last().textContent())?.length ?? 0;
    if (shown < characters) {
      throw new Error(`Only ${shown} of ${characters} characters of the answer are on the page.`);
    }
  }

  async close(): Promise<void> {
    await this.workbench.close();
  }

  /** Not by its role: to look for that walks the whole page, which leaves behind more the longer the page is. */
  private get composer(): Locator {
    return this.chat.frame.locator('[data-testid="composer"]');
  }

  /** Watches from inside: asking again and again would be work for the page that is measured. */
  private watchTurn(): Promise<JSHandle<WatchedTurn>> {
    // No named functions in there: tsx would have them call a helper that the page does not have.
    return this.chat.root.evaluateHandle((root) => {
      const selector = '[data-entry][data-kind="user"]';
      let startedAt = NaN;
      root.addEventListener('keydown', (event) => (startedAt = event.timeStamp), {
        capture: true,
        once: true,
      });
      const ended = new Promise<void>((resolve) => {
        // A short turn may start and end between two frames: only the prompt tells that it has been. It is looked for
        // among what is new, because counting what is there would cost more with every turn.
        let hasPrompt = false;
        const watch = new MutationObserver((records) => {
          hasPrompt ||= records.some(({ addedNodes }) =>
            [...addedNodes].some(
              (node) =>
                node instanceof Element && (node.matches(selector) || node.querySelector(selector) !== null),
            ),
          );
          const isDrawn = root.getAttribute('data-turn') === 'idle' && !root.querySelector('[aria-busy]');
          if (hasPrompt && isDrawn) {
            watch.disconnect();
            resolve();
          }
        });
        watch.observe(root, { attributeFilter: ['data-turn', 'aria-busy'], childList: true, subtree: true });
      });
      const drawn = ended.then(
        () =>
          new Promise<number>((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame((now) => resolve(now - startedAt)));
          }),
      );
      return { ended, drawn };
    });
  }

  /** Everything is drawn and the page has time to spare. */
  settled(): Promise<void> {
    return this.chat.frame.evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())));
        }),
    );
  }
}

interface WatchedTurn {
  readonly ended: Promise<void>;
  readonly drawn: Promise<number>;
}

/** In the workspace, because a remote window takes no settings about executables from the user's own. */
function writeWorkspace(folder: string): void {
  const file = path.join(folder, '.vscode', 'settings.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, JSON.stringify({ 'parley.agents': { bench: benchAgentCommand() } }));
}
