import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/repository.mjs';
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

  it('says once why a chosen agent does not start', async () => {
    const chat = await open({
      settings: { 'parley.agents': { ghost: { name: 'Ghost', command: 'no-such-agent-anywhere' } } },
    });
    const { page } = workbench ?? assert.fail();
    await workbench?.command('Parley: New Session With Agent');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Ghost' }).click();
    await chat.frame
      .locator('[data-kind="notice"][data-severity="error"]')
      .filter({ hasText: 'no-such-agent-anywhere' })
      .waitFor();
    // Whatever a dialog would cover could not be clicked.
    await chat.frame.getByRole('button', { name: /^Show details/ }).click();
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
  });

  it('offers the agents that are installed to whoever has none, and starts the one that is chosen', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-installed-'));
    const program = (name: string, lines: readonly string[]): string => {
      const file = path.join(folder, name);
      writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
      return file;
    };
    program('gemini', [`exec "${process.execPath}" "${path.join(root, 'dist', 'demoAgent.js')}"`]);
    // A login shell with nothing of this machine's: of its arguments the last one is the command.
    const shell = program('shell', [
      `PATH="${folder}:/usr/bin:/bin"`,
      'export PATH',
      'while [ $# -gt 1 ]; do shift; done',
      'exec /bin/sh -c "$1"',
    ]);
    try {
      const chat = await open({ env: { SHELL: shell } });
      await chat.composer.waitFor();
      await chat.frame.getByRole('button', { name: /^Install an agent/ }).waitFor();
      await chat.frame.getByRole('button', { name: /^Use Gemini/ }).click();
      await chat.frame.locator('[data-session-status="active"]').waitFor();
      await chat.ask('hello');
      const title = await chat.frame.locator('.session-title').getAttribute('title');
      assert.match(title ?? '', /\nGemini/);
    } finally {
      rmSync(folder, { recursive: true });
    }
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
