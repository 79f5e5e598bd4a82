import type { Command } from '../../shared/transcript/model';
import type { Completion } from './completionMenu';

/** Commands that fit what was typed; nothing once the name is complete and a space follows. */
export function matchingCommands(commands: readonly Command[], text: string): readonly Command[] {
  const typed = /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) {
    return [];
  }
  const named = commands.filter((command) => command.name.toLowerCase().startsWith(typed));
  const others = commands.filter(
    (command) => !named.includes(command) && command.name.toLowerCase().includes(typed),
  );
  return [...named, ...others];
}

/** The hint of the command that was just chosen, while its input is still to be written. */
export function hintFor(commands: readonly Command[], text: string): string | undefined {
  const name = /^\/(\S+) $/.exec(text)?.[1];
  return commands.find((command) => command.name === name)?.hint;
}

export function commandCompletions(commands: readonly Command[]): readonly Completion[] {
  return commands.map(({ name, hint, description }) => ({ key: name, title: `/${name}`, hint, description }));
}
