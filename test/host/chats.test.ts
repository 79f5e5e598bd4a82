import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../src/core/base/emitter';
import type { Session } from '../../src/core/session/session';
import { Chats, type ChatPlace } from '../../src/vscode/chat/chats';

/** Told apart by identity only. */
const session = (title: string): Session => ({ title }) as unknown as Session;

class FakePlace implements ChatPlace {
  isVisible = true;
  readonly done: string[] = [];
  readonly onDidUse = new vscode.EventEmitter<ChatPlace>().event;

  constructor(public session: Session | undefined) {}

  async reveal(): ReturnType<ChatPlace['reveal']> {
    this.isVisible = true;
    this.done.push('reveal');
    return Promise.resolve({
      show: (shown) => {
        this.session = shown;
      },
      focus: () => this.done.push('focus'),
      attach: (attachments) => this.done.push(...attachments.map(({ name }) => name)),
      goToQuestion: () => this.done.push('goToQuestion'),
      toggleToolCalls: () => this.done.push('toggleToolCalls'),
    });
  }
}

describe('which chat is meant', () => {
  const [one, two, three] = [session('one'), session('two'), session('three')];
  const used = new vscode.EventEmitter<ChatPlace>();
  const closed = new vscode.EventEmitter<ChatPlace>();
  const file = { kind: 'file', id: 'f', name: 'a.ts', path: '/a.ts' } as const;
  let view: FakePlace;
  let tab: FakePlace;
  let chats: Chats;

  beforeEach(() => {
    view = new FakePlace(one);
    tab = new FakePlace(two);
    chats = new Chats(view, { onDidUse: used.event, onDidClose: closed.event });
  });
  afterEach(() => {
    chats.dispose();
  });

  it('is the one in the side bar while there is no other', async () => {
    await chats.attach([file]);
    assert.equal(chats.currentSession, one);
    assert.deepEqual(view.done, ['reveal', 'focus', 'a.ts']);
  });

  it('is the tab that was used last, until it is closed', async () => {
    used.fire(tab);
    await chats.attach([file]);
    await chats.focus();
    assert.equal(chats.currentSession, two);
    assert.deepEqual(tab.done, ['reveal', 'focus', 'a.ts', 'reveal', 'focus']);
    closed.fire(tab);
    assert.equal(chats.currentSession, one);
  });

  it('is one in sight before one that is hidden', () => {
    used.fire(tab);
    tab.isVisible = false;
    assert.equal(chats.currentSession, one);
    assert.equal(chats.isInSight(two), false);
    view.isVisible = false;
    assert.equal(chats.currentSession, two);
    assert.deepEqual(chats.sessionsInSight, []);
  });

  it('is the session that a tab has switched to', () => {
    used.fire(tab);
    tab.session = three;
    assert.equal(chats.currentSession, three);
    assert.deepEqual(chats.sessionsInSight, [three, one]);
  });

  it('shows a session where it is open, else in the side bar', async () => {
    used.fire(tab);
    used.fire(view);
    tab.isVisible = false;
    await chats.show(two);
    assert.deepEqual([tab.done, view.done], [['reveal'], []]);
    await chats.show(three);
    assert.equal(view.session, three);
    assert.equal(tab.session, two);
  });
});

describe('listeners that go while others hear', () => {
  it('are not called any more', () => {
    const emitter = new Emitter<void>();
    let calls = 0;
    emitter.event(() => second.dispose());
    const second = emitter.event(() => calls++);
    emitter.fire();
    assert.equal(calls, 0);
  });
});
