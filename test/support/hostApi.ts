import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ParleyApi } from '../../src/core/api/parleyApi';

export function parleyExtension(): vscode.Extension<ParleyApi> {
  const extension = vscode.extensions.getExtension<ParleyApi>('parley.parley');
  assert.ok(extension, 'VS Code does not know the extension');
  return extension;
}

/** The API that other extensions get. */
export async function parleyApi(): Promise<ParleyApi> {
  return parleyExtension().activate();
}

export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'no folder is open');
  return folder.uri.fsPath;
}
