import { realpath } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { FileProblem, type FilePort, type ReadRequest, type WriteRequest } from '../core/ports';

/** Serves agents' file requests through the editor: unsaved text counts, and undo works. */
export class WorkspaceFiles implements FilePort {
  async readTextFile(request: ReadRequest): Promise<string> {
    const uri = await allowedUri(request);
    const text = await readText(uri);
    if (request.line === undefined && request.limit === undefined) {
      return text;
    }
    const lines = text.split('\n');
    const start = Math.max(0, (request.line ?? 1) - 1);
    return lines.slice(start, request.limit === undefined ? undefined : start + request.limit).join('\n');
  }

  async writeTextFile(request: WriteRequest): Promise<void> {
    const uri = await allowedUri(request);
    const edit = new vscode.WorkspaceEdit();
    const document = await openDocument(uri);
    if (document === undefined) {
      edit.createFile(uri, { contents: new TextEncoder().encode(request.content) });
    } else {
      edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), request.content);
    }
    if (!(await vscode.workspace.applyEdit(edit))) {
      throw new FileProblem('failed', `The editor did not take the change to ${request.path}.`);
    }
    const written = await vscode.workspace.openTextDocument(uri);
    if (written.isDirty && !(await written.save())) {
      throw new FileProblem('failed', `${request.path} could not be saved.`);
    }
  }
}

async function readText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) {
    return open.getText();
  }
  let stat: vscode.FileStat;
  try {
    stat = await vscode.workspace.fs.stat(uri);
  } catch {
    throw new FileProblem('notFound', `There is no file ${uri.fsPath}.`);
  }
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    throw new FileProblem('invalid', `${uri.fsPath} is a folder.`);
  }
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
  return vscode.workspace.openTextDocument(uri);
}

/** Links are followed before the question is asked: one inside the folder may lead out of it. */
async function allowedUri(request: { readonly path: string; readonly root: string }): Promise<vscode.Uri> {
  const file = path.resolve(request.path);
  const [realRoot, realFile] = await Promise.all([realPath(request.root), realPath(file)]);
  if (!isInside(request.root, file) || !isInside(realRoot, realFile)) {
    throw new FileProblem('refused', `${file} is outside of the session's folder ${request.root}.`);
  }
  return vscode.Uri.file(file);
}

function isInside(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Of what does not exist yet, the nearest folder that does decides. */
async function realPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(await realPath(parent), path.basename(file));
  }
}
