import assert from 'node:assert/strict';
import type { ChatState } from '../../src/shared/protocol';
import type { Entry } from '../../src/shared/transcript/model';
import { ChatPage, chatState, installPage } from '../support/webviewPage';

const withChanges = (changes: Partial<ChatState['changes']>): ChatState => ({
  ...chatState,
  changes: { ...chatState.changes, ...changes },
});
const bar = '[data-testid="changes-bar"]';
const asked = (id: string, turnId: number | undefined): Entry => ({
  kind: 'user',
  id,
  at: 0,
  messageId: undefined,
  turnId,
  blocks: [{ kind: 'text', text: id }],
});

describe('changes in the chat', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('are not mentioned when there are none', async () => {
    page = await ChatPage.open();
    assert.deepEqual(page.all(bar), []);
  });

  it('are counted, and can be reviewed, kept and undone', async () => {
    page = await ChatPage.open(withChanges({ files: 4, added: 120, removed: 18 }));
    assert.match(page.find(bar).textContent, /4 files \+120 −18/);
    assert.equal(page.find(bar).getAttribute('aria-label'), 'Changes by the agent');
    assert.equal(
      page.find(`${bar} .changes-counts`).getAttribute('aria-label'),
      '120 lines added, 18 removed',
    );
    for (const name of ['Review', 'Keep', 'Undo']) {
      page.button(name, bar).click();
    }
    assert.deepEqual(page.sent('reviewChanges'), [{ type: 'reviewChanges', sessionId: 's1' }]);
    assert.deepEqual(page.sent('keepChanges'), [{ type: 'keepChanges', sessionId: 's1' }]);
    assert.deepEqual(page.sent('undoChanges'), [{ type: 'undoChanges', sessionId: 's1' }]);
  });

  it('are not counted where there are none', async () => {
    page = await ChatPage.open(withChanges({ files: 1, added: 3, removed: 0 }));
    assert.equal(page.find(`${bar} .changes-counts`).textContent.trim(), '+3');
    assert.equal(
      page.button('Review', bar).title.split('\n')[1],
      'From change to change: Shift+Alt+F6, Alt+F6',
    );
  });

  it('offer the way back in the same place', async () => {
    page = await ChatPage.open(withChanges({ reviewed: { kind: 'kept', files: 1 } }));
    assert.equal(page.find(`${bar} [role="status"]`).textContent, 'Kept 1 file');
    page.button('Undo', bar).click();
    assert.deepEqual(page.sent('undoReview'), [{ type: 'undoReview' }]);
    page.send({ type: 'state', state: chatState });
    await page.painted();
    assert.deepEqual(page.all(bar), []);
  });

  it('can be taken back to before a message whose files are known', async () => {
    const label = 'Restore files to before this';
    page = await ChatPage.open(
      { ...chatState, checkpoints: [2] },
      { entries: [asked('u1', 1), asked('u2', 2), asked('u3', undefined)] },
    );
    const buttons = (): string[] =>
      page
        .all(`button[aria-label="${label}"]`)
        .map((button) => button.closest<HTMLElement>('[data-entry]')?.dataset.entry ?? '');
    assert.deepEqual(buttons(), ['u2']);
    page.find(`[data-entry="u2"] button[aria-label="${label}"]`).click();
    assert.deepEqual(page.sent('restoreCheckpoint'), [
      { type: 'restoreCheckpoint', sessionId: 's1', turnId: 2 },
    ]);
    page.send({ type: 'state', state: { ...chatState, checkpoints: [1, 2] } });
    await page.painted();
    page.find('[data-entry="u1"]').dispatchEvent(new window.Event('pointerenter'));
    await page.painted();
    assert.deepEqual(buttons(), ['u1', 'u2']);
  });

  it('of a turn are counted by what is on the disk', async () => {
    const answer: Entry = {
      kind: 'agent',
      id: 'a1',
      at: 0,
      messageId: undefined,
      blocks: [{ kind: 'text', text: 'Done' }],
    };
    page = await ChatPage.open(chatState, {
      entries: [{ ...asked('u1', 1), kind: 'user', filesChanged: 3 } as Entry, answer],
    });
    page.find('[data-entry="a1"]').dispatchEvent(new window.Event('pointerenter'));
    await page.painted();
    assert.equal(page.find('[data-entry="a1"] .turn-facts').textContent, '3 files changed');
  });
});
