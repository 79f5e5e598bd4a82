import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { readAttachments, type Attachment } from '../../src/shared/attachments';
import type { ContentBlock } from '../../src/shared/transcript/model';
import { openingBlocks } from '../../src/vscode/chat/openingBlocks';
import { EditorContext } from '../../src/vscode/context/editorContext';
import { resolveAttachments, type Receiver } from '../../src/vscode/context/resolveAttachments';
import { workspaceFolder } from '../support/hostApi';

const root = workspaceFolder();
const embedding: Receiver = { agentName: 'Demo', workdir: root, takesImages: true, takesEmbedded: true };
const plain: Receiver = { ...embedding, takesImages: false, takesEmbedded: false };
const at = (name: string): string => path.join(root, name);
const uriOf = (name: string): string => vscode.Uri.file(at(name)).toString();
const file = (name: string): Attachment => ({ kind: 'file', id: name, name, path: at(name) });
const lines = (name: string, startLine: number, endLine: number): Attachment => ({
  kind: 'selection',
  id: name,
  name,
  path: at(name),
  startLine,
  endLine,
});
const resolve = async (receiver: Receiver, attachment: Attachment): Promise<ContentBlock> => {
  const [block] = await resolveAttachments(receiver, [attachment]);
  assert.ok(block, 'no block');
  return block;
};
const textOf = (block: ContentBlock): string => {
  assert.ok(block.kind === 'text', `a ${block.kind}`);
  return block.text;
};

