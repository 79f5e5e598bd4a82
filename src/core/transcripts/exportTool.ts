import { commandLineOf } from '../../shared/transcript/command';
import type { Permission, ToolContent, ToolEntry, Transcript } from '../../shared/transcript/model';
import { fenced } from './fenced';
import { diffLines, splitLines } from '../files/lineDiff';

/** Of long output the end tells most. */
const OUTPUT_LINES = 40;

/** One tool call: what it was, what was allowed, what it ran, changed and said. */
export function toolMarkdown(tool: ToolEntry, terminals: Transcript['terminals']): string {
  const command = commandLineOf(tool.rawInput);
  const body = [
    ...(command === undefined ? [] : [fenced(command, 'sh')]),
    ...tool.content.map((content) => contentMarkdown(content, terminals)),
  ].filter((part) => part !== '');
  const head = [`**${titleOf(tool)}**: ${tool.status}`, ...tool.permissions.flatMap(answerOf)].join('; ');
  return [`- ${head}`, ...body.map(indented)].join('\n\n');
}

function titleOf({ title, name, toolKind }: ToolEntry): string {
  return title === '' ? (name ?? toolKind) : title;
}

function answerOf({ options, outcome }: Permission): readonly string[] {
  if (outcome?.kind !== 'selected') {
    return [];
  }
  const chosen = options.find(({ id }) => id === outcome.optionId)?.name ?? outcome.optionId;
  return [
    outcome.rule === undefined ? `answered “${chosen}”` : `answered “${chosen}” by rule: ${outcome.rule}`,
  ];
}

function contentMarkdown(content: ToolContent, terminals: Transcript['terminals']): string {
  switch (content.kind) {
    case 'diff':
      return `${content.path}\n\n${fenced(changedLines(content.oldText ?? '', content.newText), 'diff')}`;
    case 'terminal': {
      const output = terminals[content.terminalId]?.output ?? '';
      return output.trim() === '' ? '' : fenced(lastLines(output), '');
    }
    case 'block':
      return content.block.kind === 'text' && content.block.text.trim() !== ''
        ? fenced(lastLines(content.block.text), '')
        : '';
  }
}

/** Without the lines that stay. */
function changedLines(before: string, after: string): string {
  const lines = splitLines(before);
  const marked = (mark: string, changed: readonly string[]): string[] =>
    changed.map((line) => mark + line.replace(/\r?\n$/, ''));
  return diffLines(lines, splitLines(after))
    .flatMap(({ start, end, lines: added }) => [
      `@@ line ${start + 1} @@`,
      ...marked('-', lines.slice(start, end)),
      ...marked('+', added),
    ])
    .join('\n');
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.length <= OUTPUT_LINES ? lines.join('\n') : ['…', ...lines.slice(-OUTPUT_LINES)].join('\n');
}

/** So that it belongs to the item of the list. */
function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
