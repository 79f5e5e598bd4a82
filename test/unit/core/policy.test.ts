import assert from 'node:assert/strict';
import {
  PermissionPolicy,
  type PermissionRule,
  type PermissionSubject,
} from '../../../src/core/session/policy';
import { fitsPath } from '../../../src/core/session/ruleMatching';
import { matchesPattern } from '../../../src/core/session/wildcard';
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