describe('what goes along with a prompt', () => {
  before(() => {
    writeFileSync(at('lines.md'), 'one\ntwo\nthree\nfour\n');
  });

  it('is all that is selected in the explorer, folders too', async () => {
    const editorContext = new EditorContext(() => 'id');
    mkdirSync(at('some folder'), { recursive: true });
    const uris = ['lines.md', 'some folder'].map((name) => vscode.Uri.file(at(name)));
    assert.deepEqual(await editorContext.files(uris[0], uris), [
      { kind: 'file', id: 'id', name: 'lines.md', path: at('lines.md') },
      { kind: 'folder', id: 'id', name: 'some folder', path: at('some folder') },
    ]);
    // An editor's menu gives its place in the second argument.
    const [one] = await editorContext.files(uris[1], { groupId: 0 });
    assert.equal(one?.kind, 'folder');
    editorContext.dispose();
  });

  it('is embedded with what is typed and not saved', async () => {
    writeFileSync(at('unsaved.ts'), 'saved');
    const document = await vscode.workspace.openTextDocument(at('unsaved.ts'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 5), ' and typed'));
    assert.deepEqual(await resolve(embedding, file('unsaved.ts')), {
      kind: 'resource',
      uri: uriOf('unsaved.ts'),
      mimeType: 'text/typescript',
      text: 'saved and typed',
      blob: undefined,
    });
    await document.save();
  });

  it('leaves out images over the limits of the agent, and says so', async () => {
    const limits: Receiver = { ...embedding, agentName: 'Qwen', imageLimits: { bytes: 3, perTurn: 1 } };
    const image = (data: string): Attachment => ({
      kind: 'image',
      id: data,
      name: `${data}.png`,
      mimeType: 'image/png',
      data,
    });
    const [big, first, second] = await resolveAttachments(limits, [
      image('QUJDRA=='),
      image('QUJD'),
      image('REVG'),
    ]);
    assert.match(big?.kind === 'text' ? big.text : '', /Qwen takes none over/);
    assert.equal(first?.kind, 'image');
    assert.match(second?.kind === 'text' ? second.text : '', /Qwen takes 1 in a turn/);
  });

  it('is shown before there is an agent to read it for', () => {
    const blocks = openingBlocks({
      text: 'look',
      attachments: [
        file('a b.ts'),
        lines('lines.md', 2, 3),
        { kind: 'text', id: 't', name: 'pasted', text: 'words' },
        { kind: 'image', id: 'i', name: 'i.png', mimeType: 'image/png', data: 'QUJD' },
        { kind: 'changes', id: 'c', name: 'Changes' },
      ],
    });
    assert.deepEqual(
      blocks.map((block) => ('uri' in block && block.uri !== undefined ? block.uri : block.kind)),
      [uriOf('a b.ts'), `${uriOf('lines.md')}#L2-L3`, 'text', 'image', 'text', 'text'],
    );
    assert.deepEqual(blocks.at(-1), { kind: 'text', text: 'look' });
  });

  it('is a link for an agent that takes nothing embedded, and for what is big or no text', async () => {
    writeFileSync(at('big.txt'), 'x'.repeat(500_001));
    writeFileSync(at('data.bin'), Uint8Array.of(1, 0, 2));
    const link = (name: string, mimeType: string | undefined, size: number): ContentBlock => ({
      kind: 'resourceLink',
      uri: uriOf(name),
      name,
      title: undefined,
      description: undefined,
      mimeType,
      size,
    });
    assert.deepEqual(await resolve(plain, file('lines.md')), link('lines.md', 'text/markdown', 19));
    assert.deepEqual(await resolve(embedding, file('big.txt')), link('big.txt', 'text/plain', 500_001));
    assert.deepEqual(await resolve(embedding, file('data.bin')), link('data.bin', undefined, 3));
  });

  it('has the lines of a selection and nothing else', async () => {
    const block = await resolve(embedding, lines('lines.md', 2, 3));
    assert.ok(block.kind === 'resource');
    assert.equal(block.uri, `${uriOf('lines.md')}#L2-L3`);
    assert.equal(block.text, 'two\nthree');
    const quoted = textOf(await resolve(plain, lines('lines.md', 2, 99)));
    assert.match(quoted, /^\[Attached: lines\.md:2-5\]\n```markdown\ntwo\nthree\nfour\n```/);
  });

  it('has the lines that were selected, though others are in their place when it is sent', async () => {
    writeFileSync(at('moving.ts'), 'one\ntwo\nthree\n');
    const editorContext = new EditorContext(() => 'id');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(at('moving.ts')));
    editor.selection = new vscode.Selection(1, 0, 1, 1);
    const [selected] = editorContext.selection();
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'zero\n'));
    // As it comes back from the chat.
    const [kept] = readAttachments(JSON.parse(JSON.stringify([selected])));
    assert.ok(kept !== undefined);
    const block = await resolve(embedding, kept);
    assert.deepEqual(block.kind === 'resource' && [block.uri, block.text], [
      `${uriOf('moving.ts')}#L2-L2`,
      'two',
    ]);
    assert.match(
      textOf(await resolve(plain, kept)),
      /^\[Attached: moving\.ts:2-2\]\n```typescript\ntwo\n```/,
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    editorContext.dispose();
  });

  it('is the text itself of what is in no file', async () => {
    const editorContext = new EditorContext(() => 'id');
    const document = await vscode.workspace.openTextDocument({ content: 'one\ntwo\nthree' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(1, 0, 2, 5);
    const name = path.basename(document.uri.path);
    assert.deepEqual(editorContext.selection(), [
      { kind: 'text', id: 'id', name: `${name}:2-3`, text: 'two\nthree' },
    ]);
    assert.deepEqual(await editorContext.files(undefined), [
      { kind: 'text', id: 'id', name, text: 'one\ntwo\nthree' },
    ]);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    editorContext.dispose();
  });

  it('names what has vanished, and does not fail for it', async () => {
    for (const gone of [file('gone.ts'), lines('gone.ts', 1, 2)]) {
      assert.match(textOf(await resolve(embedding, gone)), /^\[Attached: gone\.ts\]\n.*left out/);
    }
  });

  it('sends images only to agents that take them', async () => {
    const image: Attachment = { kind: 'image', id: 'i', name: 'shot', mimeType: 'image/png', data: 'AQID' };
    assert.equal((await resolve(embedding, image)).kind, 'image');
    assert.match(textOf(await resolve(plain, image)), /shot.*\n.*Demo takes no images/);
    writeFileSync(at('dot.png'), Uint8Array.of(1, 2, 3));
    const picked = await resolve(embedding, file('dot.png'));
    assert.equal(picked.kind === 'image' ? picked.data : picked.kind, 'AQID');
    assert.equal((await resolve(plain, file('dot.png'))).kind, 'resourceLink');
  });

  it('takes folders as links, even those that were dropped as files', async () => {
    for (const kind of ['file', 'folder'] as const) {
      const block = await resolve(embedding, { kind, id: 'f', name: 'src', path: at('src') });
      assert.equal(block.kind === 'resourceLink' ? block.mimeType : block.kind, 'inode/directory');
    }
  });

  it('quotes text that has fences of its own', async () => {
    const text: Attachment = { kind: 'text', id: 't', name: 'notes', text: 'a\n```\nb\n```\n' };
    assert.match(textOf(await resolve(plain, text)), /\n````\na\n```\nb\n```\n````\n/);
    const block = await resolve(embedding, text);
    assert.ok(block.kind === 'resource');
    assert.equal(block.uri, 'attachment:///notes');
  });

  it('lists problems', async () => {
    const diagnostics = vscode.languages.createDiagnosticCollection('parley-test');
    const range = new vscode.Range(2, 0, 2, 3);
    diagnostics.set(vscode.Uri.file(at('lines.md')), [
      new vscode.Diagnostic(range, 'Too few', vscode.DiagnosticSeverity.Warning),
    ]);
    const problems: Attachment = { kind: 'problems', id: 'p', name: 'Problems', path: at('lines.md') };
    assert.match(textOf(await resolve(embedding, problems)), /\nlines\.md:3 warning Too few\n/);
    diagnostics.dispose();
    assert.match(textOf(await resolve(embedding, problems)), /no problems/);
  });
});

