import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  describeRule,
  PermissionPolicy,
  ruleFor,
  type PermissionRule,
  type PermissionSubject,
} from '../../../src/core/permissions/policy';
import { fitsPath } from '../../../src/core/permissions/ruleMatching';
import { matchesPattern } from '../../../src/core/permissions/wildcard';
import { MemoryMemento } from '../../support/fakes';

const run = (command: string): PermissionSubject => ({
  agentId: 'claude',
  workdir: '/w',
  tool: { toolKind: 'execute', rawInput: { command }, content: [], locations: [] },
});
const edit = (...paths: readonly string[]): PermissionSubject => ({
  agentId: 'claude',
  workdir: '/w',
  tool: {
    toolKind: 'edit',
    rawInput: {},
    content: [],
    locations: paths.map((path) => ({ path, line: undefined })),
  },
});
const decide = (rules: readonly unknown[], subject: PermissionSubject): string =>
  new PermissionPolicy(new MemoryMemento(), () => rules).decide(subject)?.decision ?? 'ask';

describe('the permission policy', () => {
  it('asks unless a rule says otherwise', () => {
    assert.equal(decide([], run('ls')), 'ask');
  });

  it('matches commands as a whole', () => {
    const rules: PermissionRule[] = [{ decision: 'allow', kind: 'execute', command: 'npm test*' }];
    assert.equal(decide(rules, run('npm test -- x')), 'allow');
    assert.equal(decide(rules, run('rm -rf / && npm test')), 'ask');
    assert.equal(decide([{ decision: 'allow', command: 'git status' }], run('git status; rm x')), 'ask');
  });

  it('takes commands given as a list', () => {
    const subject: PermissionSubject = {
      ...run(''),
      tool: { ...run('').tool, rawInput: { command: ['git', 'status'] } },
    };
    assert.equal(decide([{ decision: 'allow', command: 'git status' }], subject), 'allow');
  });

  it('allows by path only when every path fits', () => {
    const rules = [{ decision: 'allow', kind: 'edit', path: 'src/*' }];
    assert.equal(decide(rules, edit('/w/src/a.ts')), 'allow');
    assert.equal(decide(rules, edit('/w/src/a.ts', '/etc/passwd')), 'ask');
    assert.equal(decide(rules, edit()), 'ask');
  });

  it('lets no way round the folders of a path rule', () => {
    const rules = [{ decision: 'allow', kind: 'edit', path: 'src/*' }];
    assert.equal(decide(rules, edit('/w/src/../../etc/passwd')), 'ask');
    assert.equal(decide(rules, edit('src/../secret')), 'ask');
    assert.equal(decide(rules, edit('/w/lib/../src/./a.ts')), 'allow');
    assert.equal(decide([{ decision: 'deny', path: '/etc/*' }], edit('/w/../etc/passwd')), 'deny');
  });

  for (const [pattern, file, expected] of [
    ['src/*', 'C:\\w\\src\\a.ts', true],
    ['src\\*', 'c:/w/src/a.ts', true],
    ['src/*', 'C:\\w\\src\\..\\a.ts', false],
    ['D:/other/*', 'D:\\other\\a.ts', true],
    ['src/*', 'D:\\w\\src\\a.ts', false],
  ] as const) {
    it(`on Windows ${pattern} ${expected ? 'takes' : 'does not take'} ${file}`, () => {
      assert.equal(fitsPath(pattern, 'C:\\w', file, 'win32'), expected);
    });
  }

  it('allows no second command with the wildcard of the first', () => {
    const rules = [{ decision: 'allow', command: 'npm test*' }];
    for (const more of [
      '; rm x',
      ' && rm x',
      ' | sh',
      ' `rm x`',
      ' $(rm x)',
      ' > x',
      ' < x',
      '\nrm x',
      ' & rm x',
    ]) {
      assert.equal(decide(rules, run(`npm test${more}`)), 'ask', more);
    }
    assert.equal(decide(rules, run('npm test -- --grep "$NAME"')), 'allow');
    assert.equal(decide([{ decision: 'deny', command: 'npm test*' }], run('npm test; rm x')), 'deny');
  });

  it('allows the operators that the rule itself has', () => {
    const rules = [{ decision: 'allow', command: 'cd * && npm test*' }];
    assert.equal(decide(rules, run('cd app && npm test -- x')), 'allow');
    assert.equal(decide(rules, run('cd app && rm x && npm test')), 'ask');
    assert.equal(decide([{ decision: 'allow', command: 'a; b' }], run('a; b')), 'allow');
  });

  it('lets deny beat ask beat allow', () => {
    const allow = { decision: 'allow' };
    assert.equal(decide([allow, { decision: 'deny', kind: 'execute' }], run('x')), 'deny');
    assert.equal(decide([allow, { decision: 'ask', kind: 'execute' }], run('x')), 'ask');
  });

  it('holds a rule to its agent', () => {
    assert.equal(decide([{ decision: 'allow', agent: 'gemini' }], run('x')), 'ask');
    assert.equal(decide([{ decision: 'allow', agent: 'claude' }], run('x')), 'allow');
  });

  it('leaves out a rule it does not understand, instead of taking it for more than it says', () => {
    assert.equal(
      decide(
        [{ decision: 'allow', kind: 'exec' }, { decision: 'allow', command: 3 }, { decision: 'yes' }],
        run('x'),
      ),
      'ask',
    );
  });

  it('stops a call for one of its files', () => {
    const allow = { decision: 'allow', kind: 'edit' };
    const deny = { decision: 'deny', path: 'secrets/*' };
    assert.equal(decide([allow, deny], edit('/w/a.ts', '/w/secrets/key')), 'deny');
    assert.equal(decide([allow, { ...deny, decision: 'ask' }], edit('/w/a.ts', '/w/secrets/key')), 'ask');
    assert.equal(decide([allow, deny], edit('/w/a.ts')), 'allow');
    assert.equal(decide([allow, deny], edit('/w/Secrets/key')), 'deny');
  });

  it('stops a call for a file that only its input names', () => {
    const rules = [
      { decision: 'allow', kind: 'edit' },
      { decision: 'deny', path: 'secrets/*' },
    ];
    for (const rawInput of [
      { file_path: '/w/secrets/key' },
      { filePath: 'secrets/key' },
      { paths: ['a', 'secrets/key'] },
      { edits: [{ notebook_path: '/w/x/../secrets/key' }] },
    ]) {
      const subject = edit('/w/a.ts');
      assert.equal(
        decide(rules, { ...subject, tool: { ...subject.tool, rawInput } }),
        'deny',
        JSON.stringify(rawInput),
      );
    }
    const other = edit('/w/a.ts');
    const content = { content: 'secrets/key' };
    assert.equal(decide(rules, { ...other, tool: { ...other.tool, rawInput: content } }), 'allow');
  });

  it('finds what is denied in any command of the line', () => {
    const rules = [
      { decision: 'allow', kind: 'execute' },
      { decision: 'deny', command: 'rm *' },
    ];
    for (const line of [
      'rm -rf y',
      'cd x && rm -rf y',
      'cd x&&rm -rf y',
      'FOO=1 rm -rf y',
      `FOO='a b' BAR=2 rm -rf y`,
      `bash -lc 'rm -rf y'`,
      `/bin/sh -c "cd x; rm -rf y"`,
      `bash -c "bash -c 'rm -rf y'"`,
      '(rm x)',
      'echo $(rm x)',
      'echo "a $(rm x) b"',
      'echo `rm x`',
      'ls | xargs -n 1 rm -f',
      'sudo -u bob rm x',
      'env FOO=1 rm x',
      `env FOO=1 bash -lc 'rm x'`,
      '/bin/rm x',
      `'rm' x`,
      '\\rm x',
      'if true; then rm x; fi',
      'ls \\\n && rm \\\n x',
      'ls\nrm x',
      'sleep 1 & rm x',
      'cmd /c "cd x & rm y"',
      'powershell -NoProfile -Command "rm y"',
      'eval "rm x"',
    ]) {
      assert.equal(decide(rules, run(line)), 'deny', line);
      assert.equal(decide([rules[0], { decision: 'ask', command: 'rm *' }], run(line)), 'ask', line);
    }
    for (const line of ['ls', 'git rm-x', `echo 'a; rm x'`, 'git commit -m "fix; rm x"', 'npm run rm']) {
      assert.equal(decide(rules, run(line)), 'allow', line);
    }
  });

  it('is quick on hostile command lines', () => {
    const rules = [{ decision: 'deny', command: 'rm *' }];
    for (const line of [
      '$('.repeat(20_000),
      '`'.repeat(20_001),
      'sudo '.repeat(20_000),
      `bash -c '`.repeat(5000),
      '('.repeat(20_000),
    ]) {
      assert.equal(decide(rules, run(line)), 'ask');
    }
  }).timeout(2000);

  it('allows no expression of PowerShell with the wildcard', () => {
    assert.equal(decide([{ decision: 'allow', command: 'echo *' }], run('echo (Remove-Item x)')), 'ask');
  });

  it('allows a command only where and as it usually runs', () => {
    const call = (input: object): PermissionSubject => ({
      ...run(''),
      roots: ['/w', '/lib'],
      tool: { ...run('').tool, rawInput: { command: 'npm test', ...input } },
    });
    const allow = [{ decision: 'allow', command: 'npm test' }];
    const inputs: readonly (readonly [object, string])[] = [
      [{ description: 'Runs', timeout: 1, run_in_background: true }, 'allow'],
      [{ cwd: '/w' }, 'allow'],
      [{ cwd: 'app' }, 'allow'],
      [{ cwd: '/lib' }, 'allow'],
      [{ commands: ['npm test'], parsed_cmd: [{}], additional_permissions: null }, 'allow'],
      [{ cwd: '/tmp' }, 'ask'],
      [{ cwd: '../x' }, 'ask'],
      [{ env: { NODE_OPTIONS: '-r evil' } }, 'ask'],
      [{ env: [{ name: 'A', value: 'b' }] }, 'ask'],
      [{ dangerouslyDisableSandbox: true }, 'ask'],
      [{ cwd: '/w', workdir: '/tmp' }, 'ask'],
    ];
    for (const [input, expected] of inputs) {
      assert.equal(decide(allow, call(input)), expected, JSON.stringify(input));
      assert.equal(decide([{ decision: 'deny', command: 'npm *' }], call(input)), 'deny');
      assert.equal(ruleFor('command', call(input)) !== undefined, expected === 'allow');
    }
  });

  it('takes the folder that an agent tells apart from the input', () => {
    const inFolder = (folder: string): PermissionSubject => ({
      ...run(''),
      tool: { ...run('npm test').tool, folder },
    });
    const allow = [{ decision: 'allow', command: 'npm test' }];
    assert.equal(decide(allow, inFolder('/w/app')), 'allow');
    assert.equal(decide(allow, inFolder('/tmp')), 'ask');
  });

  it('remembers what was asked and not what its stars could stand for', async () => {
    const policy = new PermissionPolicy(new MemoryMemento(), () => []);
    const rule = ruleFor('command', run('rm -rf dist/*'));
    assert.ok(rule !== undefined);
    await policy.remember(rule);
    assert.equal(policy.decide(run('rm -rf dist/*'))?.decision, 'allow');
    assert.equal(policy.decide(run('rm -rf dist/ /home/me')), undefined);
    const [remembered] = policy.remembered();
    assert.equal(
      remembered === undefined ? '' : describeRule(remembered),
      'Allow execute calls, exactly the command "rm -rf dist/*" of claude',
    );
    const file = ruleFor('path', edit('/w/a*.ts'));
    assert.ok(file !== undefined);
    await policy.remember(file);
    assert.equal(policy.decide(edit('/w/a*.ts'))?.decision, 'allow');
    assert.equal(policy.decide(edit('/w/abc.ts')), undefined);
  });

  it('holds what an older version remembered to what was asked, too', () => {
    const memento = new MemoryMemento();
    const rules = ['npm test', 'rm -rf dist/*'].map((command) => ({ decision: 'allow', command }));
    void memento.update('parley.permissionRules', { version: 1, rules });
    const policy = new PermissionPolicy(memento, () => []);
    assert.equal(policy.decide(run('npm test'))?.decision, 'allow');
    assert.equal(policy.decide(run('rm -rf dist/*'))?.decision, 'allow');
    assert.equal(policy.decide(run('rm -rf dist/ /home/me')), undefined);
  });

  it('follows links before it allows or denies', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-policy-')));
    const workdir = join(folder, 'w');
    await mkdir(join(workdir, 'src'), { recursive: true });
    await mkdir(join(folder, 'outside'));
    await symlink(join(folder, 'outside'), join(workdir, 'src', 'link'), 'junction');
    await symlink(workdir, join(folder, 'alias'), 'junction');
    const touch = (root: string, path: string): PermissionSubject => ({
      ...edit(join(root, path)),
      workdir: root,
    });
    const allow = [{ decision: 'allow', path: 'src/*' }];
    try {
      assert.equal(decide(allow, touch(workdir, 'src/a.ts')), 'allow');
      assert.equal(decide(allow, touch(workdir, 'src/link/a.ts')), 'ask');
      assert.equal(
        decide([{ decision: 'allow', path: 'src/link/*' }], touch(workdir, 'src/link/a')),
        'allow',
      );
      assert.equal(decide(allow, touch(join(folder, 'alias'), 'src/a.ts')), 'allow');
      assert.equal(decide(allow, touch(join(folder, 'alias'), 'src/link/a.ts')), 'ask');
      const deny = [{ decision: 'deny', path: `${folder}/outside/*` }];
      assert.equal(decide(deny, touch(workdir, 'src/link/a.ts')), 'deny');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('remembers and forgets rules, and says which one answered', async () => {
    const memento = new MemoryMemento();
    const policy = new PermissionPolicy(memento, () => []);
    const rule: PermissionRule = { decision: 'allow', kind: 'execute', command: 'npm test' };
    await policy.remember(rule);
    await policy.remember(rule);
    assert.equal(policy.remembered().length, 1);
    const again = new PermissionPolicy(memento, () => undefined);
    assert.match(again.decide(run('npm test'))?.rule ?? '', /npm test/);
    await again.forget(rule);
    assert.equal(again.decide(run('npm test')), undefined);
  });
});

describe('matchesPattern', () => {
  for (const [pattern, text, expected] of [
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*c', 'abd', false],
    ['*', '', true],
    ['ab*ba', 'aba', false],
    ['*x*y*', '1x2y3', true],
    ['*x*y*', '1y2x3', false],
    ['plain', 'plain!', false],
  ] as const) {
    it(`${pattern} ${expected ? 'takes' : 'does not take'} "${text}"`, () => {
      assert.equal(matchesPattern(pattern, text), expected);
    });
  }

  it('is quick on hostile patterns', () => {
    assert.equal(matchesPattern('*a'.repeat(2000), 'a'.repeat(1999)), false);
  });
});
