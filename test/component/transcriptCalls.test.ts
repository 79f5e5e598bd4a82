import assert from 'node:assert/strict';
import type { PermissionOutcome, ToolEntry } from '../../src/shared/transcript/model';
import { until } from '../support/until';
import { ChatPage, chatState, installPage } from '../support/webviewPage';
import { permission, tool } from './sampleEntries';

const diff = (path: string) => ({ kind: 'diff', path, oldText: 'a\n', newText: 'b\n' }) as const;
const markdown = (text: string) => ({ kind: 'block', block: { kind: 'text', text } }) as const;
const terminal = { id: 'x', isOurs: true, output: 'one\n', isTruncated: false, exit: undefined };

describe('a question of a tool call', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  const scopes = async (fields: Partial<ToolEntry>): Promise<string[]> => {
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'pending', permissions: [permission], ...fields })],
    });
    await page.click(page.button('Allow by rule…'));
    return page.all('[role="menuitem"]').map((item) => item.textContent);
  };

  it('offers a rule for the command or for all of its kind', async () => {
    assert.deepEqual(await scopes({ rawInput: { command: 'npm test' } }), [
      'This command in this workspace',
      'All execute calls in this workspace',
    ]);
    await page.press('ArrowDown', {}, page.find('[role="menuitem"]'));
    const second = page.all('[role="menuitem"]')[1];
    assert.ok(second !== undefined);
    assert.equal(document.activeElement, second);
    await page.click(second);
    assert.deepEqual(page.sent('alwaysAllow'), [
      { type: 'alwaysAllow', sessionId: 's1', requestId: 'r1', scope: 'kind' },
    ]);
    assert.equal(page.all('[role="menu"]').length, 0);
  });

  it('offers a rule for a file, unless there are several', async () => {
    assert.deepEqual(await scopes({ toolKind: 'edit', content: [diff('/a/a.ts')] }), [
      'This file in this workspace',
      'All edit calls in this workspace',
    ]);
    page.close();
    assert.deepEqual(await scopes({ toolKind: 'edit', content: [diff('/a/a.ts'), diff('/a/b.ts')] }), [
      'All edit calls in this workspace',
    ]);
  });

  it('keeps the rules apart from the agent’s answers', async () => {
    await scopes({});
    assert.equal(page.all('[role="group"][aria-label="Permission"] [aria-haspopup]').length, 0);
    const event = await page.press('Escape', {}, page.find('[role="menuitem"]'));
    assert.equal(event.defaultPrevented, true);
    assert.equal(page.all('[role="menu"]').length, 0);
    assert.equal(document.activeElement, page.button('Allow by rule…'));
  });

  it('offers no rule where nothing can be allowed', async () => {
    const options = permission.options.filter(({ kind }) => kind.startsWith('reject'));
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'pending', permissions: [{ ...permission, options }] })],
    });
    assert.equal(page.all('[aria-haspopup="menu"]').length, 0);
  });

  it('offers no rule where the agent would allow more than that', async () => {
    const options = permission.options.filter(({ kind }) => kind !== 'allow_once');
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'pending', permissions: [{ ...permission, options }] })],
    });
    assert.equal(page.all('[aria-haspopup="menu"]').length, 0);
  });

  it('offers no rule for a command whose line does not say it all', async () => {
    for (const input of [{ env: { A: '1' } }, { cwd: '/elsewhere' }]) {
      assert.deepEqual(await scopes({ rawInput: { command: 'npm test', ...input } }), [
        'All execute calls in this workspace',
      ]);
      page.close();
    }
    assert.equal((await scopes({ rawInput: { command: 'npm test', cwd: 'app' } })).length, 2);
  });

  it('shows the whole plan that is to be approved', async () => {
    const fields = { toolKind: 'switch_mode', status: 'pending', permissions: [permission] } as const;
    page = await ChatPage.open(chatState, {
      entries: [
        tool({ ...fields, id: 'a', content: [markdown('## Plan\n\n1. Read\n2. Write')] }),
        tool({ ...fields, id: 'b', rawInput: { plan: '**Only** passed on' } }),
      ],
    });
    assert.equal(page.find('[data-entry="a"] .plan-text h2').textContent, 'Plan');
    assert.equal(page.all('[data-entry="a"] .plan-text li').length, 2);
    assert.equal(page.all('[data-entry="a"] .box-scroll').length, 0);
    assert.equal(page.find('[data-entry="b"] .plan-text strong').textContent, 'Only');
    assert.match(page.find('[data-entry="b"]').textContent, /Carry out this plan\?/);
  });

  const asked = async (fields: Partial<ToolEntry>): Promise<HTMLElement> => {
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'pending', permissions: [permission], ...fields })],
    });
    return page.find('[role="group"][aria-label="Permission"]');
  };

  it('says all words of a command, and where it runs', async () => {
    const card = await asked({ rawInput: { command: 'git', args: ['push', '-f', 'a b'], cwd: '/work/app' } });
    assert.equal(page.find('.command').textContent, "git push -f 'a b'");
    assert.equal(page.find('.command-folder').textContent, 'In app');
    assert.doesNotMatch(card.textContent, /Input/);
  });

  it('names the folder of a command only when it is not the session’s', async () => {
    await asked({ rawInput: { command: 'ls', cwd: '/work' } });
    assert.equal(page.all('.command-folder').length, 0);
    page.close();
    await asked({ rawInput: { command: 'ls', cwd: '/etc' } });
    assert.equal(page.find('.command-folder').textContent, 'In /etc');
    page.close();
    await asked({ rawInput: { command: 'ls' }, folder: '/etc' });
    assert.equal(page.find('.command-folder').textContent, 'In /etc');
  });

  it('says what else a command is given', async () => {
    await asked({ rawInput: { command: 'npm test', env: { NODE_OPTIONS: '--require ./x.js' } } });
    assert.equal(page.find('.command').textContent, 'npm test');
    assert.match(page.find('.permission .box-text').textContent, /--require/);
    assert.doesNotMatch(page.find('.permission .box-text').textContent, /npm test/);
  });

  it('shows the arguments of a call that is neither a command nor a change', async () => {
    const rawInput = { query: 'DROP TABLE users' };
    await asked({ toolKind: 'other', title: 'db', rawInput, content: [markdown('Runs a query.')] });
    assert.equal(page.find('.permission .box-text').textContent, JSON.stringify(rawInput, undefined, 2));
  });

  it('names the file that is to be changed in full', async () => {
    const card = await asked({ toolKind: 'edit', title: 'Edit', content: [diff('/work/src/deep/a.ts')] });
    assert.match(card.textContent, /Change src\/deep\/a\.ts\?/);
    page.close();
    const outside = await asked({ toolKind: 'edit', title: 'Edit', content: [diff('/etc/hosts')] });
    assert.match(outside.textContent, /Change \/etc\/hosts\?/);
  });

  const answered: readonly (readonly [PermissionOutcome, string])[] = [
    [{ kind: 'selected', optionId: 'yes' }, 'Allowed'],
    [{ kind: 'selected', optionId: 'always' }, 'Allowed: “Always allow”'],
    [{ kind: 'selected', optionId: 'no' }, 'Rejected'],
    [{ kind: 'selected', optionId: 'no', rule: 'Deny rm *' }, 'Rejected by rule: Deny rm *'],
    [{ kind: 'cancelled' }, 'The question was withdrawn'],
  ];
  for (const [outcome, words] of answered) {
    it(`says afterwards: ${words}`, async () => {
      page = await ChatPage.open(chatState, {
        entries: [tool({ permissions: [{ ...permission, outcome }] })],
      });
      const head = page.find('.tool-head');
      assert.ok(page.find('.tool-title').title.endsWith(`\n${words}`));
      const isByRule = outcome.kind === 'selected' && outcome.rule !== undefined;
      assert.equal(page.find('[data-entry]').textContent, isByRule ? `Run tests${words}` : 'Run tests');
      await page.click(head);
      assert.equal(page.find('.permission-answer').textContent, words);
    });
  }
});

