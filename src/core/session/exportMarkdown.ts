import type { Entry, ToolEntry, Transcript } from '../../shared/transcript/model';
import { textOf } from '../../shared/transcript/select';

/** The conversation as a document a person can read, keep and search. */
export function exportMarkdown(transcript: Transcript, title: string, agentName: string): string {
  const parts = transcript.entries.map(entryMarkdown).filter((part) => part !== '');
  return `# ${title}\n\n*With ${agentName}*\n\n${parts.join('\n\n')}\n`;
}

function entryMarkdown(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
      return `## You\n\n${textOf(entry.blocks)}`;
    case 'agent':
      return textOf(entry.blocks);
    case 'thought':
      return quoted(textOf(entry.blocks));
    case 'tool': {
      const diffs = entry.content.flatMap((content) => (content.kind === 'diff' ? [content.path] : []));
      const where = diffs.length === 0 ? '' : ` (${diffs.join(', ')})`;
      return `- **${titleOf(entry)}**${where}: ${entry.status}`;
    }
    case 'plan':
      return entry.items
        .map((item) => `- [${item.status === 'completed' ? 'x' : ' '}] ${item.text}`)
        .join('\n');
    case 'notice':
      return `*${entry.text}*`;
    case 'elicitation':
      return `*${entry.message}*`;
    case 'compaction':
      return '*The conversation was compacted.*';
  }
}

function titleOf({ title, name, toolKind }: ToolEntry): string {
  return title === '' ? (name ?? toolKind) : title;
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
