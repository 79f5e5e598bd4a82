import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ParleyApi } from '../../src/core/api/parleyApi';
import { makeDirtyRepository, pictureOf } from '../support/folderPicture';
import { parleyApi, workspaceFolder } from '../support/hostApi';
import { until } from '../support/until';

describe('changes of agents', () => {
  const root = workspaceFolder();
  const notes = path.join(root, 'parley-demo', 'notes.md');
  let api: ParleyApi;
  let sessionId: string;

  const run = (command: string, argument: object = {}): Thenable<unknown> =>
    vscode.commands.executeCommand(command, { sessionId, confirm: false, ...argument });

  before(async () => {
    api = await parleyApi();
  });

  for (const kind of ['folder without git', 'repository with a dirty index'] as const) {
    describe(`in a ${kind}`, () => {
      let original: ReturnType<typeof pictureOf>;

      before(async () => {
        if (kind !== 'folder without git') {
          makeDirtyRepository(root);
        }
        original = pictureOf(root);
        ({ sessionId } = await api.sessions.start({ agentId: 'demo' }));
        await api.sessions.setConfig(sessionId, 'mode', 'auto');
      });

      after(async () => {
        await api.sessions.close(sessionId);
        rmSync(path.join(root, '.git'), { recursive: true, force: true });
        rmSync(path.join(root, 'untracked.txt'), { force: true });
      });

      it('are undone byte for byte, whichever way they were made', async () => {
        await api.sessions.prompt(sessionId, '/change');
        const after = pictureOf(root);
        assert.ok(existsSync(notes));
        assert.notDeepEqual(after, original);
        await run('parley.undoAllChanges');
        assert.deepEqual(pictureOf(root), original);
        await run('parley.undoReview');
        assert.deepEqual(pictureOf(root), after);
        await run('parley.undoAllChanges');
        assert.deepEqual(pictureOf(root), original);
      });

      it('are not undone when they are kept', async () => {
        await api.sessions.prompt(sessionId, '/change');
        const after = pictureOf(root);
        await run('parley.keepAllChanges');
        await run('parley.undoAllChanges');
        assert.deepEqual(pictureOf(root), after);
      });

      it('leave the user’s own edits alone when they are undone', async () => {
        const readme = path.join(root, 'README.md');
        const kept = readFileSync(readme, 'utf8');
        await api.sessions.prompt(sessionId, '/change');
        writeFileSync(readme, `Mine.\n${readFileSync(readme, 'utf8')}`);
        await run('parley.undoAllChanges');
        assert.equal(readFileSync(readme, 'utf8'), `Mine.\n${kept}`);
        writeFileSync(readme, kept);
      });

      it('are found again when another program has written to the file', async () => {
        const readme = vscode.Uri.file(path.join(root, 'README.md'));
        const kept = readFileSync(readme.fsPath, 'utf8');
        await api.sessions.prompt(sessionId, '/change');
        writeFileSync(readme.fsPath, `Mine.\n${readFileSync(readme.fsPath, 'utf8')}`);
        await vscode.window.showTextDocument(readme);
        const wanted = kept.split('\n').length;
        await until('the lens one line further down', async () => {
          const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
            'vscode.executeCodeLensProvider',
            readme,
          );
          return lenses[0]?.range.start.line === wanted;
        });
        await run('parley.undoAllChanges');
        assert.equal(readFileSync(readme.fsPath, 'utf8'), `Mine.\n${kept}`);
        writeFileSync(readme.fsPath, kept);
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      });

      it('go back to before a prompt, and forth again', async () => {
        await run('parley.keepAllChanges');
        const start = pictureOf(root);
        const { turnNumber } = await api.sessions.prompt(sessionId, '/change');
        await run('parley.keepAllChanges');
        await api.sessions.prompt(sessionId, '/change');
        const end = pictureOf(root);
        await run('parley.restoreCheckpoint', { turnId: turnNumber });
        assert.deepEqual(pictureOf(root), start);
        await run('parley.undoReview');
        assert.deepEqual(pictureOf(root), end);
        await run('parley.restoreCheckpoint', { turnId: 1 });
        assert.deepEqual(pictureOf(root), original);
        assert.deepEqual(await run('parley.undoAllChanges'), {
          id: undefined,
          files: [],
          conflicts: [],
        });
      });
    });
  }
});