describe('the focus of a question that was answered', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());
  const asking = (id: string) =>
    tool({
      id,
      status: 'pending',
      permissions: [{ ...permission, requestId: id }],
      rawInput: { command: id },
    });
  const answered = (id: string) =>
    page.events({
      type: 'permissionAnswered',
      at: 1,
      requestId: id,
      toolId: id,
      outcome: { kind: 'selected', optionId: 'yes' },
    });

  it('goes to the next question, and then to the line of its call', async () => {
    page = await ChatPage.open(chatState, { entries: [asking('a'), asking('b')] });
    const groups = page.all('[role="group"][aria-label="Permission"]');
    groups[0]?.focus();
    await page.press('1', {}, groups[0]);
    await answered('a');
    assert.equal(document.activeElement, groups[1]);
    // A key that is held must not answer what it does not know.
    await page.press('1', { repeat: true }, groups[1]);
    assert.deepEqual(
      page.sent('answerPermission').map(({ requestId }) => requestId),
      ['a'],
    );
    await answered('b');
    assert.equal(document.activeElement, page.find('[data-entry="b"] > .tool-head'));
  });

  it('stays where it is when it is elsewhere', async () => {
    page = await ChatPage.open(chatState, { entries: [asking('a'), asking('b')] });
    page.composer.focus();
    await answered('a');
    assert.equal(document.activeElement, page.composer);
  });
});

