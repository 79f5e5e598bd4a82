import assert from 'node:assert/strict';
import type { WebviewMessage } from '../../src/shared/protocol';
import type { ContentBlock, Entry, FormField, Terminal, Transcript } from '../../src/shared/transcript/model';
import { hostileFindings, hostilePayloads, MARKER } from '../support/hostilePayloads';
import { ChatPage, chatState, installPage, session } from '../support/webviewPage';
import { tool } from './sampleEntries';

const BATCH = 16;
const batches = Array.from({ length: Math.ceil(hostilePayloads.length / BATCH) }, (_, index) =>
  hostilePayloads.slice(index * BATCH, (index + 1) * BATCH),
);

function blocksOf(bad: string): readonly ContentBlock[] {
  return [
    { kind: 'text', text: bad },
    { kind: 'text', text: `Before\n\n${bad}\n\nafter ${bad} end` },
    { kind: 'image', mimeType: bad, data: bad, uri: bad },
    { kind: 'image', mimeType: `image/png;${bad}`, data: bad, uri: undefined },
    { kind: 'image', mimeType: 'image/svg+xml', data: bad, uri: undefined },
    { kind: 'image', mimeType: 'image/png', data: bad, uri: bad },
    { kind: 'audio', mimeType: bad, data: bad },
    { kind: 'resource', uri: bad, mimeType: bad, text: bad, blob: bad },
    { kind: 'resource', uri: `file:///${bad}`, mimeType: bad, text: bad, blob: undefined },
    {
      kind: 'resourceLink',
      uri: bad,
      name: bad,
      title: undefined,
      description: bad,
      mimeType: bad,
      size: 1,
    },
    {
      kind: 'resourceLink',
      uri: `https://a.example/${bad}`,
      name: bad,
      title: bad,
      description: undefined,
      mimeType: undefined,
      size: undefined,
    },
    { kind: 'unknown', type: bad, json: JSON.stringify({ type: bad }) },
  ];
}

function fieldsOf(bad: string): readonly FormField[] {
  const common = { title: bad, description: bad, isRequired: true };
  const choices = [{ value: bad, title: bad, description: bad }];
  const limits = { minLength: undefined, maxLength: undefined, pattern: bad, format: bad };
  return [
    { ...common, key: bad, input: { type: 'text', ...limits, value: bad } },
    {
      ...common,
      key: `${bad} number`,
      input: { type: 'number', isInteger: false, minimum: 1, maximum: 2, value: 3 },
    },
    { ...common, key: `${bad} boolean`, input: { type: 'boolean', value: true } },
    { ...common, key: `${bad} choice`, input: { type: 'choice', choices, value: bad } },
    {
      ...common,
      key: `${bad} choices`,
      input: { type: 'choices', choices, minItems: 2, maxItems: undefined, value: [bad] },
    },
  ];
}

/** One entry of every kind, with the payload in every field of it that an agent fills. */
function entriesOf(bad: string, index: number): readonly Entry[] {
  const blocks = blocksOf(bad);
  const permission = (outcome: 'open' | 'answered') => ({
    requestId: `r${index}-${outcome}`,
    options: [{ id: bad, name: bad, kind: 'allow_once' as const }],
    outcome: outcome === 'open' ? undefined : { kind: 'selected' as const, optionId: bad, rule: bad },
  });
  const content = [
    { kind: 'diff', path: bad, oldText: `${bad}\nold`, newText: `${bad}\nnew\n${bad}` } as const,
    { kind: 'terminal', terminalId: bad } as const,
    ...blocks.map((block) => ({ kind: 'block', block }) as const),
  ];
  const call = tool({
    title: bad,
    name: bad,
    status: 'failed',
    content,
    locations: [{ path: bad, line: index }],
    rawInput: { command: bad, [bad]: bad },
    rawOutput: bad,
    parentId: bad,
  });
  return [
    { kind: 'user', id: `u${index}`, at: 0, messageId: bad, turnId: undefined, blocks },
    { kind: 'user', id: `v${index}`, at: 0, messageId: bad, turnId: undefined, blocks: [attached(bad)] },
    { kind: 'agent', id: `a${index}`, at: 0, messageId: bad, blocks },
    { kind: 'thought', id: `th${index}`, at: 0, endedAt: 1, messageId: bad, blocks },
    { ...call, id: `${bad} 1`, permissions: [permission('answered')] },
    { ...call, id: `${bad} 2`, toolKind: 'edit', permissions: [permission('open')] },
    { ...call, id: `${bad} 3`, title: '', toolKind: 'other', rawInput: bad, content: [] },
    {
      kind: 'plan',
      id: `${bad} plan`,
      planId: bad,
      at: 0,
      items: [{ text: bad, status: 'running', priority: 'high' }],
      markdown: bad,
      uri: bad,
    },
    { kind: 'notice', id: `n${index}`, at: 0, severity: 'error', text: bad, detail: bad, actions: [] },
    {
      kind: 'elicitation',
      id: `e${index}`,
      at: 0,
      message: bad,
      outcome: undefined,
      request: { mode: 'form', title: bad, fields: fieldsOf(bad) },
    },
    {
      kind: 'elicitation',
      id: `url${index}`,
      at: 0,
      message: bad,
      outcome: undefined,
      request: { mode: 'url', url: bad },
    },
    { kind: 'compaction', id: `${bad} compaction`, at: 0, status: 'failed', summary: bad, error: bad },
  ];
}

