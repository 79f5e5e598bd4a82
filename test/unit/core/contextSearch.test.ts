import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { candidate, fuzzyScore } from '../../../src/core/context/fuzzy';
import { runGit } from '../../../src/core/git/runGit';
import { excludedBy } from '../../../src/core/files/globs';
import { decodeText, imageTypeOf } from '../../../src/core/files/mimeTypes';
import { PathSearch } from '../../../src/core/context/pathSearch';

const order = (query: string, ...paths: string[]): string[] =>
  new PathSearch(paths).find(query, 10).map((found) => found.path);

describe('fuzzy search of paths', () => {
  it('prefers the name to the folders', () => {
    assert.deepEqual(order('greet', 'greet/long/index.ts', 'src/greet.js'), [
      'src/greet.js',
      'greet/long/index.ts',
    ]);
  });

  it('prefers a whole name, then its beginning, then a word in it, then the middle of a word', () => {
    const best = ['a/test.ts', 'a/tester.ts', 'a/my-test-x.ts', 'a/contests.ts'];
    assert.deepEqual(order('test', ...best.toReversed()), best);
  });

  it('finds beginnings of words', () => {
    assert.deepEqual(order('cw', 'src/cow.ts', 'src/composerWords.ts'), [
      'src/composerWords.ts',
      'src/cow.ts',
    ]);
    assert.deepEqual(order('pq', 'src/prompt_queue.ts', 'src/spqr.ts'), [
      'src/prompt_queue.ts',
      'src/spqr.ts',
    ]);
  });

  it('prefers letters that stand together', () => {
    assert.deepEqual(order('ueu', 'xuaeau.ts', 'queue.ts').at(0), 'queue.ts');
  });

  it('takes folders in the query, whatever the case', () => {
    assert.deepEqual(order('Web/Main', 'src/webview/main.tsx', 'src/vscode/main.ts'), [
      'src/webview/main.tsx',
    ]);
  });

  it('finds nothing where letters are missing or in another order', () => {
    assert.equal(fuzzyScore('teerg', candidate('src/greet.js')), undefined);
    assert.deepEqual(order('greetz', 'src/greet.js'), []);
  });

  it('lets a bonus decide between equals', () => {
    const search = new PathSearch(['a/x.ts', 'b/x.ts']);
    const found = search.find('x', 10, (file) => (file === 'b/x.ts' ? 100 : 0));
    assert.equal(found[0]?.path, 'b/x.ts');
  });

  it('keeps the best when there are more than wanted', () => {
    const paths = Array.from({ length: 500 }, (_, index) => `folder${index}/index.ts`);
    const found = new PathSearch([...paths, 'index.ts']).find('index', 3);
    assert.equal(found.length, 3);
    assert.equal(found[0]?.path, 'index.ts');
  });
});

describe('fuzzy search among 50,000 paths', () => {
  const words = ['alpha', 'bravo', 'chart', 'delta', 'extra', 'frame', 'input', 'model', 'panel', 'query'];
  const paths = Array.from({ length: 50_000 }, (_, index) => {
    const word = (shift: number): string => words[Math.floor(index / 10 ** shift) % 10] ?? '';
    return `src/${word(4)}/${word(3)}${word(2)}/${word(1)}-${word(0)}-${index}.ts`;
  });
  let scored = 0;
  const counting: typeof fuzzyScore = (query, one) => {
    scored += 1;
    return fuzzyScore(query, one);
  };

  beforeEach(() => {
    scored = 0;
  });

  it('scores only what has all the letters', () => {
    const search = new PathSearch([...paths, 'src/sub/greeting.ts'], counting);
    assert.equal(search.find('greeting', 5)[0]?.path, 'src/sub/greeting.ts');
    assert.ok(scored <= paths.length / 100, `${scored} of ${paths.length} were scored`);
  });

  it('looks only at what the shorter query found while the user types on', () => {
    const search = new PathSearch(paths, counting);
    search.find('query', 5);
    const first = scored;
    const narrow = search.find('query-model', 50);
    const second = scored - first;
    search.find('query-model-4', 50);
    const third = scored - first - second;
    assert.ok(narrow.length > 0);
    assert.ok(second <= first && third < second, `${first}, ${second}, ${third}`);
  });

  it('finds the same with and without the shorter query before it', () => {
    const warm = new PathSearch(paths);
    for (const query of ['q', 'qu', 'qum']) {
      warm.find(query, 20);
    }
    assert.deepEqual(warm.find('qumo', 20), new PathSearch(paths).find('qumo', 20));
  });
});

describe('what goes along with a prompt', () => {
  it('excludes by the patterns of the settings', () => {
    const isExcluded = excludedBy([
      '**/node_modules',
      '**/*.code-search',
      'out/',
      '**/.{git,hg}',
      'a+b/*.ts',
    ]);
    for (const excluded of [
      'x/node_modules/y/z.js',
      'q.code-search',
      'out/a.js',
      'p/.git/HEAD',
      'a+b/c.ts',
    ]) {
      assert.ok(isExcluded(excluded), excluded);
    }
    for (const kept of ['node_modules2/x.js', 'src/out.ts', 'src/out/a.ts', '.github/x.yml', 'a+b/c/d.ts']) {
      assert.ok(!isExcluded(kept), kept);
    }
  });

  it('tells text from what is not', () => {
    assert.equal(decodeText(new TextEncoder().encode('héllo')), 'héllo');
    assert.equal(decodeText(Uint8Array.of(104, 0, 105)), undefined);
    assert.equal(decodeText(Uint8Array.of(0xff, 0xfe, 0xfd)), undefined);
    assert.equal(imageTypeOf('/a/Photo.JPG'), 'image/jpeg');
    assert.equal(imageTypeOf('/a/icon.svg'), undefined);
  });

  it('runs git, cuts long output and says why it failed', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-git-'));
    try {
      const none = await runGit(folder, ['rev-parse', '--verify', 'HEAD'], 1000);
      assert.ok(none.kind === 'failed');
      assert.match(none.reason, /fatal|git/);
      execFileSync('git', ['init', '-q'], { cwd: folder });
      writeFileSync(path.join(folder, 'a b.txt'), 'x');
      assert.deepEqual(await runGit(folder, ['ls-files', '-o', '-z'], 1000), {
        kind: 'done',
        text: 'a b.txt\0',
        isCut: false,
      });
      assert.deepEqual(await runGit(folder, ['ls-files', '-o', '-z'], 3), {
        kind: 'done',
        text: 'a b',
        isCut: true,
      });
      // As in a window that was started from a git hook.
      process.env.GIT_DIR = path.join(folder, 'elsewhere');
      assert.equal((await runGit(folder, ['ls-files', '-o', '-z'], 1000)).kind, 'done');
    } finally {
      delete process.env.GIT_DIR;
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
