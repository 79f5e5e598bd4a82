import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../src/core/base/emitter';
import type { FileVersion } from '../../src/core/changes/model';
import type { Session } from '../../src/core/session/session';
import { createChangeCommands } from '../../src/vscode/changes/changeCommands';
import { EditorChangeFiles } from '../../src/vscode/changes/changeFiles';
import { ChangeReview } from '../../src/vscode/changes/changeReview';
import { ChangesDiff } from '../../src/vscode/changes/changesDiff';
import { ChangesView } from '../../src/vscode/changes/changesView';
import { WatchUser } from '../../src/vscode/changes/watchUser';
import { HunkLenses } from '../../src/vscode/changes/hunkLenses';
import { HunkPlaces } from '../../src/vscode/changes/hunkPlaces';
import { FakeChanges, hunk, pendingFile } from '../support/fakeChanges';
import { MemoryLog } from '../support/fakes';
import { workspaceFolder } from '../support/hostApi';
import { until } from '../support/until';

const root = path.join(workspaceFolder(), 'changes');
const at = (name: string): string => path.join(root, name);
const bytes = (text: string): FileVersion => ({ content: Buffer.from(text), mode: 'file' });
const onDisk = (name: string): string => readFileSync(at(name)).toString();

async function open(name: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(name)));
}

describe('files for a review', () => {
  const files = new EditorChangeFiles({
    folderOf: () => root,
    since: (folder) => (folder.endsWith('made') ? 0 : undefined),
  });
  const replace = async (name: string, after: FileVersion | undefined): Promise<void> => {
    assert.equal(await files.replace(at(name), await files.read(at(name)), after), true);
  };

  before(() => mkdirSync(root, { recursive: true }));
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are read byte for byte, with their mode, and a link as where it points to', async () => {
    writeFileSync(at('bom.txt'), '\uFEFFa\r\nb\n');
    writeFileSync(at('run.sh'), 'x');
    chmodSync(at('run.sh'), 0o755);
    rmSync(at('link'), { force: true });
    symlinkSync('bom.txt', at('link'));
    assert.deepEqual(await files.read(at('bom.txt')), bytes('\uFEFFa\r\nb\n'));
    assert.equal((await files.read(at('run.sh')))?.mode, 'executable');
    assert.deepEqual(await files.read(at('link')), { content: Buffer.from('bom.txt'), mode: 'link' });
    assert.equal(await files.read(at('missing')), undefined);
    assert.equal(await files.read(root), undefined);
  });

  it('are written with their parents, mode and links, and removed', async () => {
    await replace('deep/made/run.sh', { content: Buffer.from('#!'), mode: 'executable' });
    assert.equal(lstatSync(at('deep/made/run.sh')).mode & 0o100, 0o100);
    await replace('deep/made/run.sh', bytes('#!'));
    assert.equal(lstatSync(at('deep/made/run.sh')).mode & 0o111, 0);
    await replace('deep/made/run.sh', { content: Buffer.from('../target'), mode: 'link' });
    assert.equal(readlinkSync(at('deep/made/run.sh')), '../target');
    await replace('deep/made/run.sh', undefined);
    assert.equal(existsSync(at('deep/made')), false, 'a folder of the agent');
    assert.equal(existsSync(at('deep')), true, 'a folder of somebody else');
  });

  it('are changed in an open editor, saved, and can be undone there', async () => {
    writeFileSync(at('open.txt'), 'one\ntwo\nthree\n');
    const editor = await open('open.txt');
    editor.selection = new vscode.Selection(2, 3, 2, 3);
    await replace('open.txt', bytes('one\nthree\n'));
    assert.equal(onDisk('open.txt'), 'one\nthree\n');
    assert.equal(editor.document.getText(), 'one\nthree\n');
    assert.equal(editor.document.isDirty, false);
    assert.deepEqual(editor.selection.active, new vscode.Position(1, 3));
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
  });

  for (const [what, before, after] of [
    ['a byte order mark', '\uFEFFone\ntwo\n', '\uFEFFone\n'],
    ['Windows line ends', 'one\r\ntwo\r\n', 'one\r\n2\r\n'],
    ['mixed line ends', 'one\r\ntwo\nthree\r\n', 'one\r\n2\nthree\r\n'],
    ['other line ends than before', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['no text at all', 'one\n', '\0\u0001\0'],
  ] as const) {
    it(`keep ${what} in an open editor`, async () => {
      writeFileSync(at('exact.txt'), before);
      const editor = await open('exact.txt');
      await replace('exact.txt', bytes(after));
      assert.deepEqual(readFileSync(at('exact.txt')), Buffer.from(after));
      assert.equal(editor.document.isDirty, false);
    });
  }

  it('leave what is typed and not saved, and change the rest', async () => {
    writeFileSync(at('dirty.txt'), 'one\nAGENT\nthree\nfour\n');
    const editor = await open('dirty.txt');
    await editor.edit((edit) => edit.insert(new vscode.Position(3, 4), ' typed'));
    await replace('dirty.txt', bytes('one\nthree\nfour\n'));
    assert.equal(onDisk('dirty.txt'), 'one\nthree\nfour\n');
    assert.equal(editor.document.getText(), 'one\nthree\nfour typed\n');
    assert.equal(editor.document.isDirty, true);
  });

  it('lose nothing that is typed while the editor saves', async () => {
    writeFileSync(at('while.txt'), 'one\nAGENT\ntwo\nthree\n');
    const editor = await open('while.txt');
    editor.selection = new vscode.Selection(3, 5, 3, 5);
    await vscode.commands.executeCommand('type', { text: ' ty' });
    const listener = vscode.workspace.onDidSaveTextDocument(() => {
      listener.dispose();
      void vscode.commands.executeCommand('type', { text: 'ped' });
    });
    await replace('while.txt', bytes('one\ntwo\nthree\n'));
    await until('what was typed', () => editor.document.getText() === 'one\ntwo\nthree typed\n');
    assert.equal(onDisk('while.txt'), 'one\ntwo\nthree\n');
  });

  it('are left alone when somebody has written them since, or a link stands in the way', async () => {
    writeFileSync(at('since.txt'), 'somebody\n');
    assert.equal(await files.replace(at('since.txt'), bytes('agent\n'), bytes('before\n')), false);
    assert.equal(await files.replace(at('since.txt'), bytes('agent\n'), undefined), false);
    assert.equal(onDisk('since.txt'), 'somebody\n');
    const outside = mkdtempSync(path.join(tmpdir(), 'parley-linked-'));
    writeFileSync(path.join(outside, 'there.txt'), 'there');
    symlinkSync(outside, at('linked'));
    assert.equal(await files.read(at('linked/there.txt')), undefined);
    assert.equal(await files.replace(at('linked/new.txt'), undefined, bytes('x')), false);
    assert.equal(await files.replace(at('linked/there.txt'), bytes('there'), undefined), false);
    assert.deepEqual(readdirSync(outside), ['there.txt']);
    rmSync(at('linked'));
  });

  it('lose nothing that is typed in the very lines', async () => {
    writeFileSync(at('clash.txt'), 'one\nAGENT\n');
    const editor = await open('clash.txt');
    await editor.edit((edit) => edit.insert(new vscode.Position(1, 5), ' and me'));
    await replace('clash.txt', bytes('one\ntwo\n'));
    assert.equal(onDisk('clash.txt'), 'one\ntwo\n');
    assert.equal(editor.document.getText(), 'one\nAGENT and me\n');
  });
});

