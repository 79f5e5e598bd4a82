import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { ParleyError } from '../../src/core/base/errors';
import { AttachmentData } from '../../src/core/session/attachmentData';
import { Drafts } from '../../src/core/session/drafts';
import { PromptQueues } from '../../src/core/session/promptQueue';
import type { Session } from '../../src/core/session/session';
import type { HostMessage, WebviewMessage } from '../../src/shared/protocol';
import { emptyTranscript } from '../../src/shared/transcript/model';
import { Chat, type ChatServices } from '../../src/vscode/chat/chat';
import { MemoryLog, MemoryMemento } from '../support/fakes';
import { until } from '../support/until';

const nothing = { text: '', attachments: [] };

describe('a chat', () => {
  const session = {
    id: 's',
    isLive: true,
    transcript: emptyTranscript,
    record: { agentId: 'demo', turnCount: 1 },
    summary: () => undefined,
    onDidDispatch: new vscode.EventEmitter<void>().event,
    onDidReset: new vscode.EventEmitter<void>().event,
    showError: () => assert.fail('nobody would see it'),
  } as unknown as Session;
  const sessionsChanged = new vscode.EventEmitter<Session | undefined>();
  const silent = new vscode.EventEmitter<void>().event;
  let folder: string;
  let known: Session[];
  let fromWebview: vscode.EventEmitter<WebviewMessage>;
  let posted: HostMessage[];
  let submitted: string[];
  let drafts: Drafts;
  let chat: Chat;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-chat-'));
    const log = new MemoryLog();
    const data = new AttachmentData(folder, log);
    known = [session];
    posted = [];
    submitted = [];
    fromWebview = new vscode.EventEmitter();
    drafts = new Drafts(new MemoryMemento(), data);
    const services = {
      sessions: {
        all: () => known,
        get: (id: string) => known.find((one) => one.id === id),
        isRestoring: () => false,
        onDidChange: sessionsChanged.event,
        submit: (id: string, text: string) => {
          if (known.every((one) => one.id !== id)) {
            throw new ParleyError('sessionNotFound', 'There is no such session.');
          }
          submitted.push(text);
        },
      },
      queues: new PromptQueues(new MemoryMemento(), data),
      drafts,
      config: { agents: () => [], defaultAgentId: () => 'demo', findAgent: () => undefined },
      workspace: { obstacle: undefined, onDidChange: silent },
      offer: { agents: () => undefined, onDidChange: silent },
      focus: { set: () => undefined },
      review: { onDidChange: silent, summary: () => undefined },
      changes: { hasCheckpoint: () => false },
      log,
      newId: () => 'id',
    } as unknown as ChatServices;
    const webview = {
      onDidReceiveMessage: fromWebview.event,
      postMessage: (message: HostMessage) => Promise.resolve(posted.push(message) > 0),
    } as unknown as vscode.Webview;
    chat = new Chat(webview, 'view', services);
    chat.show(session);
    fromWebview.fire({ type: 'ready' });
  });
  afterEach(() => {
    chat.dispose();
    rmSync(folder, { recursive: true });
  });

  it('empties the draft when its prompt was taken', () => {
    drafts.set('s', { text: 'hello', attachments: [] });
    fromWebview.fire({ type: 'submitPrompt', sessionId: 's', text: 'hello', attachments: [] });
    assert.deepEqual([submitted, drafts.get('s')], [['hello'], nothing]);
  });

  it('puts back what was said to a session that is gone, in front of what was typed since', async () => {
    drafts.set('', { text: 'something else', attachments: [] });
    known = [];
    sessionsChanged.fire(undefined);
    assert.equal(chat.currentSession, undefined);
    fromWebview.fire({ type: 'submitPrompt', sessionId: 's', text: 'do not lose me', attachments: [] });
    const text = 'do not lose me\n\nsomething else';
    assert.deepEqual(drafts.get(''), { text, attachments: [] });
    await until('the draft in the webview', () =>
      posted.some((message) => message.type === 'draft' && message.sessionId === '' && message.text === text),
    );
  });

  it('hears of its user', () => {
    let uses = 0;
    chat.onDidUse(() => uses++);
    fromWebview.fire({ type: 'resync' });
    assert.equal(uses, 0);
    fromWebview.fire({ type: 'saveDraft', sessionId: 's', text: 'a', attachments: [] });
    assert.equal(uses, 1);
  });
});
