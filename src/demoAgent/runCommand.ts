import { methods, type TerminalHandle, type TerminalOutputRequest } from '@agentclientprotocol/sdk/unstable';
import type { ToolRun } from './toolRun';
import type { Turn } from './turn';

/** A command as `terminal/create` takes it. */
export interface CommandLine {
  readonly command: string;
  readonly args: string[];
}

const OUTPUT_BYTES = 100_000;

/** Plain words are passed as they are; anything else is a line for the shell. */
export function parseCommandLine(line: string, platform = process.platform): CommandLine {
  if (!/^[\w./:=@+,\- ]+$/.test(line)) {
    return platform === 'win32'
      ? { command: 'cmd.exe', args: ['/d', '/s', '/c', line] }
      : { command: '/bin/sh', args: ['-c', line] };
  }
  const [command = '', ...args] = line.trim().split(/ +/);
  return { command, args };
}

/** Runs the command in a terminal of the client and shows it in the tool call. True when it ended with 0. */
export async function runCommand(
  turn: Turn,
  tool: ToolRun,
  { command, args }: CommandLine,
): Promise<boolean> {
  const terminal = await createTerminal(turn, { command, args });
  try {
    await tool.update(
      { status: 'in_progress', content: [{ type: 'terminal', terminalId: terminal.id }] },
      { status: 'in_progress' },
    );
    const ids: TerminalOutputRequest = { sessionId: turn.session.id, terminalId: terminal.id };
    const { exitCode } = await turn.client.request(
      methods.client.terminal.waitForExit,
      ids,
      turn.requestOptions,
    );
    const { output } = await turn.client.request(methods.client.terminal.output, ids, turn.requestOptions);
    const status = exitCode === 0 ? 'completed' : 'failed';
    // The terminal is gone when the conversation is replayed; its output must not be.
    const text = '```console\n' + output.trimEnd() + '\n```';
    await tool.update(
      { status, rawOutput: { exitCode } },
      { status, rawOutput: { exitCode }, content: [{ type: 'content', content: { type: 'text', text } }] },
    );
    await terminal.release();
    return exitCode === 0;
  } catch (error) {
    void endTerminal(terminal);
    throw error;
  }
}

async function createTerminal(turn: Turn, { command, args }: CommandLine): Promise<TerminalHandle> {
  turn.signal.throwIfAborted();
  const creating = turn.client.createTerminal({
    sessionId: turn.session.id,
    command,
    args,
    cwd: turn.session.cwd,
    outputByteLimit: OUTPUT_BYTES,
  });
  const cancelled = new Promise<never>((_, reject) => {
    turn.signal.addEventListener(
      'abort',
      () => reject(new Error('Cancelled', { cause: turn.signal.reason })),
      { once: true },
    );
  });
  try {
    return await Promise.race([creating, cancelled]);
  } catch (error) {
    // A terminal that comes after the cancel is ours to end all the same.
    void creating.then(endTerminal, () => undefined);
    throw error;
  }
}

/** Not awaited by a cancelled turn, whose answer must not wait for the client. */
async function endTerminal(terminal: TerminalHandle): Promise<void> {
  await terminal.kill().catch(() => undefined);
  await terminal.release().catch(() => undefined);
}
