import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../core/session/session';
import { withoutLinks } from './withoutLinks';

const DIFF_SCHEME = 'parley-diff';

/** Opens what an agent's text links to. Only what can do no harm: never `command:`, never another program. */
export async function openLink(href: string, workdir: string | undefined): Promise<void> {
  if (/^(https?|mailto):/i.test(href)) {
    if (URL.canParse(href)) {
      // The chat shows the host as URL reads it; VS Code reads `https://shown\@other` as another one.
      await vscode.env.openExternal(vscode.Uri.parse(new URL(href).href, true));
    }
    return;
  }
  const file = href.replace(/^file:\/\//i, '');
  const located = /^(.*?)(?:#L|:)(\d+)(?::\d+)?$/.exec(file);
  await openLocation(
    located?.[1] ?? file,
    located?.[2] === undefined ? undefined : Number(located[2]),
    workdir,
  );
}

/** Only pages: an agent may not have the editor open files or other programs. False when it was not opened. */
export async function openWebPage(url: string): Promise<boolean> {
  // Normalised first: what is shown and what is opened must be the same host.
  const page = URL.canParse(url) ? new URL(url) : undefined;
  if (page === undefined || !/^https?:$/.test(page.protocol)) {
    return false;
  }
  return vscode.env.openExternal(vscode.Uri.parse(page.href, true));
}

/** Lines are 1-based. Outside of the workspace nothing is opened. */
export async function openLocation(
  file: string,
  line: number | undefined,
  workdir: string | undefined,
): Promise<void> {
  const absolute = path.resolve(workdir ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '/', file);
  const uri = vscode.Uri.file(absolute);
  if (vscode.workspace.getWorkspaceFolder(uri) === undefined) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} is outside of this workspace.', withoutLinks(absolute)),
    );
    return;
  }
  const position = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  try {
    await vscode.workspace.fs.stat(uri);
    // With the editor that is made for it: an image, a notebook and a PDF are no text documents.
    await vscode.commands.executeCommand('vscode.open', uri, {
      selection: new vscode.Range(position, position),
      preview: true,
    });
  } catch {
    void vscode.window.showWarningMessage(vscode.l10n.t('{0} could not be opened.', withoutLinks(absolute)));
  }
}

export async function openDiff(session: Session, toolId: string, index: number): Promise<void> {
  const tool = session.transcript.entries.find((entry) => entry.kind === 'tool' && entry.id === toolId);
  const content = tool?.kind === 'tool' ? tool.content[index] : undefined;
  if (content?.kind !== 'diff') {
    return;
  }
  const side = (which: 'old' | 'new'): vscode.Uri =>
    vscode.Uri.from({
      scheme: DIFF_SCHEME,
      // Without a host, two slashes at the start are no valid address.
      path: content.path.replace(/^\/{2,}/, '/'),
      query: JSON.stringify({ sessionId: session.id, toolId, index, which }),
    });
  const title = vscode.l10n.t('{0} (proposed)', path.basename(content.path));
  await vscode.commands.executeCommand('vscode.diff', side('old'), side('new'), title);
}

/** Gives the diff editor the two sides of a tool call's diff. */
export function registerDiffContent(find: (sessionId: string) => Session | undefined): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, {
    provideTextDocumentContent(uri) {
      const { sessionId, toolId, index, which } = JSON.parse(uri.query) as {
        readonly sessionId: string;
        readonly toolId: string;
        readonly index: number;
        readonly which: 'old' | 'new';
      };
      const entries = find(sessionId)?.transcript.entries ?? [];
      const tool = entries.find((entry) => entry.kind === 'tool' && entry.id === toolId);
      const content = tool?.kind === 'tool' ? tool.content[index] : undefined;
      if (content?.kind !== 'diff') {
        return '';
      }
      return which === 'old' ? (content.oldText ?? '') : content.newText;
    },
  });
}

/** Puts code of an answer where the cursor is; without an editor, into a new one. */
export async function insertCode(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) {
    await newFile(text, '');
    return;
  }
  const wasInserted = await editor.edit((edit) => {
    for (const selection of editor.selections) {
      edit.replace(selection, text);
    }
  });
  if (!wasInserted) {
    const name = path.basename(editor.document.fileName);
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} cannot be written to. Copy the code instead.', withoutLinks(name)),
    );
  }
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

export async function newFile(text: string, language: string): Promise<void> {
  const known = await vscode.languages.getLanguages();
  const document = await vscode.workspace.openTextDocument({
    content: text,
    ...(known.includes(language) ? { language } : {}),
  });
  await vscode.window.showTextDocument(document);
}
