import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ParleyApi } from '../../src/core/api/parleyApi';
import { EditorContext } from '../../src/vscode/context/editorContext';
import { parleyApi, workspaceFolder } from '../support/hostApi';
import { until } from '../support/until';

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

  it('close the tab of a session that is deleted', async () => {
    const { sessionId } = await api.sessions.start({ agentId: 'demo', title: 'soon gone' });
    const tabs = (): readonly string[] =>
      vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);
    await vscode.commands.executeCommand('parley.openInEditor', { sessionId });
    await until('the tab', () => tabs().includes('soon gone'));
    await vscode.commands.executeCommand('parley.renameSession', { sessionId, title: 'gone' });
    await until('its new title', () => tabs().includes('gone'));
    await vscode.commands.executeCommand('parley.deleteSession', { sessionId, confirm: false });
    await until('the end of the tab', () => !tabs().includes('gone'));
  });

  it('bring a question to sight that is not there, and answer it then', async () => {
    const [sessionId = '', other = ''] = ids;
    await vscode.commands.executeCommand('parley.openSession', { sessionId: other });
    const events: string[] = [];
    const listener = api.sessions.onDidUpdate(({ event }) => events.push(event?.type ?? ''));
    const turn = api.sessions.prompt(sessionId, '/run node --version');
    await until('the question', () => events.includes('permissionAsked'));
    await vscode.commands.executeCommand('parley.rejectPermission');
    assert.equal(events.includes('permissionAnswered'), false);
    await vscode.commands.executeCommand('parley.rejectPermission');
    assert.equal(events.includes('permissionAnswered'), true);
    await turn;
    listener.dispose();
  });

  it('find a session by what was said in it, and export it', async () => {
    const [sessionId = '', other = ''] = ids;
    await api.sessions.prompt(sessionId, 'where do zebras cross');
    await vscode.commands.executeCommand('parley.openSession', { sessionId: other });
    let isFound = false;
    const search = vscode.commands
      .executeCommand('parley.searchSessions', { query: 'zebras cross' })
      .then(() => (isFound = true));
    await until('the session that was found', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isFound;
    });
    await search;
    await vscode.commands.executeCommand('parley.exportTranscript');
    const exported = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(exported, /^# first\n.*## You\n\nwhere do zebras cross/s);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
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
