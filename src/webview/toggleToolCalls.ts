/** Closes all tool calls, or opens them when none is open: as if the user had clicked on each. */
export function toggleToolCalls(): void {
  const heads = [
    ...document.querySelectorAll<HTMLElement>(
      '[data-kind="tool"] > [aria-expanded], .tool-group > [aria-expanded]',
    ),
  ];
  const open = heads.filter((head) => head.getAttribute('aria-expanded') === 'true');
  (open.length > 0 ? open : heads).forEach((head) => head.click());
}
