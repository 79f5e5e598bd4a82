import type { ComponentChildren } from 'preact';

interface LineHeadProps {
  readonly class?: string;
  /** Undefined when there is nothing to open: then it is no button. */
  readonly isOpen: boolean | undefined;
  readonly onToggle: () => void;
  readonly children: ComponentChildren;
}

/** The one line that an entry is while it is closed. */
export function LineHead({ class: extra, isOpen, onToggle, children }: LineHeadProps) {
  const classes = `line-button${extra === undefined ? '' : ` ${extra}`}`;
  return isOpen === undefined ? (
    <div class={classes}>{children}</div>
  ) : (
    <button type="button" class={classes} aria-expanded={isOpen} onClick={onToggle}>
      {children}
    </button>
  );
}
