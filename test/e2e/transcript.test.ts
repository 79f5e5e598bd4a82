import assert from 'node:assert/strict';
import { ChatPage } from '../support/chatPage';
import { eventually, openWorkbench, type Workbench } from '../support/workbench';

describe('the transcript at work', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    workbench = await openWorkbench({ env: { PARLEY_DEMO_PACE: '0' } });
    chat = await ChatPage.open(workbench);
  });

  after(async () => {
    await workbench.close();
  });

  it('answers by the rule that “Allow by rule…” made, and says so', async () => {
    await chat.send('/run node --version');
    await chat.frame.getByRole('button', { name: 'Allow by rule…' }).click();
    await chat.frame.getByRole('menuitem', { name: 'This command in this workspace' }).click();
    await chat.turnEnds();
    await chat.ask('/run node --version');
    assert.equal(await chat.entries('tool').count(), 2);
    const tool = chat.entries('tool').last();
    assert.equal(await tool.getAttribute('data-status'), 'completed');
    assert.match(await tool.innerText(), /Allowed by rule: .*node --version/);
  });

  it('asks for another command all the same; one that runs can be stopped and opened', async () => {
    await chat.send('/run node -e "setInterval(() => {}, 1000)"');
    await chat.permission(/^Allow$/).click();
    const tool = chat.entries('tool').last();
    await tool.getByRole('button', { name: 'Open in terminal' }).click();
    await workbench.page.locator('.part.panel .terminal-wrapper').first().waitFor();
    await tool.getByRole('button', { name: 'Kill command' }).click();
    await chat.turnEnds();
    assert.match(await tool.innerText(), /Ended by SIG|Exit code [^0]/);
    await workbench.command('View: Hide Panel');
  });

  it('finds a word, marks it and brings it to sight', async () => {
    await chat.ask('/markdown');
    await chat.composer.press('ControlOrMeta+f');
    const input = chat.frame.getByRole('textbox', { name: 'Find' });
    await input.fill('node --version');
    await chat.frame.getByText(/^\d+ of [1-9]\d*$/).waitFor();
    const marks = await eventually('marks', async () => {
      const found = await chat.frame.evaluate(() =>
        [...CSS.highlights.values()].flatMap((highlight) => [...highlight].map(String)),
      );
      return found.length >= 4 ? found : undefined;
    });
    assert.deepEqual([...new Set(marks)], ['node --version']);
    for (const [step] of marks.entries()) {
      await input.press('Enter');
      await eventually(`match ${step + 1} from there in sight`, async () =>
        (await isCurrentInSight()) ? true : undefined,
      );
    }
    await input.press('Escape');
    await input.waitFor({ state: 'hidden' });
    await eventually('no marks', async () =>
      (await chat.frame.evaluate(() => CSS.highlights.size)) === 0 ? true : undefined,
    );
  });

  it('goes from prompt to prompt', async () => {
    const focused = () =>
      chat.frame.evaluate(() =>
        document.activeElement instanceof HTMLElement ? document.activeElement.textContent : '',
      );
    await chat.ask('hello');
    // The search starts from what is in sight.
    await chat.frame.waitForFunction(() => {
      const transcript = document.querySelector('[data-testid="transcript"]');
      const prompt = [...document.querySelectorAll('[data-entry][data-kind="user"]')].at(-1);
      const bottom = transcript?.getBoundingClientRect().bottom ?? 0;
      return prompt !== undefined && prompt.getBoundingClientRect().top < bottom;
    });
    await chat.composer.press('Alt+ArrowUp');
    assert.match(await focused(), /hello/);
    await chat.frame.locator(':focus').press('Alt+ArrowUp');
    assert.match(await focused(), /\/markdown/);
    await chat.frame.locator(':focus').press('Alt+ArrowDown');
    assert.match(await focused(), /hello/);
  });

  it('puts code at the cursor of an open editor', async () => {
    await workbench.command('File: New Untitled Text File');
    await workbench.page.locator('.editor-instance .view-line').first().waitFor();
    const block = chat.frame.locator('.code-block').first();
    const code = await block.locator('code').innerText();
    await block.hover();
    await block.getByRole('button', { name: 'Insert at cursor' }).click();
    const [line = ''] = code.split('\n');
    await workbench.page.locator('.editor-instance .view-line', { hasText: line.trim() }).first().waitFor();
  });

  async function isCurrentInSight(): Promise<boolean> {
    return await chat.frame.evaluate(() => {
      const [range] = CSS.highlights.get('parley-found-current') ?? [];
      const frame = document.querySelector('.transcript')?.getBoundingClientRect();
      if (!(range instanceof Range) || frame === undefined) {
        return false;
      }
      const { top, bottom } = range.getBoundingClientRect();
      return top >= frame.top && bottom <= frame.bottom;
    });
  }
});
