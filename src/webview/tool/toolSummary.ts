import { strings } from '../../shared/strings';
import type { ToolContent, ToolEntry, ToolKind } from '../../shared/transcript/model';

export type DiffContent = Extract<ToolContent, { kind: 'diff' }>;

const icons: Readonly<Record<ToolKind, string>> = {
  read: 'book',
  edit: 'edit',
  delete: 'trash',
  move: 'file-symlink-file',
  search: 'search',
  execute: 'terminal',
  think: 'lightbulb',
  fetch: 'globe',
  switch_mode: 'arrow-swap',
  other: 'tools',
};

export function toolIcon(tool: ToolEntry): string {
  return icons[tool.toolKind];
}

/** The agent's own title, and what it leaves out: the command or the file. */
export interface ToolSummary {
  readonly title: string;
  readonly object: string | undefined;
}

export function summarize(tool: ToolEntry): ToolSummary {
  const title = oneLine(tool.title === '' ? (tool.name ?? strings.toolVerb(tool.toolKind)) : tool.title);
  const object = commandOf(tool) ?? pathsOf(tool)[0];
  const isNamed = object === undefined || mentions(title, oneLine(object));
  return { title, object: isNamed ? undefined : oneLine(object) };
}

/** For a call that is open: its command stands in full below, so the title need not say it again. */
export function summarizeOpen(tool: ToolEntry): ToolSummary {
  const command = commandOf(tool);
  if (command === undefined) {
    return summarize(tool);
  }
  const { title } = summarize(tool);
  const line = oneLine(command);
  const rest = [`\`${line}\``, line].reduce((text, part) => text.replace(part, () => ''), title);
  const words = rest.replace(/[\s:–-]+$/, '').trim();
  return { title: words === '' ? strings.toolVerb(tool.toolKind) : words, object: undefined };
}

/** What an `execute` call will run, in full. */
export function commandOf(tool: ToolEntry): string | undefined {
  if (tool.toolKind !== 'execute') {
    return undefined;
  }
  const input = tool.rawInput;
  if (typeof input !== 'object' || input === null || !('command' in input)) {
    return undefined;
  }
  const { command } = input;
  if (typeof command === 'string') {
    return command;
  }
  return Array.isArray(command) && command.every((part) => typeof part === 'string')
    ? command.join(' ')
    : undefined;
}

export function isBusy(tool: ToolEntry): boolean {
  return tool.status === 'running' || tool.status === 'pending';
}

export function diffsOf(tool: ToolEntry): DiffContent[] {
  return tool.content.filter((content) => content.kind === 'diff');
}

/** The files a call is about, each once. */
export function pathsOf(tool: ToolEntry): string[] {
  return [...new Set([...diffsOf(tool), ...tool.locations].map(({ path }) => path))];
}

/** The document that a question to leave plan mode is about: shown, or only passed to the tool. */
export function planOf(tool: ToolEntry): string | undefined {
  const shown = tool.content.flatMap((content) =>
    content.kind === 'block' && content.block.kind === 'text' ? [content.block.text] : [],
  );
  if (shown.length > 0) {
    return shown.join('\n\n');
  }
  const input = tool.rawInput;
  const hasPlan = typeof input === 'object' && input !== null && 'plan' in input;
  return hasPlan && typeof input.plan === 'string' ? input.plan : undefined;
}

/** A path as the agent's title says it, usually from the workspace folder on; else as it is. */
export function shownPath(tool: ToolEntry, path: string): string {
  const words = tool.title.split(/[\s`'",:()]+/).filter((word) => path.endsWith(`/${word}`));
  return words.toSorted((a, b) => b.length - a.length)[0] ?? path;
}

/** Agents cut or shorten what they name; a file's name or most of a command is enough. */
function mentions(title: string, object: string): boolean {
  const name = fileName(object);
  const plain = title.replace(/`/g, '');
  return plain.includes(object) || (name !== '' && !object.includes(' ') && plain.includes(name));
}

export function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