describe('git and the search for context', () => {
  const editorContext = new EditorContext(() => 'id');
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: root });
  };
  const labels = async (query: string): Promise<string[]> =>
    (await editorContext.search(query)).map(({ label }) => label);

  before(() => {
    mkdirSync(at('ignored'), { recursive: true });
    writeFileSync(at('.gitignore'), 'ignored/\n');
    writeFileSync(at('ignored/greetings.js'), '');
    mkdirSync(at('node_modules/x'), { recursive: true });
    writeFileSync(at('node_modules/x/greet.js'), '');
  });
  after(() => {
    editorContext.dispose();
    rmSync(at('.git'), { recursive: true, force: true });
    rmSync(at('.gitignore'));
  });

  it('says why there are no changes to send', async () => {
    const changes: Attachment = { kind: 'changes', id: 'c', name: 'Git changes' };
    assert.match(textOf(await resolve(embedding, changes)), /could not be had from git/);
    git('init', '-q');
    git('add', 'src');
    git('commit', '-q', '-m', 'first');
    writeFileSync(at('src/greet.js'), '// changed\n');
    const text = textOf(await resolve(embedding, changes));
    assert.match(text, /```diff\ndiff --git a\/src\/greet\.js/);
    assert.match(text, /\nlines\.md\n/);
    git('checkout', '-q', 'src/greet.js');
  });

  it('finds files and folders, without what is ignored or excluded', async () => {
    const found = await labels('greet');
    assert.equal(found[0], 'greet.js');
    assert.ok(found.includes('greet.test.js'));
    assert.equal(found.filter((label) => label === 'greet.js').length, 1);
    assert.ok(!found.includes('greetings.js'));
    assert.ok((await labels('src')).includes('src/'));
  });

  it('begins with the selection and the open editors', async () => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(at('test/greet.test.js')));
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    const found = await editorContext.search('');
    assert.deepEqual(found[0]?.attachment, {
      kind: 'selection',
      id: 'id',
      name: 'greet.test.js:1-2',
      path: at('test/greet.test.js'),
      startLine: 1,
      endLine: 2,
      text: editor.document.getText(new vscode.Range(0, 0, 1, 1000)),
    });
    assert.equal(found.find(({ attachment }) => attachment?.kind === 'file')?.label, 'greet.test.js');
    assert.ok(found.some(({ attachment }) => attachment?.kind === 'changes'));
  });

  it('notices new files', async () => {
    writeFileSync(at('src/brandNew.js'), '');
    const deadline = Date.now() + 15_000;
    while (!(await labels('brandNew')).includes('brandNew.js')) {
      assert.ok(Date.now() < deadline, 'the new file was not found');
      await new Promise((next) => setTimeout(next, 100));
    }
  });
});
