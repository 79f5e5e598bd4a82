import { assertNever } from '../../shared/assertNever';
import { textOf } from '../../shared/transcript/select';
import type { Entry, Terminal, ToolContent, ToolEntry, Transcript } from '../../shared/transcript/model';
import { diffOf } from '../tool/diffLines';
import { withoutControls } from '../tool/terminalRenderer';
import { commandOf } from '../tool/toolSummary';

/** What an entry shows when it is opened; closed, it is not in the document. */
export function bodyText(entry: Entry, { terminals }: Transcript): string {
  switch (entry.kind) {
    case 'tool':
      return toolText(entry, terminals);
    case 'thought':
      return textOf(entry.blocks);
    case 'plan':
      return [...entry.items.map(({ text }) => text), entry.markdown ?? ''].join('\n');
    case 'compaction':
      return entry.summary;
    case 'user':
    case 'agent':
    case 'notice':
    case 'elicitation':
      return '';
    default:
      return assertNever(entry);
  }
}

function toolText(tool: ToolEntry, terminals: Transcript['terminals']): string {
  const parts = tool.content.map((content) => contentText(content, terminals));
  return [commandOf(tool) ?? '', ...parts].join('\n');
}

function contentText(content: ToolContent, terminals: Transcript['terminals']): string {
  switch (content.kind) {
    case 'block':
      return textOf([content.block]);
    case 'diff':
      return diffOf(content)
        .lines.map(({ text }) => text)
        .join('\n');
    case 'terminal':
      return Object.hasOwn(terminals, content.terminalId) ? plainOutput(terminals[content.terminalId]) : '';
  }
}

/** Of those that have ended, worked out once. */
const plain = new WeakMap<Terminal, string>();

function plainOutput(terminal: Terminal | undefined): string {
  if (terminal === undefined) {
    return '';
  }
  const known = plain.get(terminal) ?? withoutControls(terminal.output);
  plain.set(terminal, known);
  return known;
}
