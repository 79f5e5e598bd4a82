import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ParleyApi } from '../../src/core/api/parleyApi';
import { EditorContext } from '../../src/vscode/context/editorContext';
import { parleyApi, workspaceFolder } from '../support/hostApi';

describe('session commands', () => {
  let api: ParleyApi;
  const ids: string[] = [];

  before(async () => {
    api = await parleyApi();
    for (const title of ['first', 'second']) {
      ids.push((await api.sessions.start({ agentId: 'demo', title })).sessionId);
    }
  });
  after(async () => {
    for (const sessionId of ids) {
      await vscode.commands.executeCommand('parley.deleteSession', { sessionId, confirm: false });
    }
  });

  it('step through the list and around its ends', async () => {
    const count = (await api.sessions.list()).length;
    const step = async (command: string): Promise<string | undefined> =>
      (await vscode.commands.executeCommand<{ sessionId: string } | undefined>(command))?.sessionId;
    await vscode.commands.executeCommand('parley.openSession', { sessionId: ids[0] });
    const there = await step('parley.nextSession');
    assert.notEqual(there, ids[0]);
    assert.equal(await step('parley.previousSession'), ids[0]);
    for (let index = 1; index < count; index++) {
      assert.notEqual(await step('parley.nextSession'), ids[0]);
    }
    assert.equal(await step('parley.nextSession'), ids[0]);
  });

  it('keep the grouping in the settings', async () => {
    const grouping = (): unknown => vscode.workspace.getConfiguration('parley').get('sessions.groupBy');
    await vscode.commands.executeCommand('parley.groupSessions', { by: 'agent' });
    assert.equal(grouping(), 'agent');
    await vscode.commands.executeCommand('parley.groupSessions', { by: 'date' });
    assert.equal(grouping(), 'date');
  });
});

describe('problems as context', () => {
  const file = path.join(workspaceFolder(), 'faulty.md');
  const uri = vscode.Uri.file(file);
  const diagnostics = vscode.languages.createDiagnosticCollection('parley-problem-test');
  const editorContext = new EditorContext(() => 'id');

  before(() => {
    writeFileSync(file, 'one\ntwo\n');
    const problem = (line: number, message: string): vscode.Diagnostic =>
      new vscode.Diagnostic(new vscode.Range(line, 0, line, 3), message, vscode.DiagnosticSeverity.Error);
    diagnostics.set(uri, [problem(0, 'Not this'), problem(1, 'Bad word')]);
  });
  after(() => {
    diagnostics.dispose();
    editorContext.dispose();
  });

  it('are offered as a Quick Fix, which adds that problem only', async () => {
    await parleyApi();
    await vscode.workspace.openTextDocument(uri);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      new vscode.Range(1, 0, 1, 3),
    );
    const ours = actions.filter(({ command }) => command?.command === 'parley.addProblem');
    assert.equal(ours.length, 1);
    assert.deepEqual(editorContext.problem(ours[0]?.command?.arguments?.[0]), [
      { kind: 'text', id: 'id', name: 'Problem in faulty.md:2', text: 'faulty.md:2 error Bad word' },
    ]);
  });
});
