import { readAttachedText } from '../../shared/attachments';
import type {
  ContentBlock,
  ElicitationEntry,
  Entry,
  PlanEntry,
  Transcript,
} from '../../shared/transcript/model';
import { textOf } from '../../shared/transcript/select';
import { toolMarkdown } from './exportTool';

/** The conversation as a document a person can read, keep and search. */
export function exportMarkdown(transcript: Transcript, title: string, agentName: string): string {
  const parts = transcript.entries.map((entry) => entryMarkdown(entry, transcript.terminals));
  const said = parts.filter((part) => part !== '');
  return `# ${title}\n\n*With ${agentName}*\n\n${said.join('\n\n')}\n`;
}

function entryMarkdown(entry: Entry, terminals: Transcript['terminals']): string {
  switch (entry.kind) {
    case 'user':
      return ['## You', ...attachedNames(entry.blocks), wordsOf(entry.blocks)]
        .filter((part) => part !== '')
        .join('\n\n');
    case 'agent':
      return textOf(entry.blocks);
    case 'thought':
      return quoted(textOf(entry.blocks));
    case 'tool':
      return toolMarkdown(entry, terminals);
    case 'plan':
      return planMarkdown(entry);
    case 'notice':
      return entry.detail === undefined ? `*${entry.text}*` : `*${entry.text}*\n\n${quoted(entry.detail)}`;
    case 'elicitation':
      return questionMarkdown(entry);
    case 'compaction':
      return entry.summary === ''
        ? '*The conversation was compacted.*'
        : `*The conversation was compacted:*\n\n${quoted(entry.summary)}`;
  }
}

/** One line for all that went along. */
function attachedNames(blocks: readonly ContentBlock[]): readonly string[] {
  const names = blocks.flatMap((block) => nameOf(block) ?? []);
  return names.length === 0 ? [] : [`*Attached: ${names.join(', ')}*`];
}

function nameOf(block: ContentBlock): string | undefined {
  switch (block.kind) {
    case 'text':
      return readAttachedText(block.text)?.name;
    case 'image':
      return block.uri ?? 'image';
    case 'audio':
      return 'audio';
    case 'resource':
      return block.uri;
    case 'resourceLink':
      return block.uri === '' ? block.name : block.uri;
    case 'unknown':
      return block.type;
  }
}

function wordsOf(blocks: readonly ContentBlock[]): string {
  return textOf(blocks.filter((block) => nameOf(block) === undefined));
}

function planMarkdown({ items, markdown }: PlanEntry): string {
  const steps = items.map((item) => `- [${item.status === 'completed' ? 'x' : ' '}] ${item.text}`);
  return [markdown ?? '', steps.join('\n')].filter((part) => part !== '').join('\n\n');
}

function questionMarkdown({ message, request, outcome }: ElicitationEntry): string {
  const asked = request.mode === 'url' ? `${message} (${request.url})` : message;
  return `*${asked}* ${outcome ?? 'open'}`;
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
