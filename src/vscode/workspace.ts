import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import { ParleyError } from '../core/base/errors';
import { DisposableStore } from '../core/base/lifecycle';
import { isInside } from '../core/files/pathRules';
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

  /** All that agents may work in. */
  folders(): readonly string[] {
    return folders().map(({ uri }) => uri.fsPath);
  }

  firstFolder(): string {
    const [first] = folders();
    if (first === undefined) {
      throw new ParleyError('folderNotAllowed', 'Open a folder first: an agent works in a folder.');
    }
    return first.uri.fsPath;
  }

  /** The folders beside the one that a session works in. What holds that one, or is in it, is not beside it. */
  otherFolders(folder: string): readonly string[] {
    return this.folders().filter((other) => !isInside(other, folder) && !isInside(folder, other));
  }

  checkFolder(folder: string): void {
    if (!vscode.workspace.isTrusted) {
      throw new ParleyError('notTrusted', 'Agents run only in trusted workspaces. Trust this one to go on.');
    }
    // A link inside of a folder may lead out of it.
    const real = realFolder(folder);
    if (!folders().some(({ uri }) => isInside(realFolder(uri.fsPath), real))) {
      throw new ParleyError('folderNotAllowed', `${folder} is not in a folder of this workspace.`);
    }
  }
}

/** Agents are processes: only folders on a disk of this machine count. */
function folders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
