import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ParleyApi, SessionUpdate } from '../../src/core/api/parleyApi';
import { parleyApi, workspaceFolder } from '../support/hostApi';

describe('the API for other extensions', () => {
  let api: ParleyApi;

  before(async () => {
    api = await parleyApi();
  });

  it('lists the built-in demo agent', async () => {
    assert.ok((await api.agents.list()).some(({ id }) => id === 'demo'));
  });

  it('starts a session, prompts it and closes it', async () => {
    const updates: SessionUpdate[] = [];
    const listener = api.sessions.onDidUpdate((update) => updates.push(update));
    const { sessionId, workdir } = await api.sessions.start({ agentId: 'demo', title: 'From the API' });
    assert.equal(workdir, workspaceFolder());
    const result = await api.sessions.prompt(sessionId, 'hello');
    assert.equal(result.stopReason, 'end_turn');
    assert.equal(result.turnNumber, 1);
    assert.match(result.text, /script/i);
    assert.ok(updates.some(({ event }) => event?.type === 'messageChunk'));
    assert.equal((await api.sessions.get(sessionId))?.title, 'From the API');
    await api.sessions.close(sessionId);
    assert.equal((await api.sessions.get(sessionId))?.status, 'closed');
    await assert.rejects(api.sessions.prompt(sessionId, 'more'), { code: 'sessionClosed', status: 'closed' });
    listener.dispose();
  });

  it('rejects a second prompt while one runs, and cancels', async () => {
    const { sessionId } = await api.sessions.start({ agentId: 'demo' });
    const turn = api.sessions.prompt(sessionId, '/slow');
    await assert.rejects(api.sessions.prompt(sessionId, 'hello'), { code: 'promptActive' });
    await api.sessions.cancel(sessionId);
    assert.equal((await turn).stopReason, 'cancelled');
    await api.sessions.close(sessionId);
  });

  it('has codes for what goes wrong', async () => {
    await assert.rejects(api.sessions.start({ agentId: 'nobody' }), { code: 'agentNotFound' });
    await assert.rejects(api.sessions.prompt('no such session', 'x'), { code: 'sessionNotFound' });
    await assert.rejects(api.sessions.start({ agentId: 'demo', folder: '/' }), { code: 'folderNotAllowed' });
  });

  it('serves the agent’s edit through the editor, so that it can be undone', async () => {
    const file = path.join(workspaceFolder(), 'src', 'greet.js');
    const before = readFileSync(file, 'utf8');
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    const { sessionId } = await api.sessions.start({ agentId: 'demo' });
    await api.sessions.setConfig(sessionId, 'mode', 'auto');
    await api.sessions.prompt(sessionId, '/edit');
    const after = readFileSync(file, 'utf8');
    assert.notEqual(after, before);
    assert.equal(document.getText(), after);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), before);
    await document.save();
    await api.sessions.close(sessionId);
  });

  it('is what commands drive, too', async () => {
    const started = await vscode.commands.executeCommand<{ sessionId: string }>('parley.newSession', {
      agentId: 'demo',
    });
    assert.ok(await api.sessions.get(started.sessionId));
    await vscode.commands.executeCommand('parley.deleteSession', {
      sessionId: started.sessionId,
      confirm: false,
    });
    assert.equal(await api.sessions.get(started.sessionId), undefined);
  });
});
