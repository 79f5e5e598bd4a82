import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { asObject } from '../src/shared/json';

/** As much as a pipe hands over at a time. */
const PIPE_BYTES = 64 * 1024;

export interface AgentEnds {
  /** The client writes here. */
  readonly stdin: PassThrough;
  /** The client reads here. */
  readonly stdout: PassThrough;
}

/** An agent in this process that answers every request at once, and a prompt with `answer` before that. */
export function cannedAgent(sessionId: string, answer: Buffer): AgentEnds {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  createInterface({ input: stdin }).on('line', (line) => {
    const { id, method } = asObject(JSON.parse(line));
    if (id === undefined) {
      return;
    }
    if (method === 'session/prompt') {
      for (let start = 0; start < answer.length; start += PIPE_BYTES) {
        stdout.write(answer.subarray(start, start + PIPE_BYTES));
      }
    }
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, sessionId) })}\n`);
  });
  return { stdin, stdout };
}

function resultOf(method: unknown, sessionId: string): object {
  switch (method) {
    case 'initialize':
      return { protocolVersion: 1, agentCapabilities: {} };
    case 'session/new':
      return { sessionId };
    default:
      return { stopReason: 'end_turn' };
  }
}
