import * as path from 'node:path';
import * as vscode from 'vscode';
import { fenced } from '../../core/transcripts/fenced';
import type { ImageLimits } from '../../core/agent/agentInfo';
import { runGit } from '../../core/git/runGit';
import { decodeText, imageTypeOf, mimeTypeOf } from '../../core/files/mimeTypes';
import { assertNever } from '../../shared/assertNever';
import { attachedText, type Attachment } from '../../shared/attachments';
import type { ContentBlock } from '../../shared/transcript/model';
import { describeProblems, problemsOf } from './problems';

const MAX_EMBEDDED_BYTES = 500_000;
const MAX_IMAGE_BYTES = 10_000_000;
const MAX_DIFF_BYTES = 200_000;

/** Who gets it. */
export interface Receiver {
  readonly agentName: string;
  readonly workdir: string;
  readonly takesImages: boolean;
  readonly takesEmbedded: boolean;
  /** Undefined: none. */
  readonly imageLimits?: ImageLimits | undefined;
}

/** As content the agent takes. What cannot be had becomes a note: a prompt never fails for what goes along with it. */
export async function resolveAttachments(
  receiver: Receiver,
  attachments: readonly Attachment[],
): Promise<readonly ContentBlock[]> {
  const blocks = await Promise.all(
    attachments.map(async (attachment) => {
      try {
        return await resolveOne(receiver, attachment);
      } catch {
        return note(attachment.name, vscode.l10n.t('It could not be read any more, so it was left out.'));
      }
    }),
  );
  return withinImageLimits(receiver, attachments, blocks);
}

/** What is over the agent's limits would cost the whole prompt. */
function withinImageLimits(
  { agentName, imageLimits }: Receiver,
  attachments: readonly Attachment[],
  blocks: readonly ContentBlock[],
): readonly ContentBlock[] {
  const { bytes = Infinity, perTurn = Infinity } = imageLimits ?? {};
  let images = 0;
  return blocks.map((block, index) => {
    if (block.kind !== 'image') {
      return block;
    }
    const name = attachments[index]?.name ?? '';
    if (Buffer.byteLength(block.data, 'base64') > bytes) {
      const kilobytes = Math.floor(bytes / 1000);
      return note(
        name,
        vscode.l10n.t('This image was left out, because {0} takes none over {1} KB.', agentName, kilobytes),
      );
    }
    images += 1;
    return images <= perTurn
      ? block
      : note(
          name,
          vscode.l10n.t('This image was left out, because {0} takes {1} in a turn.', agentName, perTurn),
        );
  });
}

async function resolveOne(receiver: Receiver, attachment: Attachment): Promise<ContentBlock> {
  switch (attachment.kind) {
    case 'file':
      return await fileBlock(receiver, attachment.name, vscode.Uri.file(attachment.path));
    case 'folder':
      return await folderBlock(attachment.name, vscode.Uri.file(attachment.path));
    case 'selection':
    case 'symbol':
      return await linesBlock(receiver, attachment);
    case 'problems': {
      const uri = attachment.path === undefined ? undefined : vscode.Uri.file(attachment.path);
      return note(attachment.name, describeProblems(problemsOf(uri)));
    }
    case 'changes':
      return note(attachment.name, await describeChanges(receiver.workdir));
    case 'text':
      return textBlock(receiver, attachment.name, attachment.text);
    case 'image':
      return receiver.takesImages
        ? { kind: 'image', mimeType: attachment.mimeType, data: attachment.data, uri: undefined }
        : note(attachment.name, imageRefusal(receiver));
    default:
      return assertNever(attachment);
  }
}

async function fileBlock(receiver: Receiver, name: string, uri: vscode.Uri): Promise<ContentBlock> {
  const open = openDocument(uri);
  if (open !== undefined && receiver.takesEmbedded) {
    const text = open.getText();
    if (Buffer.byteLength(text) <= MAX_EMBEDDED_BYTES) {
      return resource(uri.toString(), mimeTypeOf(uri.path) ?? 'text/plain', text);
    }
  }
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) {
    return await folderBlock(name, uri);
  }
  const imageType = imageTypeOf(uri.path);
  if (imageType !== undefined && receiver.takesImages && size <= MAX_IMAGE_BYTES) {
    const data = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('base64');
    return { kind: 'image', mimeType: imageType, data, uri: uri.toString() };
  }
  if (open === undefined && receiver.takesEmbedded && size <= MAX_EMBEDDED_BYTES) {
    const text = decodeText(await vscode.workspace.fs.readFile(uri));
    if (text !== undefined) {
      return resource(uri.toString(), mimeTypeOf(uri.path) ?? 'text/plain', text);
    }
  }
  return link(name, uri, mimeTypeOf(uri.path), size);
}

