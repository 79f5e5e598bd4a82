import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Event } from '../../core/base/emitter';
import { DisposableStore, toDisposable } from '../../core/base/lifecycle';
import type { Session } from '../../core/session/session';
import type { Sessions } from '../../core/session/sessions';
import type { Location } from '../../shared/transcript/model';

/** Agents name places faster than anybody can look. */
const PACE_MS = 300;
const TYPING_MS = 3000;

/** A file that an agent has asked for or written through the editor. */
export interface UsedFile {
  readonly path: string;
  readonly sessionId: string;
  readonly line: number | undefined;
}

export interface FollowOptions {
  readonly sessions: Pick<Sessions, 'onDidDispatch' | 'get'>;
  readonly onDidUseFile: Event<UsedFile>;
  /** What changes in the file at this moment is not typed. */
  readonly isAgentWriting: (path: string) => boolean;
  readonly isEnabled: () => boolean;
  /** Only what the user watches is followed. */
  readonly isShown: (session: Session) => boolean;
}

/** Shows the file and line that the agent is at, for users who asked for it. Never takes the focus. */
export class FollowAgent extends DisposableStore {
  private timer: NodeJS.Timeout | undefined;
  private next: { readonly location: Location; readonly workdir: string } | undefined;
  private typedAt = 0;

  constructor(private readonly options: FollowOptions) {
    super();
    this.add(
      options.sessions.onDidDispatch(({ session, event }) => {
        const location = event.type === 'toolUpserted' ? event.locations?.at(-1) : undefined;
        if (location !== undefined) {
          this.go(session, location);
        }
      }),
    );
    this.add(
      options.onDidUseFile(({ sessionId, ...location }) => {
        const session = options.sessions.get(sessionId);
        if (session !== undefined) {
          this.go(session, location);
        }
      }),
    );
    this.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const isTyped = document.isDirty && !options.isAgentWriting(document.uri.fsPath);
        if (isTyped && document === vscode.window.activeTextEditor?.document) {
          this.typedAt = Date.now();
        }
      }),
    );
    this.add(toDisposable(() => clearTimeout(this.timer)));
  }

  private go(session: Session, location: Location): void {
    if (this.options.isEnabled() && this.options.isShown(session)) {
      this.next = { location, workdir: session.workdir };
      this.timer ??= setTimeout(() => void this.reveal(), PACE_MS);
    }
  }

  private async reveal(): Promise<void> {
    this.timer = undefined;
    const { next } = this;
    const isTyping = Date.now() - this.typedAt < TYPING_MS;
    if (next === undefined || isTyping) {
      return;
    }
    const uri = vscode.Uri.file(path.resolve(next.workdir, next.location.path));
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) {
      return;
    }
    try {
      const editor = await vscode.window.showTextDocument(uri, {
        preview: true,
        preserveFocus: true,
        viewColumn: columnForFiles(),
      });
      if (next.location.line !== undefined) {
        const line = Math.max(0, next.location.line - 1);
        editor.revealRange(
          new vscode.Range(line, 0, line, 0),
          vscode.TextEditorRevealType.InCenterIfOutsideViewport,
        );
      }
    } catch {
      // Not a text, or gone already: there is nothing to show.
    }
  }
}

/** Beside a chat that is open as an editor, not over it. */
function columnForFiles(): vscode.ViewColumn {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor?.viewColumn !== undefined) {
    return editor.viewColumn;
  }
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab?.input instanceof vscode.TabInputWebview
    ? vscode.ViewColumn.Beside
    : vscode.ViewColumn.Active;
}
