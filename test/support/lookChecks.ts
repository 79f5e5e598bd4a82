import axe, { type AxeResults } from 'axe-core';
import type { ChatPage } from './chatPage';
import type { Workbench } from './workbench';

/** As VS Code lists them, and their ids. */
export const themes = [
  ['Light 2026', 'Light 2026'],
  ['Dark 2026', 'Dark 2026'],
  ['Dark High Contrast', 'Default High Contrast'],
  ['Light High Contrast', 'Default High Contrast Light'],
] as const;

/** A webview is a part of VS Code's page, not a page. */
const ofPages = ['region', 'landmark-one-main', 'page-has-heading-one'];

/** Before `violations`. The page's policy allows no script but its own; what a debugger evaluates is not subject to it. */
export async function loadAxe({ frame }: ChatPage): Promise<void> {
  await frame.evaluate(axe.source);
}

/** What axe finds in the chat, colours included. */
export async function violations(workbench: Workbench, { frame }: ChatPage): Promise<string[]> {
  const background = await workbench.page
    .locator('.part.auxiliarybar')
    .evaluate((part) => getComputedStyle(part).backgroundColor);
  const rules = Object.fromEntries(ofPages.map((rule) => [rule, { enabled: false }]));
  const results = await frame.evaluate(
    async ([colour, options]): Promise<AxeResults> => {
      // The page is transparent; what is behind it is out of the reach of axe.
      document.body.style.setProperty('background-color', colour);
      const { axe: inPage } = window as unknown as { axe: typeof axe };
      try {
        return await inPage.run(document, options);
      } finally {
        document.body.style.removeProperty('background-color');
      }
    },
    [background, { rules }] as const,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
}

/** What reaches over the right edge and is not inside something that scrolls or cuts off. */
export async function stickingOut({ root }: ChatPage): Promise<string[]> {
  return await root.evaluate((element) => {
    if (element.scrollWidth > element.clientWidth) {
      return [`the root, by ${element.scrollWidth - element.clientWidth} px`];
    }
    const transcript = element.querySelector('.transcript');
    return transcript === null || transcript.scrollWidth <= transcript.clientWidth
      ? []
      : [`the transcript, by ${transcript.scrollWidth - transcript.clientWidth} px`];
  });
}
