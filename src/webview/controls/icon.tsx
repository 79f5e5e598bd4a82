export function Icon({ name, isSpinning = false }: { readonly name: string; readonly isSpinning?: boolean }) {
  return (
    <span class={`codicon codicon-${name}${isSpinning ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />
  );
}