describe('the review in the editor', () => {
  const changes = new FakeChanges();
  const dispatched = new Emitter<{ session: Session; event: never }>();
  const places = new HunkPlaces(changes);
  const lenses = new HunkLenses(places, () => true);
  const diff = new ChangesDiff(changes, 'parley-before-test');
  const review = new ChangeReview(changes, { onDidDispatch: dispatched.event });
  const commands = createChangeCommands({ changes, review, diff, places }, () => {
    throw new Error('no session');
  });
  const file = at('lines.txt');
  const two = pendingFile(file, {
    folder: root,
    hunks: [hunk('h1', 1, ['old\n'], ['new\n', 'newer\n']), hunk('h2', 4, ['gone\n'], [])],
  });

  before(() => mkdirSync(root, { recursive: true }));
  beforeEach(() => {
    writeFileSync(file, 'a\nnew\nnewer\nb\nc\n');
    changes.calls.length = 0;
    changes.conflicts.clear();
    changes.set([two]);
  });
  afterEach(async () => {
    changes.set([]);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => {
    [lenses, places, diff, review].forEach((part) => part.dispose());
  });

  const lensLines = (document: vscode.TextDocument): string[] =>
    lenses.provideCodeLenses(document).map(({ range, command }) => `${range.start.line} ${command?.title}`);

  it('has Keep and Undo above each hunk, which move with what is typed', async () => {
    const editor = await open('lines.txt');
    assert.deepEqual(lensLines(editor.document), ['1 Keep', '1 Undo', '4 Keep', '4 Undo']);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed\n'));
    assert.deepEqual(lensLines(editor.document), ['2 Keep', '2 Undo', '5 Keep', '5 Undo']);
  });

  it('offers the whole file when there are no hunks', async () => {
    changes.set([pendingFile(file, { isWhole: true })]);
    const editor = await open('lines.txt');
    assert.deepEqual(lensLines(editor.document), ['0 Keep file', '0 Undo file']);
  });

  it('keeps the hunk at the cursor and undoes the one that is named', async () => {
    // Else the editor would come back to where the cursor was before, some time later.
    const selection = new vscode.Range(2, 0, 2, 0);
    const { document } = await open('lines.txt');
    await vscode.window.showTextDocument(document, { selection });
    await commands['parley.keepHunk']();
    await commands['parley.undoHunk']({ path: file, hunkId: 'h2' });
    assert.deepEqual(changes.calls, [
      `keep ${JSON.stringify({ path: file, hunkId: 'h1' })}`,
      `undo ${JSON.stringify({ path: file, hunkId: 'h2' })}`,
    ]);
    assert.deepEqual(lensLines(document), []);
  });

  it('goes from change to change, through the files and round', async () => {
    writeFileSync(at('more.txt'), 'x\ny\n');
    changes.set([two, pendingFile(at('more.txt'), { hunks: [hunk('h3', 1, [], ['y\n'])] })]);
    (await open('lines.txt')).selection = new vscode.Selection(0, 0, 0, 0);
    const where = (): string => {
      const editor = vscode.window.activeTextEditor;
      return `${path.basename(editor?.document.fileName ?? '')} ${editor?.selection.active.line}`;
    };
    const seen: string[] = [];
    for (let step = 0; step < 4; step++) {
      await commands['parley.nextChange']();
      seen.push(where());
    }
    assert.deepEqual(seen, ['lines.txt 1', 'lines.txt 4', 'more.txt 1', 'lines.txt 1']);
    await commands['parley.previousChange']();
    assert.equal(where(), 'more.txt 1');
  });

  it('undoes all without a question when told so, and gives what was left', async () => {
    changes.set([two, pendingFile(at('mixed.txt'))]);
    changes.conflicts.add(at('mixed.txt'));
    const result = await commands['parley.undoAllChanges']({ sessionId: 's1', confirm: false });
    const { lastReview: id } = changes;
    assert.deepEqual(result, { id, files: [file], conflicts: [at('mixed.txt')] });
  });

  it('offers the way back until the next change', async () => {
    await commands['parley.keepAllChanges']({});
    assert.deepEqual(review.summary('s1').reviewed, { kind: 'kept', files: 1 });
    assert.equal(await commands['parley.undoReview'](), true);
    assert.deepEqual(review.summary('s1'), { files: 1, added: 2, removed: 2, reviewed: undefined });
    await commands['parley.keepAllChanges']({});
    changes.set([pendingFile(at('next.txt'))]);
    assert.equal(review.summary('s1').reviewed, undefined);
  });

  it('offers no way back from a review that another one came after, and knows each of them', async () => {
    await commands['parley.keepAllChanges']({});
    const kept = changes.lastReview;
    await changes.restore('s1', 1);
    assert.equal(review.summary('s1').reviewed, undefined);
    await commands['parley.undoReview'](kept);
    assert.equal(changes.calls.at(-1), `undoReview ${kept}`);
    changes.set([two]);
    await commands['parley.keepAllChanges']({});
    const last = changes.lastReview;
    await review.undoReviewed();
    assert.equal(changes.calls.at(-1), `undoReview ${last}`);
  });

  it('shows a file beside what it was', async () => {
    changes.versions.set(file, bytes('a\nold\nb\ngone\nc\n'));
    await commands['parley.openChange']({ path: file });
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff, 'no diff editor');
    assert.equal(input.modified.fsPath, file);
    const before = await vscode.workspace.openTextDocument(input.original);
    assert.equal(before.getText(), 'a\nold\nb\ngone\nc\n');
  });

  it('lists files, under their sessions when there are several', () => {
    const view: { message?: string; badge?: vscode.ViewBadge } = {};
    const sessions = { get: () => undefined, onDidChange: new Emitter<Session | undefined>().event };
    const tree = new ChangesView(changes, sessions, view);
    const [node] = tree.getChildren();
    assert.deepEqual(node, { kind: 'file', sessionId: 's1', path: file });
    assert.equal(tree.getTreeItem(node).description, '+2 −2');
    changes.set([two, pendingFile(at('more.txt'), { sessionIds: ['s2'] })]);
    assert.deepEqual(
      tree.getChildren().map(({ kind, sessionId }) => `${kind} ${sessionId}`),
      ['session s1', 'session s2'],
    );
    changes.tracking = { kind: 'writesOnly', folder: root, reason: 'git was not found.' };
    changes.set([]);
    assert.match(view.message ?? '', /git was not found/);
    changes.tracking = { kind: 'partly', paths: [at('large.bin')] };
    changes.set([]);
    assert.match(view.message ?? '', /large\.bin/);
    changes.tracking = { kind: 'full' };
    changes.set([]);
    assert.equal(view.message, undefined);
    tree.dispose();
  });
});

describe('what the user does to files', () => {
  const changes = new FakeChanges();
  const watch = new WatchUser({
    changes,
    isAgentWriting: (file) => file === at('agent.txt'),
    log: new MemoryLog(),
  });

  before(() => mkdirSync(root, { recursive: true }));
  after(() => watch.dispose());

  it('with another program is told, and what an agent writes is not', async () => {
    writeFileSync(at('agent.txt'), 'agent\n');
    writeFileSync(at('other.txt'), 'from vim\n');
    const isTold = (name: string): boolean =>
      changes.calls.some((call) => call.startsWith('filesChanged') && call.includes(at(name)));
    await until('the file that was written', () => isTold('other.txt'), 8000);
    assert.equal(isTold('agent.txt'), false);
  });
});