function attached(bad: string): ContentBlock {
  return { kind: 'text', text: `[Attached: ${bad}]\n${bad}` };
}

function transcriptOf(payloads: readonly string[]): Partial<Transcript> {
  const values = payloads.map((bad) => ({ value: bad, title: bad, description: bad }));
  const terminals = payloads.map((bad): [string, Terminal] => [
    bad,
    {
      id: bad,
      isOurs: true,
      output: `${bad}\n${bad}`,
      isTruncated: true,
      exit: { code: undefined, signal: bad },
    },
  ]);
  return {
    entries: payloads.flatMap(entriesOf),
    terminals: Object.fromEntries(terminals),
    title: payloads.join(' '),
    commands: payloads.flatMap((bad, index) => [
      { name: bad, description: bad, hint: bad },
      { name: `known${index}`, description: bad, hint: bad },
    ]),
    config: payloads.flatMap((bad) => [
      {
        id: bad,
        name: bad,
        description: bad,
        category: bad,
        input: { type: 'select' as const, value: bad, groups: [{ name: bad, values }] },
      },
      {
        id: `${bad} toggle`,
        name: bad,
        description: bad,
        category: undefined,
        input: { type: 'boolean' as const, value: true },
      },
    ]),
    usage: { used: 1, size: 2, cost: { amount: 1, currency: payloads[0] ?? '' } },
    turn: { state: 'running', turnId: 1, startedAt: 0, isCancelling: false },
  };
}

/** Long transcripts come over several frames. Everything that is closed is opened, which may bring more of it. */
async function openEverything(page: ChatPage, rows: number): Promise<void> {
  while (page.all('[data-entry]').length < rows) {
    await page.painted();
  }
  for (let round = 0; round < 3; round += 1) {
    page.all('[aria-expanded="false"]:not([aria-haspopup])').forEach((closed) => closed.click());
    await page.painted();
  }
  page.all('details').forEach((details) => details.setAttribute('open', ''));
}

/** Nothing is followed by the page, and the host is asked for nothing but addresses and places in files. */
function clickEveryLink(page: ChatPage): readonly string[] {
  const before = page.posted.length;
  const followed = page.all('a').flatMap((anchor) => {
    const notPrevented = ['click', 'auxclick'].filter((type) =>
      anchor.dispatchEvent(new Event(type, { bubbles: true, cancelable: true })),
    );
    return notPrevented.map((type) => `${type} follows ${anchor.outerHTML}`);
  });
  return [...followed, ...page.posted.slice(before).flatMap(unwanted)];
}

function unwanted(message: WebviewMessage): readonly string[] {
  const isAddress = message.type === 'openLink' && /^(?:https?:|mailto:)/i.test(message.href);
  return isAddress || message.type === 'openLocation' ? [] : [`asks for ${JSON.stringify(message)}`];
}

