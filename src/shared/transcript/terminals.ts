import type { TerminalOutput } from './events';
import type { Terminal } from './model';

/** What the chat keeps of a terminal; the whole of it is in VS Code's own terminal. */
export const TERMINAL_OUTPUT_CHARS = 200_000;

export function emptyTerminal(id: string): Terminal {
  return { id, isOurs: false, output: '', isTruncated: false, exit: undefined };
}

/** The agent chooses ids, and may choose the names of what every object has. */
export function terminalOf(terminals: Readonly<Record<string, Terminal>>, id: string): Terminal | undefined {
  return Object.hasOwn(terminals, id) ? terminals[id] : undefined;
}

export function appendTerminalOutput(
  terminals: Readonly<Record<string, Terminal>>,
  event: TerminalOutput,
): Readonly<Record<string, Terminal>> {
  const terminal = terminalOf(terminals, event.terminalId) ?? emptyTerminal(event.terminalId);
  const output = terminal.output + event.data;
  // Cut in big steps, so that a flood of output costs O(new output), not O(kept output) per chunk.
  const cut = output.length > 2 * TERMINAL_OUTPUT_CHARS;
  const kept: Terminal = {
    ...terminal,
    output: cut ? output.slice(-TERMINAL_OUTPUT_CHARS) : output,
    isTruncated: terminal.isTruncated || cut,
  };
  return { ...terminals, [event.terminalId]: kept };
}
