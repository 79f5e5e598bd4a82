import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Session } from '../../core/session/session';
import { asObject, asString } from '../../shared/json';
import { chatPanel } from '../contributions';
import { Chat, type ChatServices } from './chat';
import { chatHtml, chatOptions } from './chatHtml';
import type { ChatPlace } from './chats';

/** Sessions as editor tabs, which are there again after a reload. */
export class ChatPanels extends DisposableStore {
  private readonly tabs = new Set<ChatTab>();
  private readonly sight = this.add(new vscode.EventEmitter<void>());
  /** Other tabs are in sight, or show other sessions. */
  readonly onDidChangeSight = this.sight.event;
  private readonly used = this.add(new vscode.EventEmitter<ChatPlace>());
  readonly onDidUse = this.used.event;
  private readonly closed = this.add(new vscode.EventEmitter<ChatPlace>());
  readonly onDidClose = this.closed.event;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly services: ChatServices,
  ) {
    super();
    this.add(services.sessions.onDidChange(() => this.update()));
  }

  open(session: Session): void {
    const existing = [...this.tabs].find((tab) => tab.session === session);
    if (existing !== undefined) {
      void existing.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(chatPanel, session.title, vscode.ViewColumn.Active, {
      ...chatOptions(this.extensionUri),
      retainContextWhenHidden: true,
    });
    this.fill(panel, session);
  }

  /** After a reload VS Code hands the tab back with the state its webview had stored. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const session = this.services.sessions.get(asString(asObject(state).sessionId) ?? '');
    if (session === undefined) {
      panel.dispose();
      return;
    }
    panel.webview.options = chatOptions(this.extensionUri);
    this.fill(panel, session);
  }

  private fill(panel: vscode.WebviewPanel, session: Session): void {
    const chat = new Chat(panel.webview, 'editor', this.services);
    const tab = new ChatTab(panel, chat);
    this.tabs.add(tab);
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(this.extensionUri, 'media', `parley-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    chat.onDidShow(() => {
      tab.updateTitle();
      this.sight.fire();
    });
    chat.onDidUse(() => this.used.fire(tab));
    chat.show(session);
    panel.onDidChangeViewState(() => {
      if (panel.visible) {
        chat.becameVisible();
      }
      if (panel.active) {
        this.used.fire(tab);
      }
      this.sight.fire();
    });
    panel.onDidDispose(() => {
      chat.dispose();
      this.tabs.delete(tab);
      this.closed.fire(tab);
    });
    panel.webview.html = chatHtml(panel.webview, this.extensionUri);
    this.used.fire(tab);
  }

  private update(): void {
    for (const tab of this.tabs) {
      const { session } = tab;
      if (session !== undefined && this.services.sessions.get(session.id) !== session) {
        tab.close();
      } else {
        tab.updateTitle();
      }
    }
  }
}

class ChatTab implements ChatPlace {
  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly chat: Chat,
  ) {}

  get session(): Session | undefined {
    return this.chat.currentSession;
  }

  get isVisible(): boolean {
    return this.panel.visible;
  }

  reveal(): Promise<Chat> {
    this.panel.reveal();
    return Promise.resolve(this.chat);
  }

  close(): void {
    this.panel.dispose();
  }

  updateTitle(): void {
    const title = this.session?.title ?? vscode.l10n.t('New session');
    if (this.panel.title !== title) {
      this.panel.title = title;
    }
  }
}
