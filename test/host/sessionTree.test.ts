import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../src/core/base/emitter';
import type { Grouping } from '../../src/core/session/sessionGroups';
import type { Session } from '../../src/core/session/session';
import type { UnseenOutcome } from '../../src/core/session/unseenTurns';
import { SessionTree } from '../../src/vscode/sessionTree';

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly isWaiting: boolean;
  readonly isRunning: boolean;
}

/** What the tree reads of a session. */
function session({ id, title, isWaiting, isRunning }: Shown, agentName = 'Demo'): Session {
  const record = {
    sessionId: id,
    agentName,
    agentId: agentName,
    workdir: '/w',
    status: 'active',
    lastActiveAt: 1,
  };
  return { id, title, isWaiting, isRunning, record } as unknown as Session;
}

describe('the list of sessions', () => {
  const unseenChanged = new Emitter<void>();
  let outcome: UnseenOutcome | undefined;
  let grouping: Grouping;
  let all: readonly Session[];
  let tree: SessionTree;

  const quiet: Shown = { id: 's', title: 'Fix it', isWaiting: false, isRunning: false };
  const items = (): readonly vscode.TreeItem[] => tree.getChildren().map((node) => tree.getTreeItem(node));
  const icons = (): readonly unknown[] =>
    items().map(({ iconPath }) => (iconPath instanceof vscode.ThemeIcon ? iconPath.id : undefined));

  beforeEach(() => {
    outcome = undefined;
    grouping = 'date';
    all = [session(quiet)];
    tree = new SessionTree({
      sessions: { all: () => all, foreign: () => [], onDidChange: new Emitter<Session | undefined>().event },
      unseen: { of: () => outcome, onDidChange: unseenChanged.event },
      grouping: () => grouping,
      runningAgents: () => [],
    });
  });
  afterEach(() => {
    tree.dispose();
  });

  it('marks a turn that ended unseen, until it was seen', () => {
    let changes = 0;
    tree.onDidChangeTreeData(() => changes++);
    outcome = 'done';
    unseenChanged.fire();
    assert.equal(changes, 1);
    assert.deepEqual([items()[0]?.description, icons()], ['Demo · done', ['circle-filled']]);
    outcome = 'failed';
    assert.deepEqual([items()[0]?.description, icons()], ['Demo · failed', ['error']]);
    outcome = undefined;
    assert.deepEqual([items()[0]?.description, icons()], ['Demo', ['comment-discussion']]);
  });

  it('says first that a session waits or runs', () => {
    outcome = 'done';
    all = [session({ ...quiet, isWaiting: true, isRunning: true }), session({ ...quiet, isRunning: true })];
    assert.deepEqual(
      items().map(({ description }) => description),
      ['Demo · waits for you', 'Demo · running'],
    );
    assert.equal(items()[0]?.accessibilityInformation?.label, 'Fix it, Demo, waits for you');
  });

  it('groups what it lists, and keeps its order', () => {
    grouping = 'agent';
    all = [session(quiet, 'Demo'), session({ ...quiet, id: 'o' }, 'Other')];
    const groups = tree.getChildren();
    assert.deepEqual(
      groups.map((node) => tree.getTreeItem(node).label),
      ['Demo', 'Other'],
    );
    const members = groups.flatMap((node) => tree.getChildren(node)).map((node) => tree.getTreeItem(node).id);
    assert.deepEqual(members, ['s', 'o']);
    assert.deepEqual(
      tree.listed().map(({ id }) => id),
      ['s', 'o'],
    );
  });
});
