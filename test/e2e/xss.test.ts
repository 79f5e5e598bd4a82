import assert from 'node:assert/strict';
import { ChatPage } from '../support/chatPage';
import { hostileFindings, hostilePayloads, MARKER } from '../support/hostilePayloads';
import { scriptedAgentCommand } from '../support/scriptedAgent/scenario';
import type { JsonObject, Step } from '../support/scriptedAgent/steps';
import { openWorkbench, type Workbench } from '../support/workbench';

const BATCH = 72;
const batches = Array.from({ length: Math.ceil(hostilePayloads.length / BATCH) }, (_, index) =>
  hostilePayloads.slice(index * BATCH, (index + 1) * BATCH),
);
const COMMAND_LINK = '[click](command:workbench.action.closeWindow)';

describe('a hostile agent in the real workbench', () => {
  let workbench: Workbench;
  let chat: ChatPage;
  /** What must not happen, as it happens. */
  const events: string[] = [];

  before(async () => {
    const { command, args, env } = scriptedAgentCommand({
      name: 'hostile',
      prompts: [...batches.map(stepsOf), questions],
    });
    workbench = await openWorkbench({
      settings: { 'parley.agents': { hostile: { name: 'Hostile', command, args, env } } },
    });
    chat = await ChatPage.open(workbench);
    await chooseAgent();
    watch();
    await watchPolicy();
  });

  after(async () => {
    await workbench.close();
  });

  batches.forEach((payloads, index) => {
    it(`runs, loads and leads nowhere, part ${index + 1} of ${batches.length}`, async () => {
      await chat.ask('go on');
      await chat
        .entries('agent')
        .filter({ hasText: `the end of part ${payloads.length}` })
        .last()
        .waitFor();
      await openEverything();
      assert.deepEqual(await findings(), []);
      assert.deepEqual(events, []);
    });
  });

  it('asks with names that do nothing, in the chat and in notifications', async () => {
    await chat.send('ask');
    await chat.permission(/./).first().waitFor();
    assert.deepEqual(await findings(), []);
    await chat.composer.fill('/');
    await chat.frame.getByRole('option').first().waitFor();
    await chat.frame.locator('[data-config-id="__proto__"] button').click();
    await chat.frame.locator('.picker-list [role="option"]').first().waitFor();
    assert.deepEqual(await findings(), []);
    await chat.frame.locator('.picker-list').press('Escape');
    await chat.composer.fill('');
    // A place outside of the folder is named in a notification, where VS Code makes links of Markdown.
    await chat.frame.locator('.permission [data-path]').first().click();
    const notification = workbench.notification('outside of this workspace');
    await notification.waitFor();
    assert.equal(await notification.locator('.notification-list-item-message a').count(), 0);
    await chat.permission(/./).first().click();
    await chat.turnEnds();
    assert.deepEqual(events, []);
  });

  async function chooseAgent(): Promise<void> {
    await chat.frame.locator('[data-testid="agent-picker"] button').click();
    await chat.frame.getByRole('option', { name: 'Hostile' }).click();
    await chat.frame.locator('[data-testid="agent-picker"]', { hasText: 'Hostile' }).waitFor();
  }

  function watch(): void {
    const { page, server } = workbench;
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.host !== server.authority) {
        events.push(`request ${request.url()}`);
      }
    });
    page.on('dialog', (dialog) => events.push(`dialog ${dialog.message()}`));
    page.on('popup', (popup) => events.push(`popup ${popup.url()}`));
    page.context().on('page', (other) => events.push(`page ${other.url()}`));
    page.on('framenavigated', (frame) => events.push(`navigation to ${frame.url()}`));
    page.on('pageerror', (error) => events.push(`error ${error.message}`));
    page.on('download', (download) => events.push(`download ${download.url()}`));
  }

  /**
   * What the page's policy had to stop. Inline handlers and styles are no news: Chromium reports those of the inert
   * documents that the sanitiser parses, and `findings` looks for them in the page itself.
   */
  async function watchPolicy(): Promise<void> {
    await chat.frame.evaluate(() => {
      const stopped: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        const isInline =
          blockedURI === 'inline' && /^(?:script-src-attr|style-src-)/.test(effectiveDirective);
        // A <base> in the document that DOMPurify parses is reported too; it has no effect on this one.
        if (!isInline && effectiveDirective !== 'base-uri') {
          stopped.push(`${effectiveDirective} stopped ${blockedURI}`);
        }
      });
      Object.assign(window, { stoppedByPolicy: stopped });
    });
  }

  async function openEverything(): Promise<void> {
    await chat.root.evaluate(async (root) => {
      for (let round = 0; round < 3; round += 1) {
        const closed = root.querySelectorAll<HTMLElement>(
          '[data-entry] [aria-expanded="false"], .tool-group > [aria-expanded="false"]',
        );
        closed.forEach((element) => element.click());
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }
      root.querySelectorAll('details').forEach((details) => details.setAttribute('open', ''));
      await new Promise((resolve) => requestIdleCallback(resolve));
    });
  }

  async function findings(): Promise<readonly string[]> {
    const markers = await Promise.all(
      workbench.page
        .frames()
        .map((frame) => frame.evaluate((name) => (name in window ? ['it ran'] : []), MARKER)),
    );
    const stopped = await chat.frame.evaluate(
      () => (window as unknown as { readonly stoppedByPolicy: readonly string[] }).stoppedByPolicy,
    );
    return [...markers.flat(), ...stopped, ...(await chat.frame.locator('#root').evaluate(hostileFindings))];
  }
});

