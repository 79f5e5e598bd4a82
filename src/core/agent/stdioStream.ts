import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTask } from 'node:timers/promises';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk/unstable';
import { isObject, type JsonObject } from '../../shared/json';
import { ParleyError } from '../base/errors';

/** What leaves the byte stream before the SDK sees it. */
export interface StreamTap {
  /** `session/update`, in exact wire order and unparsed: the SDK would reorder and drop some (acp-sdk.md §5). */
  onUpdate(params: unknown): void;
  /** A line that is no JSON-RPC message. It is not answered: agents that log to stdout mean no harm. */
  onStrayLine(line: string): void;
  onTraffic(direction: 'sent' | 'received', message: JsonObject): void;
}

const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** No agent nests its data like this; what does overflows the stack of whoever stores, shows or logs it. */
const MAX_DEPTH = 500;
const NEWLINE = 10;

/**
 * One JSON-RPC message per line over an agent's stdio. Reading is driven by the SDK's own pace, so
 * that a prompt's response never overtakes the updates before it, nor they it.
 */
export function stdioStream(
  stdin: Writable,
  stdout: Readable,
  tap: StreamTap,
  maxMessageBytes = MAX_MESSAGE_BYTES,
): Stream {
  const batches = splitLines(stdout, maxMessageBytes);
  let lines: Iterator<string> = [].values();
  let wasResponse = false;
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        if (wasResponse) {
          // Whoever awaits the response goes first; only then may later updates be seen.
          await nextTask();
          wasResponse = false;
        }
        for (;;) {
          const message = nextMessage(lines, tap);
          if (message !== undefined) {
            wasResponse = !('method' in message);
            controller.enqueue(message as AnyMessage);
            return;
          }
          const { value: batch, done } = await batches.next();
          if (done === true) {
            controller.close();
            return;
          }
          lines = batch.values();
        }
      },
      async cancel() {
        await batches.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      tap.onTraffic('sent', message);
      return new Promise((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => {
          if (error) {
            reject(error);
          } else {
            resolve();
          }
        });
      });
    },
  });
  return { readable, writable };
}

/** The lines that came together: to wait for each of them would cost more than to read it. */
async function* splitLines(
  stdout: Readable,
  maxBytes: number,
): AsyncGenerator<readonly string[], void, undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const data of stdout) {
    const bytes = data as Buffer;
    const end = bytes.lastIndexOf(NEWLINE);
    if (end >= 0) {
      yield Buffer.concat([...parts, bytes.subarray(0, end)])
        .toString('utf8')
        .split('\n');
      parts = [];
      size = 0;
    }
    const rest = bytes.subarray(end + 1);
    parts.push(rest);
    size += rest.length;
    if (size > maxBytes) {
      const megabytes = Math.round(maxBytes / 1024 / 1024);
      throw new ParleyError('requestFailed', `The agent sent a message of more than ${megabytes} MB.`);
    }
  }
  if (size > 0) {
    yield [Buffer.concat(parts).toString('utf8')];
  }
}

/** Of what is here, the next message that is not dealt with here. */
function nextMessage(lines: Iterator<string>, tap: StreamTap): JsonObject | undefined {
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    const message = parseLine(next.value, tap);
    if (message !== undefined) {
      return message;
    }
  }
  return undefined;
}

/** Undefined when the line was dealt with here. */
function parseLine(line: string, tap: StreamTap): JsonObject | undefined {
  if (line.trim() === '') {
    return undefined;
  }
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    tap.onStrayLine(line);
    return undefined;
  }
  if (!isObject(message) || !isMessage(message) || isTooDeep(line, message)) {
    tap.onStrayLine(line);
    return undefined;
  }
  tap.onTraffic('received', message);
  if (message.method === 'session/update' && message.id === undefined) {
    tap.onUpdate(message.params);
    return undefined;
  }
  return repaired(message);
}

function isMessage(message: JsonObject): boolean {
  return typeof message.method === 'string' || 'result' in message || 'error' in message;
}

function isTooDeep(line: string, message: JsonObject): boolean {
  // Each level takes two characters at least.
  return line.length > 2 * MAX_DEPTH && isDeeperThan(message, MAX_DEPTH);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

/** The SDK would leave these unanswered for ever: a missing version, our number sent back as a string. */
function repaired(message: JsonObject): JsonObject {
  const isResponse = message.method === undefined;
  const id =
    isResponse && typeof message.id === 'string' && /^\d+$/.test(message.id)
      ? Number(message.id)
      : message.id;
  return { ...message, jsonrpc: '2.0', ...(id === undefined ? {} : { id }) };
}
