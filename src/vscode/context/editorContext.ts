import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Attachment, ContextSuggestion } from '../../shared/attachments';
import type { ContentBlock } from '../../shared/transcript/model';
import type { Session } from '../../core/session/session';

const MAX_SUGGESTIONS = 50;

/** What of the editor can go along with a prompt: found by the @ menu, read when the prompt is sent. */
export class EditorContext {
  constructor(private readonly newId: () => string) {}

  async search(query: string): Promise<readonly ContextSuggestion[]> {
    const pattern = query === '' ? '**/*' : `**/*${query.replaceAll(/[[\]{}()*?!]/g, '')}*`;
    const files = await vscode.workspace.findFiles(pattern, undefined, MAX_SUGGESTIONS);
    return files.map((uri) => ({
      attachment: this.file(uri),
      label: path.basename(uri.fsPath),
      description: vscode.workspace.asRelativePath(uri),
      icon: 'file',
    }));
  }

  async pickFiles(): Promise<readonly Attachment[]> {
    const picked = await vscode.window.showOpenDialog({
      canSelectMany: true,
      openLabel: vscode.l10n.t('Attach'),
    });
    return (picked ?? []).map((uri) => this.file(uri));
  }

  file(uri: vscode.Uri): Attachment {
    return { kind: 'file', id: this.newId(), name: path.basename(uri.fsPath), path: uri.fsPath };
  }

  /** The selected lines of the active editor, or the line of the cursor. */
  selection(): readonly Attachment[] {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      return [];
    }
    const { start, end } = editor.selection;
    const name = path.basename(editor.document.uri.fsPath);
    // A selection that ends at the start of a line does not mean that line.
    const endLine = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
    return [
      {
        kind: 'selection',
        id: this.newId(),
        name: `${name}:${start.line + 1}-${endLine}`,
        path: editor.document.uri.fsPath,
        startLine: start.line + 1,
        endLine,
      },
    ];
  }

  /** The file a menu was opened on, else that of the active editor. */
  files(argument: unknown): readonly Attachment[] {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    return uri === undefined ? [] : [this.file(uri)];
  }

  /** As content the session's agent takes: embedded where it can be, else as a link. */
  resolve(_session: Session, attachments: readonly Attachment[]): Promise<readonly ContentBlock[]> {
    return Promise.resolve(
      attachments.flatMap((attachment): readonly ContentBlock[] => {
        if (attachment.kind === 'image') {
          return [{ kind: 'image', mimeType: attachment.mimeType, data: attachment.data, uri: undefined }];
        }
        if (attachment.kind === 'file' || attachment.kind === 'folder') {
          return [
            {
              kind: 'resourceLink',
              uri: vscode.Uri.file(attachment.path).toString(),
              name: attachment.name,
              title: undefined,
              description: undefined,
              mimeType: undefined,
              size: undefined,
            },
          ];
        }
        return [];
      }),
    );
  }
}
