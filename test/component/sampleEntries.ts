import type { Entry, Permission, ToolEntry } from '../../src/shared/transcript/model';

export const permission: Permission = {
  requestId: 'r1',
  options: [
    { id: 'yes', name: 'Allow', kind: 'allow_once' },
    { id: 'always', name: 'Always allow', kind: 'allow_always' },
    { id: 'no', name: 'Reject', kind: 'reject_once' },
    { id: 'never', name: 'Never', kind: 'reject_always' },
  ],
  outcome: undefined,
};

export function tool(fields: Partial<ToolEntry> = {}): ToolEntry {
  return {
    kind: 'tool',
    id: 't1',
    at: 0,
    title: 'Run tests',
    name: undefined,
    toolKind: 'execute',
    status: 'completed',
    content: [],
    locations: [],
    rawInput: undefined,
    rawOutput: undefined,
    parentId: undefined,
    permissions: [],
    ...fields,
  };
}

const text = (value: string) => ({ kind: 'text', text: value }) as const;
const field = { description: 'What it is for', isRequired: true };

/** At least one entry of every kind, and of every state that looks different. */
export const entries: readonly Entry[] = [
  {
    kind: 'user',
    id: 'u1',
    at: 0,
    messageId: undefined,
    turnId: 1,
    blocks: [
      text('Line one\n**not bold**'),
      { kind: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=', uri: undefined },
      { kind: 'resource', uri: 'file:///a/b.ts', mimeType: undefined, text: 'x', blob: undefined },
      { kind: 'unknown', type: 'video', json: '{"type":"video"}' },
    ],
  },
  { kind: 'thought', id: 'th1', at: 0, endedAt: 4200, messageId: undefined, blocks: [text('Hm.')] },
  {
    kind: 'agent',
    id: 'a1',
    at: 0,
    messageId: undefined,
    blocks: [
      text('# Hi\n\n- [x] done\n\n```ts\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`src/a.ts:3`'),
    ],
  },
  tool({
    status: 'failed',
    rawInput: { command: 'npm test' },
    rawOutput: 'x',
    content: [{ kind: 'terminal', terminalId: 'term1' }],
    locations: [{ path: '/a/b.ts', line: 3 }],
  }),
  tool({
    id: 't2',
    toolKind: 'edit',
    title: 'Edit a.ts',
    status: 'pending',
    content: [{ kind: 'diff', path: '/a/a.ts', oldText: 'a\nb\n', newText: 'a\nc\nd\n' }],
    permissions: [permission],
  }),
  tool({
    id: 't3',
    toolKind: 'fetch',
    status: 'running',
    content: [{ kind: 'block', block: text('Output') }],
  }),
  {
    kind: 'plan',
    id: 'p1',
    planId: 'p1',
    at: 0,
    markdown: undefined,
    uri: undefined,
    items: [
      { text: 'First', status: 'completed', priority: 'high' },
      { text: 'Second', status: 'running', priority: 'high' },
      { text: 'Third', status: 'pending', priority: 'low' },
    ],
  },
  {
    kind: 'notice',
    id: 'n1',
    at: 0,
    severity: 'error',
    text: 'The agent ended.',
    detail: 'stderr',
    actions: [{ label: 'Restart', command: 'restartAgent', argument: 'demo' }],
  },
  {
    kind: 'elicitation',
    id: 'e1',
    at: 0,
    message: 'Which one?',
    outcome: undefined,
    request: {
      mode: 'form',
      title: undefined,
      fields: [
        {
          ...field,
          key: 'name',
          title: 'Name',
          input: {
            type: 'text',
            format: undefined,
            minLength: 2,
            maxLength: 5,
            pattern: undefined,
            value: undefined,
          },
        },
        {
          ...field,
          key: 'count',
          title: 'Count',
          input: { type: 'number', isInteger: true, minimum: 1, maximum: 9, value: 3 },
        },
        { ...field, key: 'sure', title: 'Sure', input: { type: 'boolean', value: true } },
        {
          ...field,
          key: 'one',
          title: 'One of',
          input: {
            type: 'choice',
            choices: [{ value: 'a', title: 'A', description: undefined }],
            value: 'a',
          },
        },
        {
          ...field,
          key: 'many',
          title: 'Some of',
          input: {
            type: 'choices',
            choices: [{ value: 'x', title: 'X', description: undefined }],
            minItems: 1,
            maxItems: undefined,
            value: ['x'],
          },
        },
      ],
    },
  },
  {
    kind: 'elicitation',
    id: 'e2',
    at: 0,
    message: 'Sign in',
    outcome: undefined,
    request: { mode: 'url', url: 'https://login.example.com/x?y=1' },
  },
  {
    kind: 'elicitation',
    id: 'e3',
    at: 0,
    message: 'Which colour?',
    outcome: undefined,
    request: {
      mode: 'form',
      title: 'Colours',
      fields: [
        {
          ...field,
          key: 'colour',
          title: 'Colour',
          input: {
            type: 'choice',
            choices: [
              { value: 'red', title: 'Red', description: 'The colour red' },
              { value: 'green', title: 'Green', description: 'The colour green' },
            ],
            value: undefined,
          },
        },
      ],
    },
  },
  {
    kind: 'elicitation',
    id: 'e4',
    at: 0,
    message: 'Sure?',
    outcome: 'accepted',
    answer: { sure: true },
    request: {
      mode: 'form',
      title: undefined,
      fields: [{ ...field, key: 'sure', title: 'Sure', input: { type: 'boolean', value: undefined } }],
    },
  },
  tool({
    id: 't4',
    toolKind: 'other',
    status: 'failed',
    content: [
      { kind: 'block', block: { kind: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' } },
      {
        kind: 'block',
        block: { kind: 'resource', uri: 'file:///a/b.txt', mimeType: undefined, text: 'x', blob: undefined },
      },
    ],
  }),
  tool({
    id: 't5',
    toolKind: 'other',
    status: 'pending',
    rawInput: { query: 'x' },
    permissions: [{ ...permission, requestId: 'r5' }],
  }),
  { kind: 'compaction', id: 'c1', at: 0, status: 'completed', summary: 'So far', error: undefined },
];
