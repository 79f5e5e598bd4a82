import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('The extension in a real VS Code', () => {
  it('activates', async () => {
    const extension = vscode.extensions.getExtension('parley.parley');
    assert.ok(extension, 'VS Code does not know the extension');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('works on a copy of the sample', async () => {
    const files = await vscode.workspace.findFiles('src/greet.js');
    assert.equal(files.length, 1);
  });
});
