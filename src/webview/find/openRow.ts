/** Opens what holds a row as the user would: what is opened by hand stays open. */
export function openRow(row: HTMLElement): void {
  const hidden: HTMLElement[] = [];
  for (let box = hiddenAround(row); box !== undefined; box = hiddenAround(box)) {
    hidden.unshift(box);
  }
  for (const box of hidden) {
    headOf(box.parentElement)?.click();
  }
}

export function openBody(row: HTMLElement): void {
  headOf(row)?.click();
}

function hiddenAround(element: HTMLElement): HTMLElement | undefined {
  return element.parentElement?.closest<HTMLElement>('[hidden]') ?? undefined;
}

/** The closed line of an entry or a group. */
function headOf(element: HTMLElement | null): HTMLElement | undefined {
  const head = element?.querySelector<HTMLElement>(':scope > .line-button[aria-expanded="false"]');
  return head ?? undefined;
}
