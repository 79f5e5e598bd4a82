import { assertNever } from '../../shared/assertNever';
import { readAttachedText, type Attachment } from '../../shared/attachments';
import type { ContentBlock } from '../../shared/transcript/model';
import { contextWords } from './contextWords';

/** The same file twice is one chip. */
export function withAttachments(
  attachments: readonly Attachment[],
  added: readonly Attachment[],
): readonly Attachment[] {
  const seen = new Set<string>();
  return [...attachments, ...added].filter((attachment) => {
    const key = keyOf(attachment);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

export function iconOf({ kind }: Attachment): string {
  switch (kind) {
    case 'file':
    case 'text':
      return 'file';
    case 'folder':
      return 'folder';
    case 'selection':
      return 'selection';
    case 'symbol':
      return 'symbol-method';
    case 'problems':
      return 'warning';
    case 'changes':
      return 'source-control';
    case 'image':
      return 'file-media';
    default:
      return assertNever(kind);
  }
}

/** What a chip's name leaves out. */
export function detailOf(attachment: Attachment): string {
  switch (attachment.kind) {
    case 'file':
    case 'folder':
      return attachment.path;
    case 'selection':
    case 'symbol':
      return `${attachment.path}:${contextWords.lines(attachment.startLine, attachment.endLine)}`;
    case 'text':
      return attachment.text.length > MAX_PREVIEW
        ? `${attachment.text.slice(0, MAX_PREVIEW)}…`
        : attachment.text;
    case 'problems':
      return attachment.path ?? attachment.name;
    case 'changes':
    case 'image':
      return attachment.name;
    default:
      return assertNever(attachment);
  }
}

const MAX_PREVIEW = 300;

/** What the user wrote, without what went along as text. */
export function writtenText(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => (block.kind === 'text' && readAttachedText(block.text) === undefined ? block.text : ''))
    .join('');
}

/** What went along with a prompt, as chips again. Text of what is not in a file stays behind. */
export function attachmentsOf(blocks: readonly ContentBlock[]): readonly Attachment[] {
  return blocks.flatMap((block): readonly Attachment[] => {
    const id = crypto.randomUUID();
    if (block.kind === 'image') {
      return [
        { kind: 'image', id, name: contextWords.pastedImage, mimeType: block.mimeType, data: block.data },
      ];
    }
    if (block.kind !== 'resource' && block.kind !== 'resourceLink') {
      return [];
    }
    const place = placeOf(block.uri);
    if (place === undefined) {
      return [];
    }
    const { path, startLine, endLine } = place;
    const name = nameOf(path);
    if (startLine !== undefined && endLine !== undefined) {
      const lines = contextWords.lines(startLine, endLine);
      return [{ kind: 'selection', id, name: `${name}:${lines}`, path, startLine, endLine }];
    }
    const isFolder = block.mimeType === 'inode/directory';
    return [{ kind: isFolder ? 'folder' : 'file', id, name, path }];
  });
}

export interface Place {
  readonly path: string;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
}

/** Of a `file:` address, or one of the machine that the editor's window is connected to. */
export function placeOf(uri: string): Place | undefined {
  const [, encoded, startLine, endLine] =
    /^(?:file|vscode-remote):\/\/[^/]*(\/[^#?]*)(?:\?[^#]*)?(?:#L(\d+)(?:-L(\d+))?)?/i.exec(uri) ?? [];
  if (encoded === undefined) {
    return undefined;
  }
  const first = startLine === undefined ? undefined : Number(startLine);
  return {
    // Windows: /c:/folder
    path: decode(encoded).replace(/^\/(?=[a-z]:)/i, ''),
    startLine: first,
    endLine: endLine === undefined ? first : Number(endLine),
  };
}

export function nameOf(path: string): string {
  return /[^\\/]+(?=[\\/]*$)/.exec(path)?.[0] ?? path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function keyOf(attachment: Attachment): string {
  switch (attachment.kind) {
    case 'file':
    case 'folder':
      return `path ${attachment.path}`;
    case 'selection':
    case 'symbol':
      return `lines ${attachment.path} ${attachment.startLine} ${attachment.endLine}`;
    case 'problems':
      return `problems ${attachment.path ?? ''}`;
    case 'changes':
      return 'changes';
    case 'text':
    case 'image':
      return `id ${attachment.id}`;
    default:
      return assertNever(attachment);
  }
}
