import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { WorkspaceFiles } from '../../src/vscode/files';
import { workspaceFolder } from '../support/hostApi';

describe('files for agents', () => {
  const files = new WorkspaceFiles();
  const root = workspaceFolder();
  const request = (name: string): { sessionId: string; root: string; path: string } => ({
    sessionId: 's',
    root,
    path: path.join(root, name),
  });
  const read = (name: string, line?: number, limit?: number): Promise<string> =>
    files.readTextFile({ ...request(name), line, limit });

  it('reads lines as the protocol counts them', async () => {
    writeFileSync(path.join(root, 'lines.txt'), 'one\ntwo\nthree\nfour\n');
    assert.equal(await read('lines.txt', 2, 2), 'two\nthree');
    assert.equal(await read('lines.txt', 3), 'three\nfour\n');
  });

  it('reads what is typed and not saved', async () => {
    writeFileSync(path.join(root, 'dirty.txt'), 'saved');
    const document = await vscode.workspace.openTextDocument(path.join(root, 'dirty.txt'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 5), ' and typed'));
    assert.equal(await read('dirty.txt'), 'saved and typed');
    await document.save();
  });

  it('tells a missing file from a folder', async () => {
    mkdirSync(path.join(root, 'folder'), { recursive: true });
    await assert.rejects(read('missing.txt'), { kind: 'notFound' });
    await assert.rejects(read('folder'), { kind: 'invalid' });
  });

  it('writes new files with their folders, and existing ones', async () => {
    await files.writeTextFile({ ...request('new/deep/file.txt'), content: 'first' });
    assert.equal(readFileSync(path.join(root, 'new/deep/file.txt'), 'utf8'), 'first');
    await files.writeTextFile({ ...request('new/deep/file.txt'), content: 'second' });
    assert.equal(readFileSync(path.join(root, 'new/deep/file.txt'), 'utf8'), 'second');
  });

  it('refuses a link that leads out of the folder, also for files that are not there yet', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'parley-outside-'));
    symlinkSync(outside, path.join(root, 'way-out'));
    writeFileSync(path.join(outside, 'secret.txt'), 'secret');
    await assert.rejects(read('way-out/secret.txt'), { kind: 'refused' });
    await assert.rejects(files.writeTextFile({ ...request('way-out/new.txt'), content: '' }), {
      kind: 'refused',
    });
    await files.writeTextFile({ ...request('..name.txt'), content: 'inside' });
  });

  it('refuses what is outside of the session’s folder', async () => {
    await assert.rejects(read('../outside.txt'), { kind: 'refused' });
    await assert.rejects(files.writeTextFile({ ...request('../outside.txt'), content: '' }), {
      kind: 'refused',
    });
  });
});
