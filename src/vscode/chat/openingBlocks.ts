import * as vscode from 'vscode';
import { attachedText, type Attachment } from '../../shared/attachments';
import type { ContentBlock } from '../../shared/transcript/model';
import type { Draft } from '../../core/session/drafts';

/** A prompt as it is shown until there is an agent that can be sent it: nothing is read, nothing is known of it. */
export function openingBlocks({ text, attachments }: Draft): readonly ContentBlock[] {
  const attached = attachments.map(blockOf);
  return text === '' ? attached : [...attached, { kind: 'text', text }];
}

function blockOf(attachment: Attachment): ContentBlock {
  switch (attachment.kind) {
    case 'file':
    case 'folder':
    case 'selection':
    case 'symbol':
      return {
        kind: 'resourceLink',
        uri: vscode.Uri.file(attachment.path).toString() + linesOf(attachment),
        name: attachment.name,
        title: undefined,
        description: undefined,
        mimeType: attachment.kind === 'folder' ? 'inode/directory' : undefined,
        size: undefined,
      };
    case 'image':
      return { kind: 'image', mimeType: attachment.mimeType, data: attachment.data, uri: undefined };
    case 'text':
      return { kind: 'text', text: attachedText(attachment.name, attachment.text) };
    case 'problems':
    case 'changes':
      return { kind: 'text', text: attachedText(attachment.name, '') };
  }
}

function linesOf(attachment: Attachment): string {
  return attachment.kind === 'selection' || attachment.kind === 'symbol'
    ? `#L${attachment.startLine}-L${attachment.endLine}`
    : '';
}
