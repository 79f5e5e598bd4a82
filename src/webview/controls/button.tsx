import type { ComponentChildren } from 'preact';

interface IconButtonProps {
  readonly icon: string;
  readonly label: string;
  readonly tooltip?: string;
  readonly isDisabled?: boolean;
  readonly class?: string;
  readonly onClick: () => void;
}

export function IconButton({
  icon,
  label,
  tooltip,
  isDisabled = false,
  class: extra,
  onClick,
}: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button codicon codicon-${icon}${extra === undefined ? '' : ` ${extra}`}`}
      aria-label={label}
      title={tooltip ?? label}
      disabled={isDisabled}
      onClick={onClick}
    />
  );
}

interface ButtonProps {
  readonly isSecondary?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

export function Button({ isSecondary = false, onClick, children }: ButtonProps) {
  return (
    <button type="button" class={`button${isSecondary ? ' secondary' : ''}`} onClick={onClick}>
      {children}
    </button>
  );
}