describe('hostile agents', function () {
  this.timeout(30_000);
  let page: ChatPage;
  before(() => installPage());
  afterEach(() => page.close());

  it('come in more than a hundred ways', async () => {
    assert.ok(new Set(hostilePayloads).size >= 100);
    page = await ChatPage.open();
    const trap = document.createElement('p');
    trap.innerHTML =
      '<b onclick="x"></b><a href="command:x"></a><p id="root"></p><p style="color: red"></p><base>';
    page.find('#root').append(trap);
    // What the other tests look for is found when it is there.
    assert.equal(hostileFindings(page.find('#root')).length, 5);
    trap.remove();
  });

  batches.forEach((payloads, index) => {
    it(`put nothing into a conversation, part ${index + 1} of ${batches.length}`, async () => {
      const titled = { ...session, title: payloads.join(' '), agentName: payloads.join(' ') };
      const transcript = transcriptOf(payloads);
      page = await ChatPage.open({ ...chatState, session: titled }, transcript);
      await openEverything(page, transcript.entries?.length ?? 0);
      assert.deepEqual(hostileFindings(page.find('#root')), []);
      assert.deepEqual(clickEveryLink(page), []);
      await page.click(page.find('.composer [aria-haspopup="listbox"]'));
      assert.equal(page.all('.picker-list [role="option"]').length, payloads.length);
      assert.deepEqual(hostileFindings(page.find('#root')), []);
      await page.type('/');
      assert.notEqual(page.all('.completion-menu [role="option"]').length, 0);
      assert.deepEqual(hostileFindings(page.find('#root')), []);
      await page.type('/known0 ');
      assert.equal(page.all('.composer-hint').length, 1);
      assert.deepEqual(hostileFindings(page.find('#root')), []);
      assert.equal(Reflect.has(window, MARKER), false);
    });

    it(`put nothing around a conversation, part ${index + 1} of ${batches.length}`, async () => {
      const { commands } = transcriptOf(payloads);
      const sessions = payloads.map((bad) => ({
        ...session,
        sessionId: bad,
        title: bad,
        agentName: bad,
        statusReason: bad,
      }));
      const agents = payloads.map((bad) => ({ id: bad, name: bad, description: bad }));
      page = await ChatPage.open(
        { ...chatState, session: undefined, recent: sessions, agents, agentId: payloads[0] },
        { commands },
      );
      await page.click(page.find('[data-testid="agent-picker"] button'));
      assert.equal(page.all('.recent-session').length, payloads.length);
      assert.deepEqual(hostileFindings(page.find('#root')), []);
      const ended = { ...session, status: 'error' as const, statusReason: payloads.join(' ') };
      page.send({ type: 'state', state: { ...chatState, session: ended, progress: payloads.join(' ') } });
      await page.painted();
      assert.deepEqual(hostileFindings(page.find('#root')), []);
      assert.equal(Reflect.has(window, MARKER), false);
    });
  });

  it('put nothing into an answer that comes in pieces', async () => {
    page = await ChatPage.open();
    const pieces = hostilePayloads.flatMap((bad) => [bad.slice(0, 7), `${bad.slice(7)}\n\n`]);
    for (let at = 0; at < pieces.length; at += BATCH) {
      await page.events(
        ...pieces.slice(at, at + BATCH).map((text) => ({
          type: 'messageChunk' as const,
          at: 0,
          role: 'agent' as const,
          entryId: 'a1',
          messageId: 'm1',
          block: { kind: 'text' as const, text },
        })),
      );
      assert.deepEqual(hostileFindings(page.find('#root')), []);
    }
  });

  it('give terminals and forms the names of what every object has, and get their output and answers', async () => {
    page = await ChatPage.open();
    const names = ['__proto__', 'constructor', 'toString'];
    const choices = [{ value: 'x', title: 'x', description: undefined }];
    await page.events(
      ...names.flatMap((name) => [
        { type: 'terminalOutput' as const, terminalId: name, data: 'out' },
        {
          type: 'toolUpserted' as const,
          at: 0,
          id: name,
          status: 'failed' as const,
          content: [{ kind: 'terminal' as const, terminalId: name }],
        },
      ]),
      {
        type: 'elicitationAsked',
        at: 0,
        id: 'e1',
        message: 'Which?',
        request: {
          mode: 'form',
          title: undefined,
          fields: names.map((key) => ({
            key,
            title: key,
            description: undefined,
            isRequired: true,
            input: { type: 'choices', choices, minItems: 1, maxItems: undefined, value: ['x'] },
          })),
        },
      },
    );
    assert.deepEqual(
      page.all('.terminal-lines').map((lines) => lines.textContent),
      ['out', 'out', 'out'],
    );
    page.find('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    const [sent] = page.sent('answerElicitation');
    assert.equal(sent?.answer.action, 'accept');
    assert.deepEqual(Object.keys(sent.answer.content).sort(), [...names].sort());
    assert.equal(Object.getPrototypeOf(sent.answer.content), Object.prototype);
  });
});
