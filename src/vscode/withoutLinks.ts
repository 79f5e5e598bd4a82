/**
 * For words of an agent in a notification: VS Code makes links of `[text](command:…)` there, and a click on them runs
 * the command.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
