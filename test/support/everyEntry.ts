import type { JsonObject, Step } from './scriptedAgent/steps';

const RED_DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==';

/** A WAV file without a sound. */
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const update = (sessionUpdate: string, fields: JsonObject): Step => ({
  do: 'update',
  update: { sessionUpdate, ...fields },
});
const call = (fields: JsonObject): Step => ({ do: 'toolCall', call: fields });

/** One turn with every kind of entry that an agent can cause, and every kind of content in it. */
export const everyEntry: readonly Step[] = [
  { do: 'thought', text: 'First I look at what there is, then I change as little as possible.' },
  { do: 'text', text: 'Here is **everything** at once, with `code` and a [link](https://example.com).\n' },
  update('plan', {
    entries: [
      { content: 'Read the sources', status: 'completed', priority: 'high' },
      { content: 'Change the greeting', status: 'in_progress', priority: 'medium' },
      { content: 'Run the tests', status: 'pending', priority: 'low' },
    ],
  }),
  call({
    toolCallId: 'read',
    title: 'Read greet.js',
    kind: 'read',
    status: 'completed',
    locations: [{ path: 'src/greet.js', line: 3 }],
    rawInput: { path: 'src/greet.js' },
  }),
  call({
    toolCallId: 'edit',
    title: 'Edit greet.js',
    kind: 'edit',
    status: 'completed',
    content: [
      {
        type: 'diff',
        path: 'src/greet.js',
        oldText: 'function greet(name) {\n  return `Hello ${name}`;\n}\n',
        newText: 'function greet(name = "world") {\n  return `Hello, ${name}`;\n}\n',
      },
    ],
  }),
  call({
    toolCallId: 'run',
    title: 'npm test',
    kind: 'execute',
    status: 'failed',
    rawInput: { command: 'npm test -- --watch=false' },
    content: [{ type: 'terminal', terminalId: 'shown' }],
    _meta: { terminal_info: { terminal_id: 'shown' } },
  }),
  {
    do: 'toolUpdate',
    call: {
      toolCallId: 'run',
      _meta: {
        terminal_output: {
          terminal_id: 'shown',
          data: '\u001b[32m✓\u001b[0m greets\r\n\u001b[31m✗ fails\u001b[0m\r\n\u001b[38;5;208morange\u001b[0m\r\n',
        },
        terminal_exit: { terminal_id: 'shown', exit_code: 1 },
      },
    },
  },
  call({ toolCallId: 'task', title: 'Explore the folder', kind: 'think', status: 'in_progress' }),
  call({
    toolCallId: 'child',
    title: 'Search for greet',
    kind: 'search',
    status: 'completed',
    _meta: { claudeCode: { parentToolUseId: 'task' } },
  }),
  { do: 'toolUpdate', call: { toolCallId: 'task', status: 'completed' } },
  call({
    toolCallId: 'fetch',
    title: 'Fetch a picture',
    kind: 'fetch',
    status: 'completed',
    content: [
      { type: 'content', content: { type: 'image', mimeType: 'image/png', data: RED_DOT } },
      { type: 'content', content: { type: 'resource_link', uri: 'file:///notes.md', name: 'notes.md' } },
      { type: 'content', content: { type: 'audio', mimeType: 'audio/wav', data: SILENCE } },
      {
        type: 'content',
        content: { type: 'resource', resource: { uri: 'file:///a/notes.txt', text: 'All that was noted.' } },
      },
      {
        type: 'content',
        content: {
          type: 'resource',
          resource: { uri: 'mcp://server/report', mimeType: 'application/pdf', blob: 'JVBERi0=' },
        },
      },
    ],
  }),
  update('notice', { severity: 'warning', title: 'The model is slow today', description: 'Try later.' }),
  update('compaction_update', {
    compactionId: 'c1',
    status: 'completed',
    summary: [{ type: 'text', text: 'What was said before, in short.' }],
  }),
  {
    do: 'request',
    method: 'elicitation/create',
    params: {
      sessionId: '$sessionId',
      mode: 'form',
      message: 'Which way?',
      requestedSchema: {
        type: 'object',
        title: 'How to greet',
        properties: {
          name: { type: 'string', title: 'Name', default: 'world' },
          loud: { type: 'boolean', title: 'Loud' },
          times: { type: 'integer', title: 'Times', minimum: 1, maximum: 3, default: 2 },
          tone: { type: 'string', title: 'Tone', enum: ['kind', 'cold'] },
          style: {
            type: 'string',
            title: 'Style',
            oneOf: [
              { const: 'short', title: 'Short', description: 'One line, to the point' },
              {
                const: 'long',
                title: 'Long',
                description: 'With reasons, examples and what else could be done',
              },
            ],
          },
          day: { type: 'string', title: 'Day', format: 'date' },
          where: { type: 'array', title: 'Where', items: { enum: ['here', 'there'] } },
        },
        required: ['name'],
      },
    },
    save: 'form',
  },
  {
    do: 'permission',
    call: {
      toolCallId: 'asked',
      title: 'rm -rf build',
      kind: 'execute',
      rawInput: { command: 'rm', args: ['-rf', 'build'], cwd: 'packages/app', env: { FORCE: '1' } },
    },
  },
  update('usage_update', { used: 53_000, size: 200_000, cost: { amount: 0.12, currency: 'USD' } }),
  {
    do: 'text',
    text: '\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\n```js\nconst x = 1;\n```\n\nSee src/greet.js:3 and ![A dot](dot.png).\n',
  },
];

