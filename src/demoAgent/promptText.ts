import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';

/** A slash command as the user typed it. */
export interface TypedCommand {
  readonly name: string;
  readonly argument: string;
}

export function promptText(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('')
    .trim();
}

export function typedCommand(text: string): TypedCommand | undefined {
  const match = /^\/([\w-]+)\s*([^]*)$/.exec(text);
  return match ? { name: match[1] ?? '', argument: match[2] ?? '' } : undefined;
}

/** What was attached, by name, for an answer that shows it has arrived. */
export function attachmentNames(blocks: readonly ContentBlock[]): string[] {
  return blocks.map(attachmentName).filter((name) => name !== undefined);
}

const TITLE_LENGTH = 60;

export function titleOf(text: string): string {
  const line = text.split('\n')[0]?.trim() ?? '';
  if (line === '') {
    return 'Untitled';
  }
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…` : line;
}

function attachmentName(block: ContentBlock): string | undefined {
  switch (block.type) {
    case 'text':
      return undefined;
    case 'resource_link':
      return `the link \`${block.title ?? block.name}\``;
    case 'resource':
      return `the file \`${lastPart(block.resource.uri)}\``;
    case 'image':
      return block.uri ? `the image \`${lastPart(block.uri)}\`` : `an image (${block.mimeType})`;
    case 'audio':
      return `a sound (${block.mimeType})`;
    default:
      return 'something of a kind I do not know';
  }
}

function lastPart(uri: string): string {
  const path = uri.replace(/[?#].*$/, '').replace(/\/+$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
