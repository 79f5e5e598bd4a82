import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { copySample } from '../../scripts/repository.mjs';
import { ChatPage } from '../support/chatPage';
import { git, makeDirtyRepository, pictureOf } from '../support/folderPicture';
import { scriptedAgentCommand } from '../support/scriptedAgent/scenario';
import type { Step } from '../support/scriptedAgent/steps';
import { eventually, openWorkbench, type Workbench } from '../support/workbench';

/** By the agent itself, by a command, and through the editor; each kind of change at least once. */
const changeEverything = (folder: string): readonly Step[] => [
  { do: 'toolCall', call: { toolCallId: 'w', title: 'Write', kind: 'edit', status: 'in_progress' } },
  { do: 'diskWrite', path: 'made/by/agent.txt', content: 'new\n' },
  { do: 'diskWrite', path: 'gone.txt' },
  { do: 'toolUpdate', call: { toolCallId: 'w', status: 'completed' } },
  {
    do: 'terminal',
    command: "mv old.txt moved.txt && chmod +x run.sh && printf '\\000\\001\\002' > pixel.bin && rm -f link",
  },
  { do: 'writeFile', path: path.join(folder, 'README.md'), content: '# Rewritten\n' },
];

for (const kind of ['a repository with a dirty index', 'a folder without git'] as const) {
  describe(`changes of every kind in ${kind}`, () => {
    let workbench: Workbench;
    let chat: ChatPage;
    let folder: string;
    let original: ReturnType<typeof pictureOf>;

    before(async () => {
      const { command, args, env } = scriptedAgentCommand();
      workbench = await openWorkbench({
        settings: {
          'parley.agents': { scripted: { name: 'Scripted', command, args, env } },
          'parley.defaultAgent': 'scripted',
        },
        workspace: fill,
      });
      ({ workspace: folder } = workbench.dirs);
      original = pictureOf(folder);
      chat = await ChatPage.open(workbench);
    });

    after(async () => {
      await workbench.close();
    });

    const bar = (): Locator => chat.frame.locator('[data-testid="changes-bar"]');
    const inBar = (name: string): Locator => bar().getByRole('button', { name, exact: true });
    const run = (steps: readonly Step[]): Promise<void> => chat.ask(`SCRIPT ${JSON.stringify(steps)}`);
    const filesAre = (what: string, wanted: typeof original): Promise<true> =>
      eventually(what, async () =>
        JSON.stringify(pictureOf(folder)) === JSON.stringify(wanted) ? true : undefined,
      );

    function fill(root: string): void {
      copySample(root);
      const write = (name: string, content: string | Uint8Array): void =>
        writeFileSync(path.join(root, name), content);
      write('gone.txt', 'to be removed\r\nwith Windows breaks and no end');
      write('old.txt', 'to be renamed\n'.repeat(5));
      write('run.sh', '#!/bin/sh\n');
      chmodSync(path.join(root, 'run.sh'), 0o644);
      write('pixel.bin', Uint8Array.of(0, 9, 0, 9));
      if (kind !== 'a folder without git') {
        makeDirtyRepository(root);
      }
    }

    async function undoAll(): Promise<void> {
      await inBar('Undo').click();
      await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Undo' }).click();
    }

    it('are undone byte for byte, and come back byte for byte', async () => {
      await run(changeEverything(folder));
      await bar().getByText('6 files').waitFor();
      const changed = pictureOf(folder);
      assert.notDeepEqual(changed, original);
      await undoAll();
      await filesAre('the files as they were', original);
      await inBar('Undo').click();
      await filesAre('the changed files', changed);
      await undoAll();
      await filesAre('the files as they were once more', original);
    });

    it('leave the user’s words alone in the same line, until told otherwise', async () => {
      const file = path.join(folder, 'old.txt');
      const kept = readFileSync(file, 'utf8');
      await run([
        { do: 'toolCall', call: { toolCallId: 'e', title: 'Edit', kind: 'edit', status: 'in_progress' } },
        { do: 'diskWrite', path: 'old.txt', content: `${kept}agent\n` },
        { do: 'toolUpdate', call: { toolCallId: 'e', status: 'completed' } },
      ]);
      await bar().getByText('1 file').waitFor();
      writeFileSync(file, `${kept}agent and me\n`);
      await undoAll();
      const warning = workbench.notification('your own edits are in the same lines');
      await warning.waitFor();
      assert.equal(readFileSync(file, 'utf8'), `${kept}agent and me\n`);
      await warning.getByRole('button', { name: 'Undo anyway' }).click();
      await filesAre('the files as they were', original);
    });

    it('are asked about outside of the workspace, with the path', async () => {
      const outside = path.join(workbench.dirs.root, 'outside.txt');
      const write: Step = { do: 'writeFile', path: outside, content: 'out\n', save: 'answer' };
      const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: outside });
      await chat.send(`SCRIPT ${JSON.stringify([write])}`);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await chat.turnEnds();
      assert.equal(existsSync(outside), false);
      await chat.send(`SCRIPT ${JSON.stringify([write])}`);
      await dialog.getByRole('button', { name: 'Allow Once' }).click();
      await bar().getByText('1 file').waitFor();
      assert.equal(existsSync(outside), true);
      await undoAll();
      await eventually('the end of the file', async () => (existsSync(outside) ? undefined : true));
    });

    it('are shown as they come to who wants to follow, without taking the focus', async () => {
      await workbench.command('Parley: Follow Agent');
      await chat.composer.focus();
      // The setting takes effect some time after the command.
      await eventually('the file that is read', async () => {
        await run([{ do: 'readFile', path: path.join(folder, 'src', 'greet.js'), save: 'text' }]);
        return (await workbench.page.locator('.tab', { hasText: 'greet.js' }).count()) > 0 ? true : undefined;
      });
      assert.equal(
        await chat.composer.evaluate((input) => input === document.activeElement && document.hasFocus()),
        true,
      );
      await workbench.command('Parley: Stop Following Agent');
    });

    if (kind !== 'a folder without git') {
      it('are kept by a commit', async () => {
        await run(changeEverything(folder));
        await bar().getByText('6 files').waitFor();
        git(folder, 'add', '-A');
        git(folder, 'commit', '-q', '-m', 'All of it');
        await bar().waitFor({ state: 'hidden' });
      });
    }
  });
}
