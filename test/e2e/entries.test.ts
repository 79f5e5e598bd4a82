import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ChatPage } from '../support/chatPage';
import { everyEntry, everyOption } from '../support/everyEntry';
import { scriptedAgentCommand } from '../support/scriptedAgent/scenario';
import { openWorkbench, type Workbench } from '../support/workbench';

describe('every kind of entry and picker', () => {
  let workbench: Workbench;
  let chat: ChatPage;

  before(async () => {
    const { command, args, env } = scriptedAgentCommand({
      prompts: [everyEntry],
      configOptions: everyOption,
    });
    workbench = await openWorkbench({
      settings: {
        'parley.agents': { all: { name: 'Everything', command, args, env } },
        'parley.defaultAgent': 'all',
      },
    });
    chat = await ChatPage.open(workbench);
  });

  after(async () => {
    await workbench.close();
  });

  const tool = (id: string): Locator => chat.frame.locator(`[data-entry="${id}"]`);
  const picker = (id: string): Locator => chat.frame.locator(`[data-config-id="${id}"]`);

  it('asks by a form, which is answered by keyboard', async () => {
    await chat.send('show everything');
    const form = chat.entries('elicitation');
    await form.getByRole('textbox', { name: 'Name' }).fill('reader');
    await form.getByRole('checkbox', { name: 'Loud' }).press('Space');
    await form.getByRole('textbox', { name: 'Name' }).press('Enter');
    await chat.permission('Allow').waitFor();
  });

  it('is allowed by a number key', async () => {
    const group = chat.frame.getByRole('group', { name: 'Permission' });
    assert.match(await group.innerText(), /rm -rf build/);
    await group.press('1');
    await chat.turnEnds();
    await chat.entries('agent').filter({ hasText: 'answer: allow' }).waitFor();
  });

  it('shows each as what it is', async () => {
    for (const kind of ['user', 'thought', 'agent', 'plan', 'tool', 'notice', 'elicitation']) {
      assert.notEqual(await chat.entries(kind).count(), 0, `an entry of kind ${kind}`);
    }
    assert.match(await tool('run').innerText(), /npm test -- --watch=false/);
    assert.equal(await tool('run').getAttribute('data-status'), 'failed');
    assert.match(await tool('run').locator('[data-terminal]').innerText(), /✓ greets\s+✗ fails/);
    assert.match(await tool('edit').innerText(), /\+2\s*−2/);
    await tool('edit').locator('.tool-head').click();
    await tool('edit').getByText('return `Hello, ${name}`;').waitFor();
    await tool('fetch').locator('.tool-head').click();
    await tool('fetch').locator('img').waitFor();
    await chat.entries('notice').getByText('The model is slow today').waitFor();
    await chat.frame.locator('table').waitFor();
    await chat.frame.locator('[data-testid="usage"]').waitFor();
  });

  it('chooses a model by search, a mode by keyboard and a switch by click', async () => {
    await picker('model').getByRole('button').click();
    const search = chat.frame.getByRole('combobox', { name: /Model/ });
    await search.fill('Large 7');
    await search.press('Enter');
    await picker('model').getByText('Large 7').waitFor();
    await picker('mode').getByRole('button').press('ArrowDown');
    const modes = chat.frame.getByRole('listbox', { name: 'Mode' });
    await modes.press('ArrowDown');
    await modes.press('Enter');
    await picker('mode').getByText('Auto').waitFor();
    // It has no room beside the others.
    await chat.frame.getByRole('button', { name: 'More options' }).click();
    await picker('web').click();
    await chat.frame.locator('[data-config-id="web"][aria-pressed="true"]').waitFor();
  });

  it('offers a choice of agents for the next session', async () => {
    await workbench.command('Parley: New Session');
    await chat.frame.locator('[data-testid="agent-picker"] button').click();
    await chat.frame.getByRole('option', { name: 'Everything' }).waitFor();
    await chat.frame.getByRole('listbox').press('Escape');
  });
});
