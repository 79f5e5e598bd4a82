import assert from 'node:assert/strict';
import type { AxeResults } from 'axe-core';
import type { ChatState } from '../../src/shared/protocol';
import type { Transcript } from '../../src/shared/transcript/model';
import { entries } from './sampleEntries';
import { ChatPage, chatState, installPage, session } from '../support/webviewPage';

const running = { state: 'running', turnId: 1, startedAt: 0, isCancelling: false } as const;
const commands = [{ name: 'review', description: 'Review', hint: undefined }];

describe('accessibility', function () {
  this.timeout(30_000);
  let page: ChatPage;
  let check: () => Promise<AxeResults>;
  before(async () => {
    installPage();
    const { default: axe } = await import('axe-core');
    // Without layout there are no colours to compare; landmarks are VS Code's, around the webview.
    const rules = { 'color-contrast': { enabled: false }, region: { enabled: false } };
    check = () => axe.run(document.body, { rules });
  });
  afterEach(() => page.close());

  const violations = async (): Promise<string[]> =>
    (await check()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);

  for (const entry of entries) {
    it(`has no violations in ${entry.kind} ${entry.id}`, async () => {
      page = await ChatPage.open(chatState, { entries: [entry] });
      for (const closed of page.all('[data-entry] > [aria-expanded="false"]')) {
        await page.click(closed);
      }
      assert.deepEqual(await violations(), []);
    });
  }

  const states: readonly (readonly [string, ChatState, Partial<Transcript>])[] = [
    ['no folder', { ...chatState, session: undefined, obstacle: 'noFolder' }, {}],
    ['untrusted', { ...chatState, session: undefined, obstacle: 'untrusted' }, {}],
    [
      'there is no agent but the demo',
      {
        ...chatState,
        session: undefined,
        offer: [{ id: 'gemini', name: 'Gemini', description: 'gemini' }],
      },
      {},
    ],
    ['welcome', { ...chatState, session: undefined, recent: [session] }, { commands }],
    ['restoring', { ...chatState, progress: 'Restoring…' }, {}],
    ['read-only', { ...chatState, session: { ...session, isReadOnly: true } }, { entries }],
    [
      'busy',
      { ...chatState, queue: [{ id: 'q', text: 'next', attachments: [] }] },
      { entries, turn: running },
    ],
  ];
  for (const [name, state, transcript] of states) {
    it(`has no violations when ${name}`, async () => {
      page = await ChatPage.open(state, transcript);
      assert.deepEqual(await violations(), []);
    });
  }

  it('has no violations with the commands open', async () => {
    page = await ChatPage.open(chatState, { entries, commands });
    await page.type('/');
    assert.equal(page.all('[role="option"]').length, 1);
    assert.deepEqual(await violations(), []);
  });
});
