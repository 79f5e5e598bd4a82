import assert from 'node:assert/strict';
import { ChatPage, chatState, installPage, session } from '../support/webviewPage';
import { entries, permission, tool } from './sampleEntries';
import type { ConfigOption } from '../../src/shared/transcript/model';

const config: ConfigOption[] = [
  {
    id: 'model',
    name: 'Model',
    description: undefined,
    category: 'model',
    input: {
      type: 'select',
      value: 'a',
      groups: [
        {
          name: undefined,
          values: [
            { value: 'a', title: 'Alpha', description: undefined },
            { value: 'b', title: 'Beta', description: 'Better' },
          ],
        },
      ],
    },
  },
  {
    id: 'deep',
    name: 'Deep',
    description: undefined,
    category: undefined,
    input: { type: 'boolean', value: false },
  },
];

describe('chat webview: names that others rely on', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('tells session and turn on its root', async () => {
    page = await ChatPage.open({ ...chatState, session: undefined });
    const root = page.find('[data-testid="parley-chat"]');
    assert.deepEqual(Object.fromEntries(Object.entries(root.dataset)), {
      testid: 'parley-chat',
      sessionId: '',
      sessionStatus: 'none',
      turn: 'idle',
      place: 'view',
    });
    page.send({ type: 'state', state: { ...chatState, session: { ...session, status: 'disconnected' } } });
    await page.painted();
    assert.equal(root.dataset.sessionId, 's1');
    assert.equal(root.dataset.sessionStatus, 'disconnected');
  });

  it('gives every entry its id and kind', async () => {
    page = await ChatPage.open(chatState, { entries });
    const shown = page
      .all('[data-testid="transcript"] [data-entry]')
      .map((row) => [row.dataset.entry, row.dataset.kind]);
    const expected = entries.map((entry) => [entry.id, entry.kind === 'compaction' ? 'notice' : entry.kind]);
    assert.deepEqual(shown, expected);
    assert.equal(page.find('[data-entry="n1"]').dataset.severity, 'error');
    assert.equal(page.find('[data-entry="t1"]').dataset.status, 'failed');
    assert.equal(page.find('[data-entry="t1"]').dataset.toolKind, 'execute');
    assert.equal(page.find('[data-entry="t1"] .tool-head').textContent, 'Run tests');
    assert.equal(page.find('[data-entry="t1"] .command').textContent, 'npm test');
  });

  it('shows what users wrote as they wrote it', async () => {
    page = await ChatPage.open(chatState, { entries });
    assert.equal(page.find('[data-entry="u1"] .plain-text').textContent, 'Line one\n**not bold**');
  });

  it('has one button per permission option and posts the answer', async () => {
    page = await ChatPage.open(chatState, { entries });
    const group = page.find('[data-entry="t2"] [role="group"][aria-label="Permission"]');
    const buttons = [...group.querySelectorAll<HTMLElement>('[data-option-kind]')];
    assert.deepEqual(
      buttons.map((button) => [button.getAttribute('aria-label'), button.dataset.optionKind]),
      permission.options.map((option) => [option.name, option.kind]),
    );
    await page.click(page.button('Reject', '[data-entry="t2"]'));
    await page.press('2', {}, group);
    const answer = { type: 'answerPermission', sessionId: 's1', requestId: 'r1' };
    assert.deepEqual(page.sent('answerPermission'), [
      { ...answer, optionId: 'no' },
      { ...answer, optionId: 'always' },
    ]);
  });

  it('runs the action of a notice', async () => {
    page = await ChatPage.open(chatState, { entries });
    await page.click(page.button('Restart'));
    assert.deepEqual(page.sent('runAction'), [
      { type: 'runAction', sessionId: 's1', command: 'restartAgent', argument: 'demo' },
    ]);
  });

  it('checks a form before it is accepted', async () => {
    page = await ChatPage.open(chatState, { entries });
    const submit = () =>
      page
        .find('[data-entry="e1"] form')
        .dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    submit();
    await page.painted();
    assert.match(page.find('[data-entry="e1"]').textContent, /Please fill in this field/);
    assert.equal(page.sent('answerElicitation').length, 0);
    const input = page.all('[data-entry="e1"] input')[0];
    assert.ok(input instanceof window.HTMLInputElement);
    input.value = 'abc';
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await page.painted();
    submit();
    assert.deepEqual(page.sent('answerElicitation'), [
      {
        type: 'answerElicitation',
        sessionId: 's1',
        id: 'e1',
        answer: { action: 'accept', content: { name: 'abc', count: 3, sure: true, one: 'a', many: ['x'] } },
      },
    ]);
  });

  it('shows the whole address and its host', async () => {
    page = await ChatPage.open(chatState, { entries });
    const shown = page.find('[data-entry="e2"]').textContent;
    assert.match(shown, /login\.example\.comhttps:\/\/login\.example\.com\/x\?y=1/);
  });

  it('sets configuration by keyboard', async () => {
    page = await ChatPage.open(chatState, {
      entries,
      config,
      usage: { used: 50, size: 100, cost: undefined },
    });
    assert.match(
      page.find('[data-testid="usage"]').getAttribute('aria-label') ?? '',
      /50 of 100 tokens \(50 %\)/,
    );
    assert.equal(page.all('[data-testid="agent-picker"]').length, 0);
    await page.click(page.find('[data-config-id="model"] button'));
    const list = page.find('[data-config-id="model"] [role="listbox"]');
    assert.equal(document.activeElement, list);
    await page.press('b', {}, list);
    assert.equal(page.find('[role="option"][data-active]').dataset.value, 'b');
    await page.press('Enter', {}, list);
    await page.click(page.find('[data-config-id="deep"]'));
    assert.deepEqual(page.sent('setConfig'), [
      { type: 'setConfig', sessionId: 's1', configId: 'model', value: 'b' },
      { type: 'setConfig', sessionId: 's1', configId: 'deep', value: true },
    ]);
    assert.equal(page.all('[role="listbox"]').length, 0);
  });

  it('offers agents only while nothing was said', async () => {
    const agents = [...chatState.agents, { id: 'other', name: 'Other', description: undefined }];
    page = await ChatPage.open({ ...chatState, agents, session: undefined });
    await page.click(page.find('[data-testid="agent-picker"] button'));
    await page.click(page.find('[role="option"][data-value="other"]'));
    assert.deepEqual(page.sent('selectAgent'), [{ type: 'selectAgent', agentId: 'other' }]);
  });

  it('offers agents in an empty session of the view, but not in a tab, which keeps its session', async () => {
    page = await ChatPage.open(chatState);
    assert.equal(page.all('[data-testid="agent-picker"]').length, 1);
    page.send({ type: 'state', state: { ...chatState, place: 'editor' } });
    await page.painted();
    assert.equal(page.all('[data-testid="agent-picker"]').length, 0);
  });

  it('offers what is installed, more, and the demo to whoever has no agent, and a composer all the same', async () => {
    const offer = [{ id: 'gemini', name: 'Gemini', description: 'gemini' }];
    page = await ChatPage.open({ ...chatState, session: undefined, offer });
    const buttons = page.all('.big-button');
    assert.deepEqual(
      buttons.map((button) => button.querySelector('.option-title')?.textContent),
      ['Use Gemini', 'Install an agent…', 'Try the demo'],
    );
    for (const button of buttons) {
      await page.click(button);
    }
    assert.deepEqual(page.sent('addAgent'), [{ type: 'addAgent', agentId: 'gemini' }]);
    assert.equal(page.sent('runAction')[0]?.command, 'installAgent');
    assert.deepEqual(page.sent('selectAgent'), [{ type: 'selectAgent', agentId: 'demo' }]);
    assert.equal(document.activeElement, page.composer);
  });

  it('folds runs of reads, each still in the document', async () => {
    const reads = ['a', 'b', 'c'].map((id) => tool({ id, toolKind: 'read', title: `Read ${id}` }));
    page = await ChatPage.open(chatState, { entries: reads });
    assert.equal(page.all('[data-entry]').length, 3);
    assert.equal(page.find('.tool-group-rows').hidden, true);
    await page.click(page.find('.tool-group > button'));
    assert.equal(page.find('.tool-group-rows').hidden, false);
  });

  it('folds a run only when it has ended, and not what the user has opened', async () => {
    const read = (id: string) => tool({ id, toolKind: 'read', title: `Read ${id}`, rawOutput: 'x' });
    const turn = { state: 'running', turnId: 1, startedAt: 0, isCancelling: false } as const;
    page = await ChatPage.open(chatState, { entries: ['a', 'b', 'c'].map(read), turn });
    assert.equal(page.all('.tool-group').length, 0);
    await page.click(page.find('[data-entry="b"] > button'));
    const other = { type: 'toolUpserted', at: 1, toolKind: 'fetch', status: 'completed' } as const;
    await page.events({ ...other, id: 'o' });
    assert.equal(page.all('.tool-group').length, 0);
    assert.equal(page.all('[data-entry="b"] .tool-body').length, 1);
    const more = ['d', 'e', 'f'].map((id) => ({ ...other, id, toolKind: 'read' as const }));
    await page.events(...more);
    assert.equal(page.all('.tool-group').length, 0);
    const outcome = { kind: 'done', stopReason: 'end_turn' } as const;
    await page.events({ type: 'turnEnded', at: 2, turnId: 1, outcome });
    assert.equal(page.all('.tool-group').length, 1);
    await page.click(page.find('.tool-group > button'));
    const opened = page.find('[data-entry="e"]');
    await page.events({ ...other, id: 'p' });
    assert.equal(page.find('.tool-group [data-entry="e"]'), opened);
  });

  it('keeps what the user opened or closed', async () => {
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'running', rawInput: { command: 'ls' } })],
    });
    assert.equal(page.all('[data-entry="t1"] .tool-body').length, 1);
    await page.click(page.find('[data-entry="t1"] .tool-head'));
    await page.events({ type: 'toolUpserted', at: 1, id: 't1', status: 'failed' });
    assert.equal(page.all('[data-entry="t1"] .tool-body').length, 0);
  });

  it('keeps apart what was opened in one session and what has the same id in another', async () => {
    const transcript = { ...sampleTranscript(), entries: [tool({ rawInput: { command: 'ls' } })] };
    page = await ChatPage.open(chatState, transcript);
    await page.click(page.find('[data-entry="t1"] .tool-head'));
    const other = { ...chatState, session: { ...session, sessionId: 's2' } };
    page.send({ type: 'state', state: other });
    page.send({ type: 'snapshot', seq: 0, sessionId: 's2', transcript });
    await page.painted();
    assert.equal(page.all('[data-entry="t1"] .tool-body').length, 0);
    page.send({ type: 'state', state: chatState });
    page.send({ type: 'snapshot', seq: 0, sessionId: 's1', transcript });
    await page.painted();
    assert.equal(page.all('[data-entry="t1"] .tool-body').length, 1);
  });

  it('offers to go on elsewhere when a session can only be read', async () => {
    page = await ChatPage.open({ ...chatState, session: { ...session, isReadOnly: true } }, { entries });
    assert.equal(page.all('[data-testid="composer"]').length, 0);
    await page.click(page.button('Continue in a new session'));
    assert.equal(page.sent('runAction')[0]?.command, 'continueInNewSession');
  });

  it('asks for a snapshot once when a message was lost', async () => {
    page = await ChatPage.open(chatState, { entries });
    page.send({ type: 'events', seq: 2, sessionId: 's1', events: [] });
    page.send({ type: 'events', seq: 3, sessionId: 's1', events: [] });
    assert.equal(page.sent('resync').length, 1);
    page.send({ type: 'snapshot', seq: 7, sessionId: 's1', transcript: sampleTranscript() });
    page.send({
      type: 'events',
      seq: 8,
      sessionId: 's1',
      events: [{ type: 'toolUpserted', at: 1, id: 'after', title: 'After' }],
    });
    await page.painted();
    assert.equal(page.all('[data-entry="after"]').length, 1);
  });

  it('announces a finished answer once, as plain text', async () => {
    page = await ChatPage.open();
    await page.events({
      type: 'turnStarted',
      at: 0,
      turnId: 1,
      entryId: 'u',
      blocks: [{ kind: 'text', text: 'hi' }],
    });
    assert.equal(page.find('[data-testid="parley-chat"]').dataset.turn, 'running');
    await page.events({
      type: 'messageChunk',
      at: 1,
      role: 'agent',
      entryId: 'a',
      messageId: undefined,
      block: { kind: 'text', text: '**Done**, see [it](https://a.b)' },
    });
    assert.equal(page.find('[aria-live="polite"]').textContent, '');
    await page.events({
      type: 'turnEnded',
      at: 2,
      turnId: 1,
      outcome: { kind: 'done', stopReason: 'end_turn' },
    });
    assert.equal(page.find('[aria-live="polite"]').textContent, 'Done, see it');
  });

  it('says what hinders, and offers the way out', async () => {
    page = await ChatPage.open({ ...chatState, session: undefined, obstacle: 'untrusted' });
    await page.click(page.button('Manage workspace trust'));
    assert.equal(page.sent('runAction')[0]?.command, 'trustWorkspace');
  });
});

function sampleTranscript() {
  return {
    entries,
    turn: { state: 'idle' },
    terminals: {},
    commands: [],
    config: [],
    usage: undefined,
    title: undefined,
  } as const;
}
