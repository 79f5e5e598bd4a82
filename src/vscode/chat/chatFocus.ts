import * as vscode from 'vscode';
import { contextKeys } from '../contributions';

/**
 * Which chats have the focus, for key bindings. VS Code's own `focusedView` does not know: the page of a view lies
 * over the workbench and not in the view.
 */
export class ChatFocus {
  private readonly focused = new Set<object>();

  /** Of two chats, the one that gets the focus may say so before the other says that it has lost it. */
  set(chat: object, hasFocus: boolean): void {
    const before = this.focused.size > 0;
    if (hasFocus) {
      this.focused.add(chat);
    } else {
      this.focused.delete(chat);
    }
    const now = this.focused.size > 0;
    if (now !== before) {
      void vscode.commands.executeCommand('setContext', contextKeys.isChatFocused, now);
    }
  }
}
