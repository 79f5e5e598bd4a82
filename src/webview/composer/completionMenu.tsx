import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../controls/icon';
import { revealActive } from '../controls/keepInView';

export const MENU_ID = 'completions';
export const menuOptionId = (index: number) => `${MENU_ID}-${index}`;

export interface Completion {
  readonly key: string;
  readonly icon?: string;
  readonly title: string;
  readonly hint?: string;
  readonly description: string;
}

interface CompletionMenuProps {
  readonly label: string;
  /** Beside the title rather than below it. */
  readonly isOneLine?: boolean;
  readonly completions: readonly Completion[];
  readonly activeIndex: number;
  readonly onPick: (index: number) => void;
  readonly onHover: (index: number) => void;
}

/** What could be meant by what is being typed, above the text field, which keeps the focus. */
export function CompletionMenu(props: CompletionMenuProps) {
  const { label, isOneLine = false, completions, activeIndex, onPick, onHover } = props;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    revealActive(list.current);
  }, [activeIndex, completions]);
  return (
    <div
      ref={list}
      id={MENU_ID}
      class={`popup completion-menu${isOneLine ? ' one-line' : ''}`}
      role="listbox"
      aria-label={label}
    >
      {completions.map(({ key, icon, title, hint, description }, index) => (
        <div
          key={key}
          id={menuOptionId(index)}
          class="option"
          role="option"
          data-active={index === activeIndex ? '' : undefined}
          aria-selected={index === activeIndex}
          title={isOneLine ? [title, description].filter((text) => text !== '').join(' · ') : undefined}
          onPointerMove={() => onHover(index)}
          // The textarea must keep the focus, or the menu would close before the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(index)}
        >
          {icon !== undefined && <Icon name={icon} />}
          <span class="option-text">
            <span class="option-title">
              {title}
              {hint !== undefined && <span class="option-hint"> {hint}</span>}
            </span>
            {description !== '' && <span class="option-description">{description}</span>}
          </span>
        </div>
      ))}
    </div>
  );
}
