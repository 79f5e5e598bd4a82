import * as path from 'node:path';
import * as vscode from 'vscode';
import { ParleyError } from '../core/base/errors';
import { DisposableStore } from '../core/base/lifecycle';
import type { ChatState } from '../shared/protocol';

/** Where agents may work: trusted workspaces, inside their folders. */
export class Workspace extends DisposableStore {
  private readonly changed = this.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;

  constructor() {
    super();
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()));
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.changed.fire()));
    this.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('parley')) {
          this.changed.fire();
        }
      }),
    );
  }

  get obstacle(): ChatState['obstacle'] {
    if (folders().length === 0) {
      return 'noFolder';
    }
    return vscode.workspace.isTrusted ? undefined : 'untrusted';
  }

  /** The folder a new session works in; asks when there are several and none is evident. */
  async chooseFolder(): Promise<string> {
    const first = this.firstFolder();
    if (folders().length === 1) {
      return first;
    }
    const active = vscode.window.activeTextEditor?.document.uri;
    const containing = active === undefined ? undefined : vscode.workspace.getWorkspaceFolder(active);
    const chosen = containing ?? (await vscode.window.showWorkspaceFolderPick());
    return chosen?.uri.fsPath ?? first;
  }

  firstFolder(): string {
    const [first] = folders();
    if (first === undefined) {
      throw new ParleyError('folderNotAllowed', 'Open a folder first: an agent works in a folder.');
    }
    return first.uri.fsPath;
  }

  checkFolder(folder: string): void {
    if (!vscode.workspace.isTrusted) {
      throw new ParleyError('notTrusted', 'Agents run only in trusted workspaces. Trust this one to go on.');
    }
    const isInside = folders().some(({ uri }) => {
      const relative = path.relative(uri.fsPath, folder);
      return !relative.startsWith('..') && !path.isAbsolute(relative);
    });
    if (!isInside) {
      throw new ParleyError('folderNotAllowed', `${folder} is not in a folder of this workspace.`);
    }
  }
}

/** Agents are processes: only folders on a disk of this machine count. */
function folders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}
