import assert from 'node:assert/strict';
import { ChatPage } from '../support/chatPage';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '../support/workbench';

describe('the chat where no agent can be used', () => {
  let workbench: Workbench | undefined;

  const open = async (options: WorkbenchOptions): Promise<ChatPage> => {
    workbench = await openWorkbench(options);
    return ChatPage.open(workbench);
  };

  afterEach(async () => {
    await workbench?.close();
  });

  it('says what was looked for when an agent is missing, keeps the prompt, and lists no session', async () => {
    const chat = await open({
      settings: {
        'parley.agents': { ghost: { name: 'Ghost', command: 'no-such-agent-anywhere' } },
        'parley.defaultAgent': 'ghost',
      },
    });
    await chat.send('a long prompt that took an hour');
    const notice = chat.frame.locator('[data-kind="notice"][data-severity="error"]');
    await notice.filter({ hasText: 'no-such-agent-anywhere' }).waitFor();
    assert.equal(await notice.getByRole('button', { name: 'Open settings' }).count(), 1);
    assert.equal(await chat.composer.inputValue(), 'a long prompt that took an hour');
    assert.equal(await chat.root.getAttribute('data-session-status'), 'none');
  });

  it('asks for a folder when none is open', async () => {
    const chat = await open({ noFolder: true });
    await chat.frame.getByRole('button', { name: /open.*folder/i }).waitFor();
  });

  it('starts nothing in a workspace that is not trusted', async () => {
    workbench = await openWorkbench({
      workspaceTrust: true,
      settings: { 'security.workspace.trust.startupPrompt': 'always' },
    });
    const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: /trust/i });
    await dialog.waitFor();
    await dialog.locator('.monaco-button', { hasText: /No/ }).click();
    const chat = await ChatPage.open(workbench);
    await chat.frame.getByRole('button', { name: /trust/i }).waitFor();
  });
});
