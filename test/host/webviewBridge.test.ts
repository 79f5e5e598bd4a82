import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ChatState, HostMessage } from '../../src/shared/protocol';
import { emptyTranscript, type Transcript } from '../../src/shared/transcript/model';
import { WebviewBridge } from '../../src/vscode/chat/webviewBridge';
import { MemoryLog } from '../support/fakes';
import { until } from '../support/until';

const entry = (number: number) =>
  ({ kind: 'user', id: `u${number}`, at: 0, messageId: undefined, blocks: [], turnId: number }) as const;
const transcriptOf = (count: number): Transcript => ({
  ...emptyTranscript,
  entries: Array.from({ length: count }, (_, number) => entry(number)),
});

const state: ChatState = {
  place: 'view',
  obstacle: undefined,
  agents: [],
  agentId: undefined,
  offer: undefined,
  session: undefined,
  progress: undefined,
  queue: [],
  recent: [],
  changes: { files: 0, added: 0, removed: 0, reviewed: undefined },
  checkpoints: [],
};

describe('the bridge to a webview', () => {
  let posted: HostMessage[];
  let fromWebview: vscode.EventEmitter<unknown>;
  let shown: { sessionId: string; transcript: Transcript };
  let bridge: WebviewBridge;

  beforeEach(() => {
    posted = [];
    fromWebview = new vscode.EventEmitter();
    shown = { sessionId: 'a', transcript: transcriptOf(1000) };
    bridge = new WebviewBridge(
      {
        postMessage: (message: HostMessage) => Promise.resolve(posted.push(message) > 0),
        onDidReceiveMessage: fromWebview.event,
      },
      {
        transcript: () => shown,
        state: () => state,
        draft: () => ({ sessionId: shown.sessionId, text: '', attachments: [] }),
        onMessage: () => undefined,
      },
      new MemoryLog(),
    );
  });
  afterEach(() => {
    bridge.dispose();
    fromWebview.dispose();
  });

  const snapshots = () => posted.splice(0).filter((message) => message.type === 'snapshot');

  it('sends the end of a long transcript first, and all of it when it is asked', () => {
    fromWebview.fire({ type: 'ready' });
    const [end] = snapshots();
    assert.equal(end?.isEnd, true);
    assert.ok(end.transcript.entries.length < 200);
    assert.deepEqual(end.transcript.entries.at(-1), entry(999));
    fromWebview.fire({ type: 'resync' });
    const [whole] = snapshots();
    assert.equal(whole?.isEnd, undefined);
    assert.equal(whole?.transcript, shown.transcript);
  });

  it('takes nothing away from a session that is shown', () => {
    fromWebview.fire({ type: 'ready' });
    fromWebview.fire({ type: 'resync' });
    snapshots();
    bridge.resync();
    assert.equal(snapshots()[0]?.transcript, shown.transcript);
  });

  it('sends the end again for another session, and for a page that is new', () => {
    fromWebview.fire({ type: 'ready' });
    snapshots();
    shown = { sessionId: 'b', transcript: transcriptOf(500) };
    bridge.resync();
    assert.equal(snapshots()[0]?.isEnd, true);
    fromWebview.fire({ type: 'ready' });
    assert.equal(snapshots()[0]?.isEnd, true);
  });

  it('sends the end first of what was still to be read when its session was opened', () => {
    shown = { sessionId: 'a', transcript: emptyTranscript };
    fromWebview.fire({ type: 'ready' });
    snapshots();
    shown = { sessionId: 'a', transcript: transcriptOf(500) };
    bridge.resync();
    assert.equal(snapshots()[0]?.isEnd, true);
  });

  it('takes nothing away from a session that has grown since it was empty', async () => {
    shown = { sessionId: 'a', transcript: emptyTranscript };
    fromWebview.fire({ type: 'ready' });
    bridge.push({ type: 'titleChanged', title: 'grows' });
    await until('the events', () => posted.some(({ type }) => type === 'events'));
    snapshots();
    shown = { sessionId: 'a', transcript: transcriptOf(500) };
    bridge.resync();
    assert.equal(snapshots()[0]?.transcript, shown.transcript);
  });

  it('sends a short one as a whole', () => {
    shown = { sessionId: 'a', transcript: transcriptOf(20) };
    fromWebview.fire({ type: 'ready' });
    assert.equal(snapshots()[0]?.isEnd, undefined);
  });
});
