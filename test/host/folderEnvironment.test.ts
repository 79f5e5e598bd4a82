import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { folderEnvironment } from '../../src/vscode/folderEnvironment';
import { workspaceFolder } from '../support/hostApi';

describe('the environment of commands', () => {
  const folder = workspaceFolder();
  const settings = (): vscode.WorkspaceConfiguration =>
    vscode.workspace.getConfiguration('terminal.integrated', vscode.Uri.file(folder));
  const name = process.platform === 'linux' ? 'env.linux' : 'env.osx';
  const set = (value: object | undefined): Thenable<void> =>
    settings().update(name, value, vscode.ConfigurationTarget.Workspace);

  before(function () {
    if (process.platform === 'win32') {
      this.skip();
    }
  });
  afterEach(() => set(undefined));

  it('is the login shell’s with what the settings give to terminals of the folder', async () => {
    await set({ PLACE: '${workspaceFolder}/bin', FROM: '${env:HOME}', GONE: null, ODD: '${file}' });
    const env = folderEnvironment({ HOME: '/home/me', GONE: 'x', STAYS: 'y' }, folder);
    assert.deepEqual(env, {
      HOME: '/home/me',
      GONE: undefined,
      STAYS: 'y',
      PLACE: `${folder}/bin`,
      FROM: '/home/me',
      ODD: '${file}',
    });
  });
});
