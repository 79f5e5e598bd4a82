import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/lifecycle';
import type { Sessions } from '../core/session/sessions';
import { contextKeys } from './contributions';

/** Tells menus and key bindings what state the sessions are in. */
export class ContextKeys extends DisposableStore {
  private readonly known = new Map<string, boolean>();

  constructor(private readonly sessions: Sessions) {
    super();
    this.add(sessions.onDidChange(() => this.update()));
    this.update();
  }

  private update(): void {
    const all = this.sessions.all();
    this.set(
      contextKeys.isWaiting,
      all.some((session) => session.isWaiting),
    );
    this.set(
      contextKeys.isRunning,
      all.some((session) => session.isRunning),
    );
    this.set(contextKeys.hasSession, all.length > 0);
  }

  private set(key: string, value: boolean): void {
    if (this.known.get(key) !== value) {
      this.known.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
