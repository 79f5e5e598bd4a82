import { asObject, asString } from '../../shared/json';
import { relativePath } from '../relativePath';
import { strings } from '../strings';
import { commandLineOf, restOfCommand } from '../../shared/transcript/command';
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

export function summarize(tool: ToolEntry, workdir: string): ToolSummary {
  const title = oneLine(tool.title === '' ? (tool.name ?? strings.toolVerb(tool.toolKind)) : tool.title);
  const [path] = pathsOf(tool);
  const object = commandOf(tool) ?? (path === undefined ? undefined : relativePath(workdir, path));
  const isNamed = object === undefined || mentions(title, oneLine(object));
  return { title, object: isNamed ? undefined : oneLine(object) };
}

/** For a call that is open: its command stands in full below, so the title need not say it again. */
export function summarizeOpen(tool: ToolEntry, workdir: string): ToolSummary {
  const command = commandOf(tool);
  if (command === undefined) {
    return summarize(tool, workdir);
  }
  const { title } = summarize(tool, workdir);
  const line = oneLine(command);
  const rest = [`\`${line}\``, line].reduce((text, part) => text.replace(part, () => ''), title);
  const words = rest.replace(/[\s:–-]+$/, '').trim();
  return { title: words === '' ? strings.toolVerb(tool.toolKind) : words, object: undefined };
}

/** What an `execute` call will run, in full. */
export function commandOf(tool: ToolEntry): string | undefined {
  return tool.toolKind === 'execute' ? commandLineOf(tool.rawInput) : undefined;
}

/** What goes to the tool and neither its command nor its changes nor its plan say. */
export function unsaidInputOf(tool: ToolEntry): unknown {
  if (commandOf(tool) !== undefined) {
    return restOfCommand(tool.rawInput);
  }
  const isSaid = diffsOf(tool).length > 0 || (tool.toolKind === 'switch_mode' && planOf(tool) !== undefined);
  const isEmpty = typeof tool.rawInput === 'object' && Object.keys(asObject(tool.rawInput)).length === 0;
  return isSaid || (isEmpty && !Array.isArray(tool.rawInput)) ? undefined : tool.rawInput;
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
  return asString(asObject(tool.rawInput).plan);
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