async function folderBlock(name: string, uri: vscode.Uri): Promise<ContentBlock> {
  // Fails for one that is gone.
  await vscode.workspace.fs.stat(uri);
  return link(name, uri, 'inode/directory', undefined);
}

async function linesBlock(
  receiver: Receiver,
  attachment: Extract<Attachment, { kind: 'selection' | 'symbol' }>,
): Promise<ContentBlock> {
  const { path: file, startLine, endLine } = attachment;
  const uri = vscode.Uri.file(file);
  const selected = attachment.kind === 'selection' ? attachment.text : undefined;
  if (selected !== undefined) {
    const language = openDocument(uri)?.languageId ?? '';
    return givenLines(receiver, uri, { first: startLine, last: endLine, text: selected, language });
  }
  const document = openDocument(uri) ?? (await vscode.workspace.openTextDocument(uri));
  const first = Math.min(Math.max(startLine, 1), document.lineCount) - 1;
  const last = Math.min(Math.max(endLine, startLine), document.lineCount) - 1;
  const text = document.getText(new vscode.Range(first, 0, last, document.lineAt(last).text.length));
  return givenLines(receiver, uri, { first: first + 1, last: last + 1, text, language: document.languageId });
}

interface Lines {
  /** 1-based and inclusive. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
  readonly language: string;
}

function givenLines(
  receiver: Receiver,
  uri: vscode.Uri,
  { first, last, text, language }: Lines,
): ContentBlock {
  if (receiver.takesEmbedded) {
    return resource(`${uri.toString()}#L${first}-L${last}`, mimeTypeOf(uri.path) ?? 'text/plain', text);
  }
  return note(`${shownPath(receiver, uri)}:${first}-${last}`, fenced(text, language));
}

function textBlock(receiver: Receiver, name: string, text: string): ContentBlock {
  if (!receiver.takesEmbedded) {
    return note(name, fenced(text, ''));
  }
  return resource(`attachment:///${encodeURIComponent(name)}`, mimeTypeOf(name) ?? 'text/plain', text);
}

async function describeChanges(workdir: string): Promise<string> {
  const diff = await runGit(workdir, ['diff', '--no-color', '--no-ext-diff', 'HEAD'], MAX_DIFF_BYTES);
  if (diff.kind === 'failed') {
    return vscode.l10n.t('The changes could not be had from git: {0}', diff.reason);
  }
  const untracked = await runGit(workdir, ['ls-files', '--others', '--exclude-standard'], MAX_DIFF_BYTES);
  const files = untracked.kind === 'done' ? untracked.text.trim() : '';
  if (diff.text === '' && files === '') {
    return vscode.l10n.t('There are no changes since the last commit.');
  }
  return [
    ...(diff.text === '' ? [] : [fenced(diff.text, 'diff')]),
    ...(diff.isCut ? [vscode.l10n.t('The diff is longer than this; the rest was left out.')] : []),
    ...(files === '' ? [] : [vscode.l10n.t('New files that git does not track yet:\n{0}', files)]),
  ].join('\n');
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === uri.toString(),
  );
}

function imageRefusal({ agentName }: Receiver): string {
  return vscode.l10n.t('This image was left out, because {0} takes no images.', agentName);
}

function resource(uri: string, mimeType: string, text: string): ContentBlock {
  return { kind: 'resource', uri, mimeType, text, blob: undefined };
}

function link(
  name: string,
  uri: vscode.Uri,
  mimeType: string | undefined,
  size: number | undefined,
): ContentBlock {
  const uriText = uri.toString();
  return {
    kind: 'resourceLink',
    uri: uriText,
    name,
    title: undefined,
    description: undefined,
    mimeType,
    size,
  };
}

function note(name: string, text: string): ContentBlock {
  return { kind: 'text', text: attachedText(name, text) };
}

function shownPath({ workdir }: Receiver, uri: vscode.Uri): string {
  const relative = path.relative(workdir, uri.fsPath);
  return relative.startsWith('..') ? uri.fsPath : relative;
}
