import * as vscode from 'vscode';
import { asError } from '../../core/base/errors';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Session } from '../../core/session/session';
import { views } from '../contributions';
import { Chat, type ChatServices } from './chat';
import { chatHtml, chatOptions } from './chatHtml';
import type { ChatPlace } from './chats';

const KEY = 'parley.shownSession';

/** The chat in the side bar. Remembers which session it showed. */
export class ChatView extends DisposableStore implements ChatPlace {
  private chat: Chat | undefined;
  private view: vscode.WebviewView | undefined;
  private readonly resolved = new vscode.EventEmitter<void>();
  private readonly sight = this.add(new vscode.EventEmitter<void>());
  /** Another session is in sight, or none any more. */
  readonly onDidChangeSight = this.sight.event;
  private readonly used = this.add(new vscode.EventEmitter<ChatPlace>());
  readonly onDidUse = this.used.event;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly state: vscode.Memento,
    private readonly services: ChatServices,
  ) {
    super();
    this.add(this.resolved);
    this.add(services.sessions.onDidChange(() => this.updateBadge()));
  }

  resolve(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = chatOptions(this.extensionUri);
    const chat = new Chat(view.webview, 'view', this.services);
    this.chat = chat;
    const shown = this.services.sessions.get(this.state.get<string>(KEY) ?? '');
    chat.show(shown);
    chat.onDidShow((session) => {
      void this.state.update(KEY, session?.id);
      this.sight.fire();
    });
    chat.onDidUse(() => this.used.fire(this));
    view.onDidChangeVisibility(() => {
      if (view.visible) {
        chat.becameVisible();
      }
      this.sight.fire();
    });
    view.onDidDispose(() => {
      chat.dispose();
      this.chat = undefined;
      this.view = undefined;
    });
    view.webview.html = chatHtml(view.webview, this.extensionUri);
    this.updateBadge();
    this.resolved.fire();
    this.sight.fire();
  }

  get isVisible(): boolean {
    return this.view?.visible === true;
  }

  get session(): Session | undefined {
    return this.chat?.currentSession;
  }

  async show(session: Session | undefined): Promise<void> {
    (await this.reveal()).show(session);
  }

  /** Brings an opened session back to its agent. Why that failed is told in the conversation. */
  async restore(session: Session): Promise<void> {
    try {
      await this.services.sessions.makeLive(session);
    } catch (error) {
      this.services.log.warn(`Could not restore ${session.id}: ${asError(error).message}`);
      session.showError(error);
    }
  }

  async reveal(): Promise<Chat> {
    this.used.fire(this);
    await vscode.commands.executeCommand(`${views.chat}.focus`);
    if (this.chat === undefined) {
      await new Promise<void>((resolve) => {
        const listener = this.resolved.event(() => {
          listener.dispose();
          resolve();
        });
      });
    }
    if (this.chat === undefined) {
      throw new Error('The chat view could not be opened.');
    }
    return this.chat;
  }

  private updateBadge(): void {
    if (this.view === undefined) {
      return;
    }
    const waiting = this.services.sessions.all().filter((session) => session.isWaiting).length;
    this.view.badge =
      waiting === 0 ? undefined : { value: waiting, tooltip: vscode.l10n.t('{0} waiting for you', waiting) };
  }
}
