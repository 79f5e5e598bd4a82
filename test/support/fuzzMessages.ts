import { isObject } from '../../src/shared/json';
import { readRecording } from './recording';

/** Small, fast and the same everywhere: a failing seed can be run again. */
export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }
}

/** Longer ones only cost time: their shapes are those of the shorter ones. */
const MAX_LINE_CHARS = 6000;
const recordings = ['claude', 'claude.full', 'copilot', 'gemini', 'gemini.full', 'opencode'];

/**
 * What the recorded agents sent, as lines, for the session `sessionId`, and the kinds of messages that those
 * agents do not send. Lines that differ only in a streamed text are few enough to keep.
 */
export function readAgentLines(sessionId: string): readonly [string, ...string[]] {
  const recorded = recordings
    .flatMap((name) => readRecording(name))
    .filter(({ kind, message }) => kind === 'fromAgent' && message !== undefined)
    .map(({ message }) => JSON.stringify(message))
    .filter((line) => line.length <= MAX_LINE_CHARS);
  const [first, ...rest] = [...handmade, ...recorded].map((line) => inSession(line, sessionId));
  if (first === undefined) {
    throw new Error('There are no recordings.');
  }
  return [first, ...rest];
}

function inSession(line: string, sessionId: string): string {
  return line.replace(/"sessionId":"[^"]*"/g, `"sessionId":${JSON.stringify(sessionId)}`);
}

const session = { sessionId: '' };
const handmade: readonly string[] = [
  ...[
    {
      method: 'terminal/create',
      params: { ...session, command: 'ls', args: ['-l'], env: [{ name: 'A', value: 'b' }] },
    },
    { method: 'terminal/output', params: { ...session, terminalId: 't1' } },
    { method: 'terminal/wait_for_exit', params: { ...session, terminalId: 't1' } },
    { method: 'terminal/kill', params: { ...session, terminalId: 't1' } },
    { method: 'terminal/release', params: { ...session, terminalId: 't1' } },
    { method: 'fs/read_text_file', params: { ...session, path: '/a', line: 1, limit: 2 } },
    {
      method: 'elicitation/create',
      params: { ...session, mode: 'url', url: 'https://a.invalid', message: 'Look' },
    },
    { method: '_x.ai/ask_user_question', params: { ...session, question: '?' } },
  ].map((request, index) => JSON.stringify({ jsonrpc: '2.0', id: 900 + index, ...request })),
  ...[
    { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# Plan' } },
    { sessionUpdate: 'plan_removed', planId: 'p' },
    { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'in_progress' },
    {
      sessionUpdate: 'compaction_summary_chunk',
      compactionId: 'c',
      content: { type: 'text', text: 'so far' },
    },
    { sessionUpdate: 'notice', severity: 'warning', title: 'Careful', description: 'Really' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'own',
      content: [{ type: 'terminal', terminalId: 'own' }],
      _meta: {
        terminal_output: { terminal_id: 'own', data: 'out' },
        terminal_exit: { terminal_id: 'own', exit_code: 0, signal: null },
      },
    },
  ].map((update) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { ...session, update } }),
  ),
  JSON.stringify({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 900 } }),
];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const oddKeys: readonly [string, ...string[]] = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'id',
  'method',
  'result',
  'x',
];

/** Makes `count` damaged lines, each as the bytes that an agent would write, the line's end included. */
export function* damagedLines(
  lines: readonly [string, ...string[]],
  random: Random,
  count: number,
): Generator<Buffer> {
  let held: Buffer | undefined;
  for (let made = 0; made < count; made += 1) {
    const damaged = Buffer.concat([damagedLine(lines, random), Buffer.from('\n')]);
    if (held !== undefined) {
      // Out of order: the later line goes first.
      yield damaged;
      yield held;
      held = undefined;
    } else if (random.below(20) === 0) {
      held = damaged;
    } else {
      yield damaged;
    }
  }
  if (held !== undefined) {
    yield held;
  }
}

