import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  PathGuard,
  type Access,
  type AccessAnswer,
  type AccessQuestion,
  type AccessRequest,
  type OutsidePolicy,
} from '../../../../src/core/files/pathGuard';
import { isInside, isRemote, normalPath } from '../../../../src/core/files/pathRules';

describe('paths that try to get out of the roots', () => {
  const asked: AccessQuestion[] = [];
  let [base, root, other, outside] = ['', '', '', ''];
  let answer: AccessAnswer;
  let policy: OutsidePolicy;
  let guard: PathGuard;

  const request = (path: string, access: Access = 'write'): AccessRequest => ({
    sessionId: 's',
    roots: [root, other],
    path,
    access,
  });
  const allow = async (path: string, access?: Access): Promise<string> =>
    (await guard.allow(request(path, access))).path;
  const refused = (path: string, access?: Access): Promise<void> =>
    assert.rejects(allow(path, access), { kind: 'refused' }, path);

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'parley-traversal-')));
    [root, other, outside] = [join(base, 'root'), join(base, 'other'), join(base, 'outside')];
    [root, other, outside].forEach((folder) => mkdirSync(folder));
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(outside, 'secret'), 'secret');
    asked.length = 0;
    answer = 'deny';
    policy = 'ask';
    guard = new PathGuard({
      ask: (question) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
      outside: () => policy,
      protectedGlobs: () => ['**/.env', '**/.env.*', 'keys'],
      ownFolders: [join(root, 'storage')],
    });
  });

  afterEach(() => rmSync(base, { recursive: true }));

  it('lets through what is inside, in each root', async () => {
    assert.equal(await allow(join(root, 'sub', 'new', 'file')), join(root, 'sub', 'new', 'file'));
    assert.equal(await allow(join(other, '..name')), join(other, '..name'));
    assert.equal(await allow(`${root}/sub/../x`), join(root, 'x'));
    assert.equal(await allow(root, 'run'), join(root, '.'));
    assert.deepEqual(asked, []);
  });

  it('with dots', async () => {
    await refused(`${root}/../outside/secret`);
    await refused(`${root}/sub/../../outside/secret`, 'read');
    await refused(`${root}/missing/../../outside/new`);
    await refused(`${root}x/file`);
    await refused('/');
    await refused(join(base, 'root.'));
  });

  it('with links to files and folders', async () => {
    symlinkSync(outside, join(root, 'folder'));
    symlinkSync(join(outside, 'secret'), join(root, 'file'));
    symlinkSync('../outside/secret', join(root, 'relative'));
    symlinkSync(join(root, 'folder'), join(root, 'sub', 'twice'));
    for (const name of ['folder', 'folder/secret', 'folder/new', 'file', 'relative', 'sub/twice/secret']) {
      await refused(join(root, name));
    }
    assert.deepEqual([...new Set(asked.map(({ reason }) => reason))], ['outside']);
    assert.ok(
      asked.every(({ path }) => path.startsWith(outside)),
      'the question shows another path',
    );
  });

  it('with links to what does not exist yet, and in circles', async () => {
    symlinkSync(join(outside, 'new'), join(root, 'dangling'));
    symlinkSync('dangling', join(root, 'chain'));
    symlinkSync('circle', join(root, 'circle'));
    await refused(join(root, 'dangling'));
    await refused(join(root, 'chain'));
    await refused(join(root, 'dangling', 'deeper'));
    await assert.rejects(allow(join(root, 'circle')), { name: 'FileProblem' });
  });

  it('with a link that is put in the way after the check', async () => {
    const file = request(join(root, 'sub', 'file'));
    const allowed = await guard.allow(file);
    await guard.recheck(file, allowed);
    renameSync(join(root, 'sub'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'sub'));
    await assert.rejects(guard.recheck(file, allowed), { kind: 'refused' });
  });

  it('takes links that stay inside, and a root that is a link itself', async () => {
    symlinkSync(join(root, 'sub'), join(root, 'inner'));
    assert.equal(await allow(join(root, 'inner', 'x')), join(root, 'sub', 'x'));
    const link = join(base, 'link');
    symlinkSync(root, link);
    const viaLink = { ...request(join(root, 'x')), roots: [link] };
    assert.deepEqual(await guard.allow(viaLink), { path: join(link, 'x'), real: join(root, 'x') });
  });

  it('with addresses, NUL, relative and endless paths', async () => {
    for (const path of [
      pathToFileURL(join(root, 'x')).href,
      `file:${root}/x`,
      'FILE:///etc/passwd',
      `${root}/x\0.txt`,
      'x',
      './x',
      '',
      '~/x',
      `/${'x'.repeat(40_000)}`,
      `${root}/${'y'.repeat(5000)}`,
    ]) {
      await assert.rejects(allow(path), { kind: 'invalid' }, path.slice(0, 80));
    }
  });

  it('asks once, for a time or for the session, and about each file by itself', async () => {
    answer = 'once';
    await allow(join(outside, 'secret'));
    await allow(join(outside, 'secret'));
    assert.equal(asked.length, 2);
    answer = 'session';
    await Promise.all([allow(join(outside, 'secret')), allow(join(outside, 'secret'))]);
    await allow(join(outside, 'secret'));
    assert.equal(asked.length, 3);
    answer = 'deny';
    await refused(join(outside, 'secret'), 'read');
    await refused(join(outside, 'other'));
    await assert.rejects(guard.allow({ ...request(join(outside, 'secret')), sessionId: 'other' }), {
      kind: 'refused',
    });
  });

  it('does as the setting says, and does not ask about what is not there', async () => {
    await assert.rejects(allow(join(outside, 'missing'), 'read'), { kind: 'notFound' });
    policy = 'deny';
    await refused(join(outside, 'secret'), 'read');
    await refused(join(outside, 'missing'), 'read');
    policy = 'allow';
    assert.equal(await allow(join(outside, 'secret')), join(outside, 'secret'));
    assert.deepEqual(asked, []);
  });

  it('asks before it writes what is protected, in any case and through links', async () => {
    mkdirSync(join(root, '.git'));
    symlinkSync('.git', join(root, 'innocent'));
    const names = [
      '.git',
      '.git/config',
      'sub/.git/x',
      '.GIT/hooks/x',
      'innocent/config',
      '.env',
      'sub/.ENV.local',
    ];
    for (const name of [...names, 'storage/x', 'keys/a']) {
      await refused(join(root, name));
      assert.equal(asked.at(-1)?.reason, 'protected', name);
      assert.equal(await allow(join(root, name), 'read').then(() => true), true);
    }
    const count = asked.length;
    for (const name of ['.gitignore', '.github/x', 'environment', 'sub/keys']) {
      await allow(join(root, name));
    }
    assert.equal(asked.length, count);
  });

  it('asks about what is protected outside, too, where all outside is allowed', async () => {
    policy = 'allow';
    mkdirSync(join(outside, 'repository', '.git'), { recursive: true });
    const storage = join(base, 'global');
    mkdirSync(storage);
    symlinkSync(storage, join(root, 'way-out'));
    guard = new PathGuard({
      ask: (question) => {
        asked.push(question);
        return Promise.resolve('deny');
      },
      outside: () => policy,
      protectedGlobs: () => ['**/.env'],
      ownFolders: [storage],
    });
    for (const path of [
      join(outside, 'repository', '.git', 'hooks', 'pre-commit'),
      join(outside, '.ENV'),
      join(storage, 'state.json'),
      join(root, 'way-out', 'state.json'),
      `${root}/../global/x`,
    ]) {
      await refused(path);
      assert.equal(asked.at(-1)?.reason, 'protected', path);
    }
    const count = asked.length;
    await allow(join(outside, 'repository', 'a.ts'));
    await allow(join(outside, '.env'), 'read');
    assert.equal(asked.length, count);
    policy = 'ask';
    await refused(join(outside, '.env'));
    assert.deepEqual([asked.length, asked.at(-1)?.reason], [count + 1, 'outside']);
  });

  it('with a folder for a command that is a link', async () => {
    symlinkSync(outside, join(root, 'build'));
    await refused(join(root, 'build'), 'run');
    await refused(join(root, 'build', '..', '..', 'outside'), 'run');
    assert.equal(await allow(join(root, 'build', '..', 'sub'), 'run'), join(root, 'sub'));
  });

  it('in another case only where the system knows no case', () => {
    assert.equal(isInside('/Work', '/work/x', 'linux'), false);
    assert.equal(isInside('C:\\Work\\Sub', 'c:\\WORK\\sub\\..x', 'win32'), true);
    assert.equal(isInside('C:\\Work\\Sub', 'c:\\WORK\\subway', 'win32'), false);
  });

  it('reads Windows paths as Windows does', () => {
    const normal = (path: string): string => normalPath(path, 'win32');
    assert.equal(normal('C:\\w\\..\\x/y'), 'C:\\x\\y');
    assert.equal(normal('\\\\server\\share\\x'), '\\\\server\\share\\x');
    for (const path of [
      'C:x',
      '\\x',
      '/x',
      '\\\\?\\C:\\x',
      '\\\\.\\pipe\\x',
      '//?/C:/x',
      'C:\\w\\.git.\\config',
      'C:\\w\\.env ',
      'C:\\w\\x.txt::$DATA',
      'C:\\w\\NUL',
      'C:\\w\\com1.txt',
      'file:///C:/w/x',
    ]) {
      assert.throws(() => normal(path), { kind: 'invalid' }, path);
    }
    assert.equal(isRemote('\\\\evil\\share\\x', 'win32'), true);
    assert.equal(isRemote('//evil/share', 'win32'), true);
    assert.equal(isInside('C:\\Work', 'c:\\work\\x', 'win32'), true);
    assert.equal(isInside('C:\\work', 'D:\\work\\x', 'win32'), false);
    assert.equal(isInside('\\\\server\\share', '\\\\evil\\share\\x', 'win32'), false);
  });
});
