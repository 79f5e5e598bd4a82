import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Config } from '../../src/vscode/config';
import { watchAgentSetting } from '../../src/vscode/configProblems';
import { parleyApi } from '../support/hostApi';

describe('the setting parley.agents', () => {
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('parley');

  after(async () => {
    await settings().update('agents', undefined, vscode.ConfigurationTarget.Workspace);
  });

  it('names the key of a bad entry as soon as it is written, and the others work', async () => {
    const context = { asAbsolutePath: (name: string) => name, globalStorageUri: vscode.Uri.file('/') };
    const problem = new Promise<unknown>((resolve) => {
      watchAgentSetting(new Config(context as vscode.ExtensionContext), resolve);
    });
    const agents = { good: { command: 'node' }, bad: { command: 3 } };
    await settings().update('agents', agents, vscode.ConfigurationTarget.Workspace);
    assert.match(String(await problem), /"bad".*command/);
    const listed = (await (await parleyApi()).agents.list()).map(({ id }) => id);
    assert.deepEqual(listed, ['good', 'bad', 'demo']);
  });
});