/** One turn with the payloads in everything that a turn may carry, and a title for the tree and the window. */
function stepsOf(payloads: readonly string[]): readonly Step[] {
  const commands = payloads.map((bad) => ({ name: bad, description: bad, input: { hint: bad } }));
  return [
    { do: 'update', update: { sessionUpdate: 'available_commands_update', availableCommands: commands } },
    { do: 'update', update: { sessionUpdate: 'config_option_update', configOptions: optionsOf(payloads) } },
    { do: 'update', update: { sessionUpdate: 'session_info_update', title: payloads.slice(0, 8).join(' ') } },
    { do: 'thought', text: payloads.join('\n\n') },
    ...payloads.map((bad, index): Step => ({ do: 'toolCall', call: callOf(bad, index) })),
    {
      do: 'update',
      update: {
        sessionUpdate: 'plan',
        entries: payloads.map((content) => ({ content, status: 'in_progress', priority: 'high' })),
      },
    },
    { do: 'update', update: { sessionUpdate: 'notice', severity: 'info', title: payloads.join(' ') } },
    ...payloads.flatMap((bad): Step[] => [
      { do: 'text', text: bad.slice(0, 7) },
      { do: 'text', text: `${bad.slice(7)}\n\n` },
    ]),
    { do: 'update', update: { sessionUpdate: 'plan', entries: [] } },
    {
      do: 'update',
      update: {
        sessionUpdate: 'agent_message_chunk',
        messageId: `end ${payloads[0] ?? ''}`,
        content: { type: 'text', text: `the end of part ${payloads.length}` },
      },
    },
  ];
}

function callOf(bad: string, index: number): JsonObject {
  const content: readonly JsonObject[] = [
    { type: 'content', content: { type: 'text', text: bad } },
    { type: 'content', content: { type: 'image', mimeType: 'image/svg+xml', data: bad, uri: bad } },
    { type: 'content', content: { type: 'image', mimeType: bad, data: bad } },
    { type: 'content', content: { type: 'resource_link', uri: bad, name: bad, title: bad, mimeType: bad } },
    { type: 'content', content: { type: 'resource', resource: { uri: bad, text: bad, mimeType: bad } } },
    { type: 'diff', path: bad, oldText: 'old', newText: bad },
    { type: 'terminal', terminalId: bad },
  ];
  return {
    toolCallId: `${bad} ${index}`,
    title: bad,
    name: bad,
    kind: 'execute',
    status: 'failed',
    content,
    locations: [{ path: bad, line: 1 }],
    rawInput: { command: bad },
    rawOutput: bad,
    _meta: { terminal_output: { terminal_id: bad, data: `${bad}\r\n${bad}` } },
  };
}

function optionsOf(payloads: readonly string[]): JsonObject[] {
  const options = payloads.map((bad) => ({ value: bad, name: bad, description: bad }));
  return payloads.slice(0, 12).map((bad) => ({
    type: 'select',
    id: bad,
    name: bad,
    description: bad,
    category: bad,
    currentValue: bad,
    options,
  }));
}

const questions: readonly Step[] = [
  {
    do: 'update',
    update: {
      sessionUpdate: 'config_option_update',
      configOptions: optionsOf(['__proto__', ...hostilePayloads]),
    },
  },
  {
    do: 'permission',
    call: {
      toolCallId: 'asked',
      title: COMMAND_LINK,
      kind: 'edit',
      locations: [{ path: `/outside/${COMMAND_LINK}` }],
    },
    options: hostilePayloads.slice(0, 40).map((bad) => ({ optionId: bad, name: bad, kind: 'allow_once' })),
  },
];
