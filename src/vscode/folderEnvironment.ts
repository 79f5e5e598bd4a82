import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { expandVariables, type Environment } from '../core/process/expandVariables';
import { asObject } from '../shared/json';

const settingNames: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'windows', darwin: 'osx' };

/** What the user's own terminals have in this folder: the login shell's, and what the settings say for terminals. */
export function folderEnvironment(env: Environment, cwd: string): Environment {
  const uri = vscode.Uri.file(cwd);
  const workspaceFolder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? cwd;
  const name = `env.${settingNames[process.platform] ?? 'linux'}`;
  const configured = asObject(vscode.workspace.getConfiguration('terminal.integrated', uri).get(name));
  const source = { workspaceFolder, home: homedir(), env, platform: process.platform };
  const added = Object.entries(configured).map(([key, value]): [string, string | undefined] => [
    key,
    typeof value === 'string' ? expandKnown(value, source) : undefined,
  ]);
  return { ...env, ...Object.fromEntries(added) };
}

/** VS Code knows more variables than agents' settings do; those stay as they are written. */
function expandKnown(text: string, source: Parameters<typeof expandVariables>[1]): string {
  try {
    return expandVariables(text, source);
  } catch {
    return text;
  }
}
