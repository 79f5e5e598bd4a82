import { useLayoutEffect, useRef } from 'preact/hooks';
import { strings } from '../../shared/strings';
import type { Command } from '../../shared/transcript/model';
import { revealActive } from '../controls/keepInView';

export const SLASH_LIST_ID = 'slash-commands';
export const slashOptionId = (index: number) => `${SLASH_LIST_ID}-${index}`;

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

interface SlashMenuProps {
  readonly commands: readonly Command[];
  readonly activeIndex: number;
  readonly onPick: (command: Command) => void;
  readonly onHover: (index: number) => void;
}

export function SlashMenu({ commands, activeIndex, onPick, onHover }: SlashMenuProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    revealActive(list.current);
  }, [activeIndex]);
  return (
    <div ref={list} id={SLASH_LIST_ID} class="popup slash-menu" role="listbox" aria-label={strings.commands}>
      {commands.map((command, index) => (
        <div
          key={command.name}
          id={slashOptionId(index)}
          class="option"
          role="option"
          data-active={index === activeIndex ? '' : undefined}
          aria-selected={index === activeIndex}
          onPointerMove={() => onHover(index)}
          // The textarea must keep the focus, or the menu would close before the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(command)}
        >
          <span class="option-text">
            <span class="option-title">
              /{command.name}
              {command.hint !== undefined && <span class="option-hint"> {command.hint}</span>}
            </span>
            <span class="option-description">{command.description}</span>
          </span>
        </div>
      ))}
    </div>
  );
}