describe('a diff', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());
  const shown = async (path: string, oldText: string, newText: string): Promise<void> => {
    const content = [{ kind: 'diff', path, oldText, newText }] as const;
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'failed', toolKind: 'edit', title: 'Edit', content })],
    });
  };
  const lines = () => page.all('.diff-text').map((line) => line.textContent);

  it('has the colours of its language, over the ends of lines, and the same text', async () => {
    await shown('/work/a.ts', '/* one\n<b> */\nlet a = 1;\n', '/* one\n<i> */\nlet a = "&";\n');
    const before = lines();
    await until('colours', () => page.all('.diff-text .hljs-string').length === 1);
    assert.deepEqual(lines(), before);
    assert.deepEqual(
      page.all('.diff-text .hljs-comment').map((comment) => comment.textContent),
      ['/* one', '<b> */', '<i> */'],
    );
  });

  it('is plain where the language is not known', async () => {
    await shown('/work/a.ts', 'let a = 1;\n', 'let a = 2;\n');
    await until('colours', () => page.all('.diff-text .hljs-number').length === 2);
    page.close();
    await shown('/work/a.unknown', 'let a = 1;\n', 'let a = 2;\n');
    await page.painted();
    assert.equal(page.all('.diff-text span').length, 0);
    assert.deepEqual(lines(), ['let a = 1;', 'let a = 2;']);
  });
});

describe('a command', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());
  const content = [{ kind: 'terminal', terminalId: 'x' }] as const;

  it('can be stopped while it runs, and opened in a terminal', async () => {
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'running', content })],
      terminals: { x: terminal },
    });
    assert.equal(page.find('.box-foot').textContent, 'Running');
    await page.click(page.button('Kill command'));
    await page.click(page.button('Open in terminal'));
    const common = { sessionId: 's1', terminalId: 'x' };
    assert.deepEqual(page.posted.slice(-2), [
      { type: 'killTerminal', ...common },
      { type: 'openTerminal', ...common },
    ]);
  });

  it('can be stopped before it has written anything', async () => {
    page = await ChatPage.open(chatState, { entries: [tool({ status: 'running', content })] });
    await page.events({ type: 'terminalStarted', terminalId: 'x' });
    await page.click(page.button('Kill command'));
    assert.equal(page.sent('killTerminal')[0]?.terminalId, 'x');
  });

  it('cannot be stopped when the agent runs it itself', async () => {
    page = await ChatPage.open(chatState, { entries: [tool({ status: 'running', content })] });
    await page.events({ type: 'terminalOutput', terminalId: 'x', data: 'one' });
    assert.equal(page.find('.box-foot').textContent, 'Running');
    assert.throws(() => page.button('Kill command'));
  });

  it('has all colours of its output', async () => {
    const output =
      '\x1b[38;5;196mred\x1b[0m \x1b[48;2;1;2;3mblack\x1b[0m \x1b[38;5;244mgrey\x1b[0m \x1b[31mtheme\n';
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'running', content })],
      terminals: { x: { ...terminal, output } },
    });
    const [red, black, grey, theme] = page.all('.terminal-line span');
    assert.equal(red?.style.color, 'rgb(255, 0, 0)');
    assert.equal(black?.style.backgroundColor, 'rgb(1, 2, 3)');
    assert.equal(grey?.style.color, 'rgb(128, 128, 128)');
    assert.equal(theme?.className, 'ansi-red');
  });

  it('says when the beginning of its output is not shown', async () => {
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'running', content })],
      terminals: { x: { ...terminal, output: 'line\n'.repeat(1_900) } },
    });
    assert.equal(page.all('.terminal .box-note').length, 0);
    await page.events({ type: 'terminalOutput', terminalId: 'x', data: 'line\n'.repeat(200) });
    assert.equal(page.find('.terminal .box-note').textContent, 'The beginning of the output is not shown.');
  });

  it('says how it ended', async () => {
    page = await ChatPage.open(chatState, {
      entries: [
        tool({ id: 'a', status: 'failed', content }),
        tool({ id: 'b', status: 'failed', content: [{ kind: 'terminal', terminalId: 'y' }] }),
      ],
      terminals: {
        x: { ...terminal, exit: { code: 3, signal: undefined } },
        y: { ...terminal, exit: { code: undefined, signal: 'SIGTERM' } },
      },
    });
    const feet = page.all('.box-foot').map((foot) => foot.textContent);
    assert.deepEqual(feet, ['Exit code 3', 'Ended by SIGTERM']);
    assert.throws(() => page.button('Kill command'));
  });

  it('does not run for ever in a stored conversation that never saw its end', async () => {
    page = await ChatPage.open(chatState, {
      entries: [tool({ status: 'failed', content })],
      terminals: { x: terminal },
    });
    assert.equal(page.find('.box-foot').textContent, '');
    assert.throws(() => page.button('Kill command'));
  });
});

