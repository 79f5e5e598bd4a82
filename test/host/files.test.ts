import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import {
  PathGuard,
  type AccessAnswer,
  type AccessQuestion,
  type OutsidePolicy,
} from '../../src/core/files/pathGuard';
import { trySave } from '../../src/vscode/files/documents';
import { WorkspaceFiles } from '../../src/vscode/files/workspaceFiles';
import { MemoryLog } from '../support/fakes';
import { workspaceFolder } from '../support/hostApi';

describe('files for agents', () => {
  const root = workspaceFolder();
  const asked: AccessQuestion[] = [];
  const seen: string[] = [];
  const used: string[] = [];
  let answer: AccessAnswer = 'deny';
  let policy: OutsidePolicy = 'ask';
  let onDiskBefore: string | undefined;
  let atTurnStart: string | undefined;
  /** Meanwhile, while a write is noted. */
  let meanwhile = (): void => undefined;
  const guard = new PathGuard({
    ask: (question) => {
      asked.push(question);
      return Promise.resolve(answer);
    },
    outside: () => policy,
    protectedGlobs: () => ['**/.env'],
    ownFolders: [],
  });
  const log = new MemoryLog();
  const files = new WorkspaceFiles(
    guard,
    {
      onWillWrite: async (file, sessionId) => {
        onDiskBefore = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
        seen.push(`will ${path.basename(file)} ${sessionId}`);
        meanwhile();
      },
      onDidWrite: async (file, sessionId) => {
        seen.push(`did ${path.basename(file)} ${sessionId}`);
        if (path.basename(file) === 'unnoted.txt') {
          throw new Error('It could not be noted.');
        }
      },
      versionAtTurnStart: () =>
        Promise.resolve(atTurnStart === undefined ? undefined : Buffer.from(atTurnStart)),
      onDidUse: (file, sessionId, line) =>
        used.push(`${path.basename(file)} ${sessionId} ${line ?? 'whole'}`),
    },
    log,
  );
  const at = (name: string): string => path.join(root, name);
  const request = (name: string): { sessionId: string; roots: readonly string[]; path: string } => ({
    sessionId: 's',
    roots: [root],
    path: at(name),
  });
  const read = (name: string, line?: number, limit?: number): Promise<string> =>
    files.readTextFile({ ...request(name), line, limit });
  const write = (name: string, content: string): Promise<void> =>
    files.writeTextFile({ ...request(name), content });
  const onDisk = (name: string): string => readFileSync(at(name), 'utf8');
  const open = async (name: string): Promise<vscode.TextEditor> =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at(name)));

  beforeEach(() => {
    asked.length = 0;
    seen.length = 0;
    used.length = 0;
    answer = 'deny';
    policy = 'ask';
    atTurnStart = undefined;
    meanwhile = () => undefined;
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('reads lines as the protocol counts them', async () => {
    writeFileSync(at('lines.txt'), 'one\ntwo\nthree\nfour\n');
    assert.equal(await read('lines.txt', 2, 2), 'two\nthree');
    assert.equal(await read('lines.txt', 3), 'three\nfour\n');
  });

  it('reads what is typed and not saved', async () => {
    writeFileSync(at('dirty.txt'), 'saved');
    const editor = await open('dirty.txt');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 5), ' and typed'));
    assert.equal(await read('dirty.txt'), 'saved and typed');
    await editor.document.save();
  });

  it('tells a missing file, a folder and a binary file apart', async () => {
    mkdirSync(at('folder'), { recursive: true });
    writeFileSync(at('image.bin'), Buffer.from([0x89, 0x50, 0, 1, 2, 3, 0, 0]));
    await assert.rejects(read('missing.txt'), { kind: 'notFound' });
    await assert.rejects(read('folder'), { kind: 'invalid', message: /is a folder/ });
    await assert.rejects(read('image.bin'), { kind: 'invalid', message: /binary/ });
    await assert.rejects(write('folder', 'x'), { kind: 'invalid', message: /is a folder/ });
  });

  it('reads and keeps byte order marks, encodings and line breaks', async () => {
    writeFileSync(at('bom.txt'), '\ufeffone\r\ntwo\r\n');
    assert.equal(await read('bom.txt'), 'one\r\ntwo\r\n');
    await write('bom.txt', 'one\n2\n');
    assert.equal(onDisk('bom.txt'), '\ufeffone\r\n2\r\n');
    writeFileSync(at('utf16.txt'), Buffer.from('\ufeffgrün\n', 'utf16le'));
    assert.equal(await read('utf16.txt'), 'grün\n');
    await write('utf16.txt', 'blau ü\n');
    assert.deepEqual(readFileSync(at('utf16.txt')), Buffer.from('\ufeffblau ü\n', 'utf16le'));
  });

  it('reads a line of 50 MB without keeping the host from its work', async () => {
    writeFileSync(at('large.txt'), `${'a line of text that is not short\n'.repeat(1_600_000)}the end`);
    let turns = 0;
    let isReading = true;
    const countTurn = (): void => {
      turns += 1;
      if (isReading) {
        setImmediate(countTurn);
      }
    };
    setImmediate(countTurn);
    assert.equal((await read('large.txt')).length, 33 * 1_600_000 + 7);
    assert.equal(await read('large.txt', 1_600_001, 5), 'the end');
    isReading = false;
    assert.ok(turns > 100, `others had only ${turns} turns`);
    assert.equal(await read('large.txt', 2, 1), 'a line of text that is not short');
    truncateSync(at('large.txt'), 0);
  });

  it('writes new files with their folders, and existing ones, and tells who listens', async () => {
    await write('new/deep/file.txt', 'first');
    assert.equal(onDisk('new/deep/file.txt'), 'first');
    await write('new/deep/file.txt', 'second');
    assert.equal(onDisk('new/deep/file.txt'), 'second');
    assert.deepEqual(seen, ['will file.txt s', 'did file.txt s', 'will file.txt s', 'did file.txt s']);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    assert.equal(tabs.includes('file.txt'), false);
  });

  it('changes only what is different: the cursor stays at its word, and undo takes it back', async () => {
    writeFileSync(at('cursor.txt'), 'one\ntwo\nthree\nfour\n');
    const editor = await open('cursor.txt');
    editor.selection = new vscode.Selection(2, 2, 2, 2);
    await write('cursor.txt', 'zero\none\ntwo\nthree\nFOUR\n');
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [3, 2]);
    assert.equal(editor.document.isDirty, false);
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\nfour\n');
    await editor.document.save();
  });

  it('merges with what the user typed since, and keeps it at the next write too', async () => {
    writeFileSync(at('merge.txt'), '1\n2\n3\n4\n5\n');
    await read('merge.txt');
    const editor = await open('merge.txt');
    await editor.edit((edit) => edit.replace(new vscode.Range(4, 0, 4, 1), 'five, by the user'));
    await write('merge.txt', 'ONE\n2\n3\n4\n5\n');
    assert.equal(onDisk('merge.txt'), 'ONE\n2\n3\n4\nfive, by the user\n');
    await write('merge.txt', 'ONE\nTWO\n3\n4\n5\n');
    assert.equal(onDisk('merge.txt'), 'ONE\nTWO\n3\n4\nfive, by the user\n');
  });

  it('writes nothing where the user changed the same lines, until the agent has read them', async () => {
    writeFileSync(at('clash.txt'), '1\n2\n3\n');
    await read('clash.txt');
    const editor = await open('clash.txt');
    await editor.edit((edit) => edit.replace(new vscode.Range(1, 0, 1, 1), 'user'));
    for (let time = 0; time < 2; time += 1) {
      await assert.rejects(write('clash.txt', '1\nagent\n3\n'), {
        kind: 'failed',
        message: /[Rr]ead the file/,
      });
      assert.equal(editor.document.getText(), '1\nuser\n3\n');
    }
    assert.equal(await read('clash.txt'), '1\nuser\n3\n');
    await write('clash.txt', '1\nuser and agent\n3\n');
    assert.equal(onDisk('clash.txt'), '1\nuser and agent\n3\n');
  });

  it('protects unsaved edits from an agent that read the disk by itself', async () => {
    writeFileSync(at('own.txt'), 'a\nb\nc\n');
    const editor = await open('own.txt');
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 1), 'user'));
    await write('own.txt', 'a\nb\nagent\n');
    assert.equal(onDisk('own.txt'), 'user\nb\nagent\n');
  });

  it('saves what the user typed as the user’s before the agent’s change begins', async () => {
    writeFileSync(at('typed.txt'), 'a\nb\nc\n');
    const editor = await open('typed.txt');
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 1), 'user'));
    const saves: boolean[] = [];
    const listener = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      saves.push(files.isWriting(uri.fsPath));
    });
    await write('typed.txt', 'a\nb\nagent\n');
    listener.dispose();
    assert.equal(onDiskBefore, 'user\nb\nc\n');
    assert.equal(onDisk('typed.txt'), 'user\nb\nagent\n');
    assert.deepEqual(saves, [false, true]);
  });

  it('does not take a change back for nothing: the same words again are written, or refused', async () => {
    writeFileSync(at('undone.txt'), 'one\n');
    await write('undone.txt', 'two\n');
    // A review has given the file back as it was.
    writeFileSync(at('undone.txt'), 'one\n');
    await files.forget(at('undone.txt'));
    await write('undone.txt', 'two\n');
    assert.equal(onDisk('undone.txt'), 'two\n');
    writeFileSync(at('undone.txt'), 'mine\n');
    await assert.rejects(write('undone.txt', 'two\n'), /Read the file again/);
    assert.equal(onDisk('undone.txt'), 'mine\n');
  });

  it('writes also when the write cannot be noted', async () => {
    await write('unnoted.txt', 'there');
    assert.equal(onDisk('unnoted.txt'), 'there');
    assert.match(log.lines.join(), /could not be noted/);
  });

  it('does one write after the other', async () => {
    writeFileSync(at('many.txt'), 'start\n');
    const texts = Array.from({ length: 8 }, (_, index) => `${index}\n`.repeat(50));
    await Promise.all(texts.map((text) => write('many.txt', text)));
    assert.equal(onDisk('many.txt'), texts.at(-1));
  });

  it('asks before it follows a link out of the folder, also for files that are not there yet', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'parley-outside-'));
    symlinkSync(outside, at('way-out'));
    writeFileSync(path.join(outside, 'secret.txt'), 'secret');
    await assert.rejects(read('way-out/secret.txt'), { kind: 'refused' });
    await assert.rejects(write('way-out/new.txt', ''), { kind: 'refused' });
    assert.deepEqual(
      asked.map(({ access, reason }) => [access, reason]),
      [
        ['read', 'outside'],
        ['write', 'outside'],
      ],
    );
    answer = 'session';
    assert.equal(await read('way-out/secret.txt'), 'secret');
    assert.equal(await read('way-out/secret.txt'), 'secret');
    assert.equal(asked.length, 3);
    await write('..name.txt', 'inside');
    assert.equal(asked.length, 3);
  });

  it('refuses what is outside of the session’s folder when it is told to', async () => {
    policy = 'deny';
    await assert.rejects(read('../outside.txt'), { kind: 'refused' });
    await assert.rejects(write('../outside.txt', ''), { kind: 'refused' });
    assert.deepEqual(asked, []);
  });

  it('asks before it writes what is protected, and reads it without', async () => {
    writeFileSync(at('.env'), 'KEY=1');
    assert.equal(await read('.env'), 'KEY=1');
    await assert.rejects(write('.env', 'KEY=2'), { kind: 'refused' });
    await assert.rejects(write('.git/hooks/pre-commit', 'x'), { kind: 'refused' });
    assert.deepEqual(
      asked.map(({ reason }) => reason),
      ['protected', 'protected'],
    );
    answer = 'once';
    await write('.env', 'KEY=3');
    assert.equal(onDisk('.env'), 'KEY=3');
  });

  it('does not follow a folder that becomes a link out while the write is noted', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'parley-swapped-'));
    for (const [name, text] of [
      ['created', undefined],
      ['overwritten', 'before'],
    ] as const) {
      mkdirSync(at(name));
      if (text !== undefined) {
        writeFileSync(at(`${name}/file.txt`), text);
        writeFileSync(path.join(outside, 'file.txt'), text);
      }
      meanwhile = () => {
        renameSync(at(name), at(`${name}-moved`));
        symlinkSync(outside, at(name));
      };
      await assert.rejects(write(`${name}/file.txt`, 'agent'), { kind: 'refused' });
      const found = path.join(outside, 'file.txt');
      assert.equal(existsSync(found) ? readFileSync(found, 'utf8') : undefined, text);
    }
  });

  it('asks about what is protected outside, too, where all outside is allowed', async () => {
    policy = 'allow';
    const outside = mkdtempSync(path.join(tmpdir(), 'parley-allowed-'));
    mkdirSync(path.join(outside, '.git'));
    const writeAt = (file: string): Promise<void> =>
      files.writeTextFile({ sessionId: 's', roots: [root], path: file, content: 'agent' });
    await writeAt(path.join(outside, 'fine.txt'));
    for (const name of ['.git/config', '.env', `${path.basename(outside)}/../.env`]) {
      await assert.rejects(writeAt(path.join(outside, name)), { kind: 'refused' });
    }
    assert.deepEqual(
      asked.map(({ reason }) => reason),
      ['protected', 'protected', 'protected'],
    );
  });

  it('takes what an agent wrote on top of the user’s lines, and what it insists on', async () => {
    writeFileSync(at('again.txt'), '1\n2\n3\n');
    await read('again.txt');
    const editor = await open('again.txt');
    await editor.edit((edit) => edit.replace(new vscode.Range(1, 0, 1, 1), 'user'));
    await editor.document.save();
    await write('again.txt', '1\nuser\nagent, who has read the disk\n');
    assert.equal(onDisk('again.txt'), '1\nuser\nagent, who has read the disk\n');
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 1), 'first'));
    await editor.document.save();
    for (let time = 0; time < 2; time += 1) {
      await assert.rejects(write('again.txt', 'agent\nuser\n'), { kind: 'failed' });
    }
    await write('again.txt', 'agent\nuser\n');
    assert.equal(onDisk('again.txt'), 'agent\nuser\n');
  });

  it('keeps what the user saved since the turn began from an agent that read the disk before', async () => {
    atTurnStart = 'a\nb\nc\n';
    writeFileSync(at('saved.txt'), 'user\nb\nc\n');
    await write('saved.txt', 'a\nb\nagent\n');
    assert.equal(onDisk('saved.txt'), 'user\nb\nagent\n');
  });

  it('does not wait for ever for a save that hangs', async () => {
    writeFileSync(at('hangs.txt'), 'text');
    const { document } = await open('hangs.txt');
    const hanging = Object.create(document, {
      save: { value: () => new Promise(() => undefined) },
    }) as typeof document;
    assert.equal(await trySave(hanging, 10), false);
    assert.equal(await trySave(document, 20_000), true);
  });

  it('writes on top of what a command has just made of an open file', async () => {
    writeFileSync(at('stale.txt'), '1\n2\n3\n');
    const { document } = await open('stale.txt');
    for (const text of ['1\nX\n3\n', '1\nY\n3\n', '1\n2\nmore\n']) {
      writeFileSync(at('stale.txt'), text);
      await files.writeTextFile({ ...request('stale.txt'), sessionId: text, content: `agent ${text}` });
      assert.equal(onDisk('stale.txt'), `agent ${text}`);
      assert.equal(document.isDirty, false);
    }
  });
});
