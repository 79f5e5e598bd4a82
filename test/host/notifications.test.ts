import assert from 'node:assert/strict';
import { Emitter } from '../../src/core/base/emitter';
import type { Session } from '../../src/core/session/session';
import type { TranscriptEvent } from '../../src/shared/transcript/events';
import { Notifications } from '../../src/vscode/notifications';
import { until } from '../support/until';

const waiting = { isWaiting: true };
const session = {
  id: 's',
  title: 'Fix it',
  get isWaiting() {
    return waiting.isWaiting;
  },
  record: { agentName: 'Demo' },
} as unknown as Session;
const asked: TranscriptEvent = { type: 'permissionAsked', at: 1, requestId: 'r', toolId: 't', options: [] };
const answered: TranscriptEvent = {
  type: 'permissionAnswered',
  at: 2,
  requestId: 'r',
  toolId: 't',
  outcome: { kind: 'selected', optionId: 'y' },
};
const ended: TranscriptEvent = {
  type: 'turnEnded',
  at: 2,
  turnId: 1,
  outcome: { kind: 'done', stopReason: 'end_turn' },
};

describe('notifications', () => {
  const dispatched = new Emitter<{ session: Session; event: TranscriptEvent }>();
  let told: string[];
  let opened: Session[];
  let notifications: Notifications;
  let isFocused: boolean;
  let isInSight: boolean;
  /** What happens to a notification: pressed at once, or left alone for good. */
  let press: (button: string) => PromiseLike<string | undefined>;

  beforeEach(() => {
    told = [];
    opened = [];
    waiting.isWaiting = true;
    press = (button) => Promise.resolve(button);
    notifications = new Notifications({
      sessions: { onDidDispatch: dispatched.event },
      isInSight: () => isInSight,
      isWindowFocused: () => isFocused,
      tellsTurnEnd: () => true,
      tell: (message, button) => {
        told.push(message);
        return press(button);
      },
      open: (shown) => opened.push(shown),
    });
  });
  afterEach(() => {
    notifications.dispose();
  });

  /** What is told of a turn's end is told at once: it comes after what was told before it. */
  const toldOf = async (event: TranscriptEvent): Promise<readonly string[]> => {
    dispatched.fire({ session, event });
    await new Promise((resolve) => setTimeout(resolve, 0));
    return told;
  };

  it('tell a question that is out of sight', async () => {
    [isFocused, isInSight] = [true, false];
    assert.deepEqual(await toldOf(asked), ['Demo waits for your answer: Fix it']);
    await until('the chat', () => opened.length === 1);
  });

  it('tell a question in a chat behind another program', async () => {
    [isFocused, isInSight] = [false, true];
    assert.equal((await toldOf(asked)).length, 1);
  });

  it('tell no question that the user sees', async () => {
    [isFocused, isInSight] = [true, true];
    assert.deepEqual(await toldOf(asked), []);
  });

  it('tell the next question, though the last notification is still there', async () => {
    [isFocused, isInSight] = [true, false];
    press = () => new Promise(() => undefined);
    await toldOf(asked);
    await toldOf(asked);
    assert.equal(told.length, 1, 'told twice while it waits');
    await toldOf(answered);
    await toldOf(asked);
    assert.equal(told.length, 1, 'told again while another question waits');
    waiting.isWaiting = false;
    await toldOf(answered);
    waiting.isWaiting = true;
    assert.equal((await toldOf(asked)).length, 2);
  });

  it('tell the end of a turn only when the window has no focus', async () => {
    [isFocused, isInSight] = [true, false];
    assert.deepEqual(await toldOf(ended), []);
    isFocused = false;
    assert.deepEqual(await toldOf(ended), ['Demo is done: Fix it']);
  });
});
