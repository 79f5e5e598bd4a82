import assert from 'node:assert/strict';
import type { TranscriptEvent } from '../../src/shared/transcript/events';
import { emptyTranscript } from '../../src/shared/transcript/model';
import { reduce } from '../../src/shared/transcript/reduce';
import { ChatPage, chatState, installPage } from '../support/webviewPage';
import { permission, tool } from './sampleEntries';

const asked = (turnId: number): TranscriptEvent => ({
  type: 'turnStarted',
  at: 0,
  turnId,
  entryId: `u${turnId}`,
  blocks: [{ kind: 'text', text: 'hi' }],
});
const said = (entryId: string, text: string): TranscriptEvent => ({
  type: 'messageChunk',
  at: 1,
  role: 'agent',
  entryId,
  messageId: entryId,
  block: { kind: 'text', text },
});
const ended = (turnId: number): TranscriptEvent => ({
  type: 'turnEnded',
  at: 2,
  turnId,
  outcome: { kind: 'done', stopReason: 'end_turn' },
});

describe('what screen readers are told', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  /** A live region speaks of the nodes that are added to it. */
  const spoken = (politeness: 'polite' | 'assertive'): string[] => {
    const texts: string[] = [];
    new window.MutationObserver((records) => {
      for (const { addedNodes } of records) {
        addedNodes.forEach((node) => texts.push(node.textContent ?? ''));
      }
    }).observe(page.find(`[aria-live="${politeness}"]`), { childList: true });
    return texts;
  };

  it('speaks of every turn that ends, also with the words of the one before', async () => {
    page = await ChatPage.open();
    const texts = spoken('polite');
    await page.events(asked(1), said('a1', 'Done'));
    await page.events(ended(1));
    await page.events(asked(2), said('a2', 'Done'));
    await page.events(ended(2));
    await page.events(asked(3));
    await page.events(ended(3));
    assert.deepEqual(texts, ['Done', 'Done', 'The turn is over.']);
  });

  it('speaks of a turn that ends in the frame in which the next one starts', async () => {
    page = await ChatPage.open();
    const texts = spoken('polite');
    await page.events(asked(1), said('a1', 'First'));
    await page.events(ended(1), asked(2), said('a2', 'Sec'));
    assert.deepEqual(texts, ['First']);
  });

  it('says why a turn failed', async () => {
    page = await ChatPage.open();
    const texts = spoken('polite');
    await page.events(asked(1));
    await page.events(
      { type: 'noticeAdded', at: 1, entryId: 'n', severity: 'error', text: 'No quota left.', actions: [] },
      ended(1),
    );
    assert.deepEqual(texts, ['No quota left.']);
  });

  it('does not read an old answer when the user goes from a running session to another', async () => {
    page = await ChatPage.open();
    await page.events(asked(1));
    const entries = [asked(7), said('a7', 'Old'), ended(7)];
    page.send({ type: 'state', state: { ...chatState, session: undefined } });
    page.send({
      type: 'snapshot',
      seq: 9,
      sessionId: 's2',
      transcript: entries.reduce(reduce, emptyTranscript),
    });
    await page.painted();
    assert.equal(page.find('[aria-live="polite"]').textContent, '');
  });

  it('speaks of each question, with what it is about, and of no other again', async () => {
    const question = (id: string) =>
      tool({
        id,
        title: 'Run it',
        status: 'pending',
        rawInput: { command: 'npm test' },
        permissions: [{ ...permission, requestId: id }],
      });
    page = await ChatPage.open(chatState, { entries: [question('t1')] });
    const texts = spoken('assertive');
    page.send({
      type: 'snapshot',
      seq: 0,
      sessionId: 's1',
      transcript: { ...emptyTranscript, entries: [question('t1'), question('t2')] },
    });
    await page.painted();
    assert.deepEqual(texts, ['Permission needed. Run a command: npm test']);
  });
});