/** Everything that an agent can ask, all of it open at once, until the turn is stopped. */
export const everyQuestion: readonly Step[] = [
  {
    do: 'request',
    method: 'elicitation/create',
    params: {
      sessionId: '$sessionId',
      mode: 'form',
      message: 'How should the greeting sound?',
      requestedSchema: {
        type: 'object',
        title: 'The greeting',
        properties: {
          tone: {
            type: 'string',
            title: 'Tone',
            oneOf: [
              { const: 'kind', title: 'Kind', description: 'As one greets a friend' },
              { const: 'cold', title: 'Cold', description: 'As one greets a landlord' },
            ],
          },
          since: { type: 'string', title: 'Since', format: 'date' },
          times: { type: 'integer', title: 'Times', minimum: 1, maximum: 3, default: 2 },
          places: { type: 'array', title: 'Places', items: { enum: ['door', 'phone'] } },
          loud: { type: 'boolean', title: 'Loud', description: 'Heard in the next room' },
        },
        required: ['tone'],
      },
    },
    noWait: true,
  },
  {
    do: 'request',
    method: 'elicitation/create',
    params: {
      sessionId: '$sessionId',
      mode: 'url',
      elicitationId: 'page',
      message: 'Sign in to the greeting service',
      url: 'https://greetings.example.com/device?code=ABCD-EFGH',
    },
    noWait: true,
  },
  {
    do: 'permission',
    call: {
      toolCallId: 'askedEdit',
      title: 'Edit greet.js',
      kind: 'edit',
      content: [
        {
          type: 'diff',
          path: 'src/greet.js',
          oldText: 'function greet(name) {\n  return `Hello ${name}`;\n}\n',
          newText: 'function greet(name = "world") {\n  return `Hello, ${name}`;\n}\n',
        },
      ],
    },
    options: [
      { optionId: 'once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'always', name: 'Allow all edits in this session', kind: 'allow_always' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
    noWait: true,
  },
  {
    do: 'permission',
    call: {
      toolCallId: 'askedTool',
      title: 'weather: forecast',
      kind: 'other',
      rawInput: { city: 'Reykjavik', days: 3, units: 'metric' },
    },
    noWait: true,
  },
  {
    do: 'permission',
    call: {
      toolCallId: 'askedPlan',
      title: 'Ready to code?',
      kind: 'switch_mode',
      content: [
        { type: 'content', content: { type: 'text', text: '1. Change `greet`\n2. Run **all** tests\n' } },
      ],
    },
    noWait: true,
  },
  { do: 'waitFor', cancel: true },
];

export const everyOption: readonly JsonObject[] = [
  {
    type: 'select',
    id: 'mode',
    name: 'Mode',
    category: 'mode',
    currentValue: 'ask',
    options: [
      { value: 'ask', name: 'Ask', description: 'Asks before every change' },
      { value: 'auto', name: 'Auto', description: 'Changes files without asking' },
    ],
  },
  {
    type: 'select',
    id: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'm1',
    options: [
      { group: 'fast', name: 'Fast', options: [{ value: 'm1', name: 'Small' }] },
      {
        group: 'strong',
        name: 'Strong',
        options: Array.from({ length: 12 }, (_, index) => ({
          value: `m${index + 2}`,
          name: `Large ${index + 2}`,
        })),
      },
    ],
  },
  { type: 'boolean', id: 'web', name: 'Web search', currentValue: false },
];
