import { isAllowed } from '../permission';
import { parseCommandLine, runCommand } from '../runCommand';
import type { Turn } from '../turn';

export async function playRun(turn: Turn, line: string): Promise<void> {
  await turn.say(await runLine(turn, line.trim() || 'node --version'));
}

/** Runs one command with the user's permission and returns what to say about it. */
export async function runLine(turn: Turn, line: string): Promise<string> {
  if (turn.session.settings.mode === 'plan') {
    return `Plan mode runs nothing. In another mode I would run \`${line}\`.\n\n`;
  }
  if (!turn.features.hasTerminals) {
    return `This client offers no terminal, so I did not run \`${line}\`.\n\n`;
  }
  const tool = await turn.startTool({
    title: `Run \`${line}\``,
    kind: 'execute',
    rawInput: { command: line, cwd: turn.session.cwd },
  });
  if (!(await isAllowed(turn, tool, 'execute', 'Always allow commands in this session'))) {
    await tool.update({ status: 'failed' });
    return `You rejected the command, so I did not run \`${line}\`.\n\n`;
  }
  try {
    const isSuccess = await runCommand(turn, tool, parseCommandLine(line));
    return isSuccess ? `\`${line}\` ended well.\n\n` : `\`${line}\` failed. Its output is above.\n\n`;
  } catch (error) {
    turn.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    await tool.finish('failed', reason);
    return `The terminal could not run \`${line}\`: ${reason}\n\n`;
  }
}