function damagedLine(lines: readonly [string, ...string[]], random: Random): Buffer {
  const line = random.pick(lines);
  switch (random.below(12)) {
    case 0:
      return Buffer.from(line.slice(0, random.below(line.length)));
    case 1: {
      const other = random.pick(lines);
      return Buffer.from(line.slice(0, random.below(line.length)) + other.slice(random.below(other.length)));
    }
    case 2:
      return withRawBytes(line, random);
    case 3:
      return Buffer.from(`${line}\n${line}`);
    case 4:
      // Not JSON, or JSON that no JavaScript program writes.
      return Buffer.from(
        line.replace(
          /:(\d+|"[^"]*"|true|null)/,
          `:${random.pick(['NaN', '1e999', '-1e999', '-0', '01', 'undefined'])}`,
        ),
      );
    case 5:
      return Buffer.from(withOtherId(line, random));
    default: {
      let value = JSON.parse(line) as Json;
      for (let times = 1 + random.below(3); times > 0; times -= 1) {
        // Mostly inside the message: what is none is dropped at the door.
        value =
          isObject(value) && random.below(10) > 0 ? damagedObject(value, random) : damaged(value, random);
      }
      return Buffer.from(writeDeep(value, random));
    }
  }
}

/** An id that may well be that of a request which the client has just made, as a number or a string. */
function withOtherId(line: string, random: Random): string {
  const message = JSON.parse(line) as Json;
  const id = random.below(300);
  return JSON.stringify({
    ...(isObject(message) ? message : {}),
    id: random.below(3) === 0 ? String(id) : id,
  });
}

function withRawBytes(line: string, random: Random): Buffer {
  const bytes = Buffer.from(line);
  const at = random.below(bytes.length);
  const inserted = Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256)));
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
}

/** A copy with one change somewhere inside. */
function damaged(value: Json, random: Random): Json {
  if (Array.isArray(value) && value.length > 0 && random.below(5) > 0) {
    const index = random.below(value.length);
    return value.map((item, place) => (place === index ? damaged(item, random) : item));
  }
  if (isObject(value) && random.below(6) > 0) {
    return damagedObject(value, random);
  }
  return oddValue(value, random);
}

function damagedObject(value: Readonly<Record<string, Json>>, random: Random): Json {
  const entries = Object.entries(value);
  const index = random.below(entries.length);
  const [key, item] = entries[index] ?? ['added', null];
  switch (random.below(6)) {
    case 0:
      return fromEntries(entries.toSpliced(index, 1));
    case 1:
      return fromEntries([...entries, [random.pick(oddKeys), item]]);
    case 2:
      return fromEntries(entries.toSpliced(index, 1, [random.pick(oddKeys), item]));
    default:
      return fromEntries(entries.toSpliced(index, 1, [key, damaged(item, random)]));
  }
}

/** Unlike an object literal, this makes `__proto__` a key like any other. */
function fromEntries(entries: readonly (readonly [string, Json])[]): Record<string, Json> {
  return Object.fromEntries(entries);
}

/** Stands for a nesting that is written as text: no stack is deep enough to build and stringify it. */
const DEEP = '\u0000deep';

function oddValue(value: Json, random: Random): Json {
  switch (random.below(14)) {
    case 0:
      return null;
    case 1:
      return random.below(1000);
    case 2:
      return -1 - random.below(1000);
    case 3:
      return random.next() * 1e300;
    case 4:
      return '';
    case 5:
      return random.pick(['__proto__', 'constructor', '0', '1', '2', 'cancelled', 'NaN', '\ud800', '\u2028']);
    case 6:
      return [];
    case 7:
      return {};
    case 8:
      return [value, value];
    case 9:
      return { value };
    case 10:
      return random.below(2) === 0;
    case 11:
      return random.below(20) === 0 ? 'x'.repeat(100_000) : 'x'.repeat(300);
    case 12:
      return random.below(8) === 0 ? DEEP : [[[[value]]]];
    default:
      return typeof value === 'string' ? value.slice(0, random.below(value.length + 1)) : [null, -1, 'x', {}];
  }
}

function writeDeep(value: Json, random: Random): string {
  const text = JSON.stringify(value);
  const marker = JSON.stringify(DEEP);
  if (!text.includes(marker)) {
    return text;
  }
  const depth = 100 + random.below(20_000);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const);
  return text.replaceAll(marker, `${open.repeat(depth)}1${close.repeat(depth)}`);
}
