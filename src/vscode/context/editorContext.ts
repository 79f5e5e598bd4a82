import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Session } from '../../core/session/session';
import type { Attachment, ContextSuggestion } from '../../shared/attachments';
import { asObject, asString } from '../../shared/json';
import type { ContentBlock } from '../../shared/transcript/model';
import { ContextSearch } from './contextSearch';
import { FileIndex } from './fileIndex';
import { contextEditor } from './openEditors';
import { describeProblems, problemsOf } from './problems';
import { resolveAttachments } from './resolveAttachments';
import { selectionOf, textOf } from './selections';
import { terminalSelection } from './terminalSelection';

const MAX_RECENT = 20;

/** What of the editor can go along with a prompt: found by the @ menu, read when the prompt is sent. */
export class EditorContext extends DisposableStore {
  private readonly searcher: ContextSearch;
  /** Files that were sent before, the latest first. */
  private recent: readonly string[] = [];

  constructor(private readonly newId: () => string) {
    super();
    this.searcher = new ContextSearch(this.add(new FileIndex()), newId, () => this.recent);
  }

  search(query: string): Promise<readonly ContextSuggestion[]> {
    return this.searcher.search(query);
  }

  async pickFiles(): Promise<readonly Attachment[]> {
    const picked = await vscode.window.showOpenDialog({
      canSelectMany: true,
      openLabel: vscode.l10n.t('Attach'),
      defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
    });
    return (picked ?? []).map((uri) => this.file(uri));
  }

  private file(uri: vscode.Uri): Extract<Attachment, { kind: 'file' }> {
    return { kind: 'file', id: this.newId(), name: path.basename(uri.fsPath), path: uri.fsPath };
  }

  /** The selected lines of the active editor, or the line of the cursor. */
  selection(): readonly Attachment[] {
    const editor = contextEditor();
    return editor === undefined ? [] : [selectionOf(editor, this.newId())];
  }

  /** All that is selected where a menu was opened, else what it was opened on, else the file of the active editor. */
  async files(argument: unknown, selection?: unknown): Promise<readonly Attachment[]> {
    const selected = Array.isArray(selection) ? selection.filter((item) => item instanceof vscode.Uri) : [];
    const uri = argument instanceof vscode.Uri ? argument : contextEditor()?.document.uri;
    const meant = selected.length > 0 || uri === undefined ? selected : [uri];
    const found = await Promise.all(meant.map((one) => this.fileOrFolder(one)));
    return found.filter((attachment) => attachment !== undefined);
  }

  private async fileOrFolder(uri: vscode.Uri): Promise<Attachment | undefined> {
    if (uri.scheme !== 'file') {
      return textOf(uri, this.newId());
    }
    const isFolder = await vscode.workspace.fs.stat(uri).then(
      ({ type }) => (type & vscode.FileType.Directory) !== 0,
      // What cannot be read is told to the agent when the prompt is sent.
      () => false,
    );
    return isFolder ? { ...this.file(uri), kind: 'folder' } : this.file(uri);
  }

  /** The problem an action names; else those at the cursor of the active editor, or all of its file. */
  problem(argument: unknown): readonly Attachment[] {
    const { path: named, line, character, message } = asObject(argument);
    const editor = contextEditor();
    const file = asString(named);
    const uri = file === undefined ? editor?.document.uri : vscode.Uri.file(file);
    if (uri === undefined) {
      return [];
    }
    const isMeant = ({ range, message: text }: vscode.Diagnostic): boolean =>
      file === undefined
        ? editor !== undefined && range.intersection(editor.selection) !== undefined
        : range.start.line === line && range.start.character === character && text === message;
    const meant = problemsOf(uri).filter(([, diagnostic]) => isMeant(diagnostic));
    const [, first] = meant[0] ?? [];
    const name = path.basename(uri.fsPath);
    if (first === undefined && uri.scheme === 'file') {
      const title = vscode.l10n.t('Problems in {0}', name);
      return [{ kind: 'problems', id: this.newId(), name: title, path: uri.fsPath }];
    }
    if (first === undefined) {
      const title = vscode.l10n.t('Problems in {0}', name);
      return [{ kind: 'text', id: this.newId(), name: title, text: describeProblems(problemsOf(uri)) }];
    }
    const title = vscode.l10n.t('Problem in {0}:{1}', name, first.range.start.line + 1);
    return [{ kind: 'text', id: this.newId(), name: title, text: describeProblems(meant) }];
  }

  /** What is selected in the active terminal. */
  async terminal(): Promise<readonly Attachment[]> {
    const text = await terminalSelection();
    const name = vscode.l10n.t('Terminal: {0}', vscode.window.activeTerminal?.name ?? '');
    return text === undefined ? [] : [{ kind: 'text', id: this.newId(), name, text }];
  }

  /** As content the session's agent takes: embedded where it can be, else as a link. */
  resolve(session: Session, attachments: readonly Attachment[]): Promise<readonly ContentBlock[]> {
    this.remember(attachments);
    const capabilities = session.connection?.info.capabilities;
    return resolveAttachments(
      {
        agentName: session.record.agentName,
        workdir: session.workdir,
        takesImages: capabilities?.image ?? false,
        takesEmbedded: capabilities?.embeddedContext ?? false,
        imageLimits: capabilities?.imageLimits,
      },
      attachments,
    );
  }

  private remember(attachments: readonly Attachment[]): void {
    const sent = attachments.flatMap((attachment) => (attachment.kind === 'file' ? [attachment.path] : []));
    this.recent = [...new Set([...sent, ...this.recent])].slice(0, MAX_RECENT);
  }
}
