import assert from 'node:assert/strict';
import { ChatPage } from '../support/chatPage';
import { eventually, openWorkbench, type Workbench } from '../support/workbench';

const LONGEST_MS = 150;

declare global {
  interface Window {
    /** What has begun to fade, and for how long. */
    faded: { readonly name: string; readonly ms: number }[];
  }
}

describe('what comes while a turn runs', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    workbench = await openWorkbench({ env: { PARLEY_DEMO_PACE: '0' } });
    chat = await ChatPage.open(workbench);
    await watchFades();
  });

  after(async () => {
    await workbench.close();
  });

  it('fades in, row by row and block by block', async () => {
    await chat.ask('/markdown');
    const fades = await chat.frame.evaluate(() => window.faded);
    assert.ok(fades.some(({ name }) => name.includes('entry')));
    assert.ok(fades.every(({ ms }) => ms > 0 && ms <= LONGEST_MS));
    assert.ok(fades.some(({ name }) => name.includes('md-block')));
  });

  it('does not fade for those who want no motion', async () => {
    await workbench.page.emulateMedia({ reducedMotion: 'reduce' });
    await chat.frame.evaluate(() => (window.faded = []));
    await chat.ask('/markdown');
    assert.deepEqual(await chat.frame.evaluate(() => window.faded), []);
    await workbench.page.emulateMedia({ reducedMotion: 'no-preference' });
  });

  it('does not fade when it is shown again', async () => {
    const entries = await chat.frame.locator('[data-entry]').count();
    const title = await chat.frame.locator('.session-title').innerText();
    await workbench.command('Parley: New Session');
    await chat.frame.getByRole('button', { name: title }).waitFor();
    await chat.frame.evaluate(() => (window.faded = []));
    await chat.frame.getByRole('button', { name: title }).click();
    await eventually('the whole session', async () =>
      (await chat.frame.locator('[data-entry]').count()) === entries ? true : undefined,
    );
    assert.deepEqual(await chat.frame.evaluate(() => window.faded), []);
  });

  async function watchFades(): Promise<void> {
    await chat.frame.evaluate(() => {
      window.faded = [];
      document.addEventListener('transitionrun', ({ target, propertyName }) => {
        if (!(target instanceof Element) || propertyName !== 'opacity') {
          return;
        }
        const [fade] = target.getAnimations();
        window.faded.push({ name: target.className, ms: Number(fade?.effect?.getTiming().duration) });
      });
    });
  }
});
