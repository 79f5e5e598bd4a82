import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Session } from '../../core/session/session';
import { asObject, asString } from '../../shared/json';
import { chatPanel } from '../contributions';
import { Chat, type ChatServices } from './chat';
import { chatHtml, chatOptions } from './chatHtml';

/** Sessions as editor tabs: each keeps its session, also over a reload. */
export class ChatPanels extends DisposableStore {
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  private readonly chats = new Map<string, Chat>();
  private active: Session | undefined;
  private readonly sight = this.add(new vscode.EventEmitter<void>());
  /** Other tabs are in sight. */
  readonly onDidChangeSight = this.sight.event;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly services: ChatServices,
  ) {
    super();
    this.add(
      services.sessions.onDidChange((session) => {
        const panel = session === undefined ? undefined : this.panels.get(session.id);
        if (panel !== undefined && session !== undefined && panel.title !== session.title) {
          panel.title = session.title;
        }
      }),
    );
  }

  /** The session of the editor tab that has the focus. */
  get activeSession(): Session | undefined {
    return this.active;
  }

  isVisible(session: Session): boolean {
    return this.panels.get(session.id)?.visible ?? false;
  }

  /** False when the session is in no tab that can be seen. */
  goToQuestion(session: Session): boolean {
    const panel = this.panels.get(session.id);
    if (panel?.visible !== true) {
      return false;
    }
    panel.reveal();
    this.chats.get(session.id)?.goToQuestion();
    return true;
  }

  /** False when no tab has the focus. */
  toggleToolCalls(): boolean {
    const chat = this.chats.get(this.active?.id ?? '');
    chat?.toggleToolCalls();
    return chat !== undefined;
  }

  open(session: Session): void {
    const existing = this.panels.get(session.id);
    if (existing !== undefined) {
      existing.reveal();
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
    this.panels.set(session.id, panel);
    this.chats.set(session.id, chat);
    panel.title = session.title;
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(this.extensionUri, 'media', `parley-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    chat.show(session);
    panel.onDidChangeViewState(() => {
      if (panel.visible) {
        chat.becameVisible();
      }
      if (panel.active) {
        this.active = session;
      } else if (this.active === session) {
        this.active = undefined;
      }
      this.sight.fire();
    });
    panel.onDidDispose(() => {
      chat.dispose();
      this.panels.delete(session.id);
      this.chats.delete(session.id);
      if (this.active === session) {
        this.active = undefined;
      }
    });
    panel.webview.html = chatHtml(panel.webview, this.extensionUri);
    this.active = session;
    this.sight.fire();
  }
}