describe('code in an answer', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('goes to the cursor or into a new file, and wraps its lines', async () => {
    const blocks = [{ kind: 'text', text: '```ts\nlet a = 1;\nlet b;\n```' }] as const;
    page = await ChatPage.open(chatState, {
      entries: [{ kind: 'agent', id: 'a', at: 0, messageId: undefined, blocks }],
    });
    await page.click(page.button('Insert at cursor'));
    await page.click(page.button('New file'));
    const text = 'let a = 1;\nlet b;';
    assert.deepEqual(page.posted.slice(-2), [
      { type: 'insertCode', text },
      { type: 'newFile', text, language: 'ts' },
    ]);
    const wrap = page.button('Wrap lines');
    await page.click(wrap);
    assert.equal(wrap.getAttribute('aria-pressed'), 'true');
    assert.equal(page.all('.code-block.wrapped').length, 1);
    await page.click(wrap);
    assert.equal(page.all('.code-block.wrapped').length, 0);
  });

  it('stays wrapped when its end comes', async () => {
    const say = (text: string) =>
      page.events({
        type: 'messageChunk',
        at: 1,
        role: 'agent',
        entryId: 'a',
        messageId: undefined,
        block: { kind: 'text', text },
      });
    page = await ChatPage.open(chatState, {
      turn: { state: 'running', turnId: 1, startedAt: 0, isCancelling: false },
    });
    await say('```ts\nlet a = 1;\n');
    await page.click(page.button('Wrap lines'));
    await say('let b;\n```\n\nText\n\n');
    assert.match(page.find('.markdown').textContent, /Text/);
    assert.equal(page.all('.code-block.wrapped').length, 1);
    assert.equal(page.button('Wrap lines').getAttribute('aria-pressed'), 'true');
  });
});

describe('code in CSS', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('is coloured by its forms', async () => {
    const text = '@media print {\n  a.chip:hover, #x { color: var(--muted); margin: 4px /* x */; }\n}';
    const blocks = [{ kind: 'text', text: `\`\`\`css\n${text}\n\`\`\`` }] as const;
    page = await ChatPage.open(chatState, {
      entries: [{ kind: 'agent', id: 'a', at: 0, messageId: undefined, blocks }],
    });
    assert.equal(page.find('code').textContent, text);
    assert.deepEqual(
      page.all('code span').map((span) => `${span.className.replace('hljs-', '')} ${span.textContent}`),
      [
        'keyword @media',
        'selector-tag print',
        'selector-tag a',
        'selector-class .chip',
        'built_in :hover',
        'selector-id #x',
        'attribute color',
        'built_in var',
        'variable --muted',
        'attribute margin',
        'number 4px',
        'comment /* x */',
      ],
    );
  });
});

describe('the line of an entry', () => {
  let page: ChatPage;
  before(installPage);
  afterEach(() => page.close());

  it('is a button only where it opens something', async () => {
    page = await ChatPage.open(chatState, {
      entries: [
        tool({ id: 'plain' }),
        tool({ id: 'full', rawInput: { command: 'ls' } }),
        { kind: 'compaction', id: 'c', at: 0, status: 'running', summary: '', error: undefined },
      ],
    });
    assert.deepEqual(
      page.all('[data-entry] > .line-button').map((head) => head.tagName),
      ['DIV', 'BUTTON', 'DIV'],
    );
  });
});
