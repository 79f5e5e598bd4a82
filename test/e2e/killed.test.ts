import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { ChatPage } from '../support/chatPage';
import { eventually, openWorkbench, type Workbench } from '../support/workbench';

/** Processes of the demo agent that belong to this workbench, by the folder they keep their sessions in. */
function agentPids(workbench: Workbench): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const read = (file: string): string => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'utf8');
        } catch {
          return '';
        }
      };
      return read('cmdline').includes('demoAgent.js') && read('environ').includes(workbench.dirs.root);
    })
    .map(Number);
}

describe('kill -9 of the extension host in the middle of a turn', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
  });

  after(async () => {
    await workbench.close();
  });

  it('loses nothing that was shown, and no agent is left', async () => {
    let chat = await ChatPage.open(workbench);
    await chat.send('/slow');
    await eventually('some words of the answer', async () =>
      (await chat.entries('agent').count()) > 0 &&
      /\w+ \w+/.test(await chat.entries('agent').first().innerText())
        ? true
        : undefined,
    );
    const orphans = agentPids(workbench);
    assert.notEqual(orphans.length, 0);
    // The last 100 ms may be lost: what was there before the latest word, a second ago, may not.
    const words = (await chat.entries('agent').first().innerText()).trim();
    await eventually('another word', async () =>
      (await chat.entries('agent').first().innerText()).trim() === words ? undefined : true,
    );
    await workbench.killExtensionHost();
    await workbench.reload();
    chat = await ChatPage.open(workbench);
    await chat.entries('user').filter({ hasText: '/slow' }).first().waitFor();
    const kept = (await chat.entries('agent').first().innerText()).trim();
    assert.ok(kept.startsWith(words), `"${kept}" lacks some of "${words}"`);
    assert.equal(await chat.root.getAttribute('data-turn'), 'idle');
    await eventually('the end of the orphans', async () =>
      agentPids(workbench).some((pid) => orphans.includes(pid)) ? undefined : true,
    );
    await chat.ask('are you still there');
    await chat.frame.locator('[data-session-status="active"]').waitFor();
    assert.notEqual(await chat.entries('user').filter({ hasText: '/slow' }).count(), 0);
  });
});
