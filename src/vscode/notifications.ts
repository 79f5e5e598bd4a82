import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/lifecycle';
import type { Session } from '../core/session/session';
import type { Sessions } from '../core/session/sessions';
import { withoutLinks } from './withoutLinks';

export interface NotificationOptions {
  readonly sessions: Pick<Sessions, 'onDidDispatch'>;
  /** Whether the user can see this session's chat right now. */
  readonly isInSight: (session: Session) => boolean;
  /** Behind another program nothing is in sight. */
  readonly isWindowFocused: () => boolean;
  readonly tellsTurnEnd: () => boolean;
  /** Resolves with the button when it was pressed. */
  readonly tell: (message: string, button: string) => PromiseLike<string | undefined>;
  readonly open: (session: Session) => void;
}

/** Tells the user what they cannot see: a question in a hidden chat, the end of a turn while they are elsewhere. */
export class Notifications extends DisposableStore {
  private readonly told = new Set<string>();

  constructor(private readonly options: NotificationOptions) {
    super();
    this.add(
      options.sessions.onDidDispatch(({ session, event }) => {
        if (event.type === 'permissionAsked' || event.type === 'elicitationAsked') {
          this.tellQuestion(session);
        } else if (event.type === 'permissionAnswered' || event.type === 'elicitationAnswered') {
          this.noteAnswer(session);
        } else if (event.type === 'turnEnded') {
          this.tellEnd(session, event.outcome.kind);
        }
      }),
    );
  }

  private tellQuestion(session: Session): void {
    // Rules answer within the same moment; what they answered is no question.
    setTimeout(() => {
      const isSeen = this.options.isWindowFocused() && this.options.isInSight(session);
      if (!session.isWaiting || isSeen || this.told.has(session.id)) {
        return;
      }
      this.told.add(session.id);
      const message = vscode.l10n.t(
        '{0} waits for your answer: {1}',
        session.record.agentName,
        session.title,
      );
      this.offer(message, vscode.l10n.t('Answer'), session, () => this.told.delete(session.id));
    }, 0);
  }

  /** Nobody has to close a notification: what it told may be answered and over while it is still there. */
  private noteAnswer(session: Session): void {
    if (!session.isWaiting) {
      this.told.delete(session.id);
    }
  }

  private tellEnd(session: Session, outcome: 'done' | 'cancelled' | 'failed'): void {
    if (this.options.isWindowFocused() || !this.options.tellsTurnEnd() || outcome === 'cancelled') {
      return;
    }
    const message =
      outcome === 'done'
        ? vscode.l10n.t('{0} is done: {1}', session.record.agentName, session.title)
        : vscode.l10n.t('{0} failed: {1}', session.record.agentName, session.title);
    this.offer(message, vscode.l10n.t('Show'), session, () => undefined);
  }

  private offer(message: string, button: string, session: Session, onClosed: () => void): void {
    void this.options.tell(withoutLinks(message), button).then((chosen) => {
      onClosed();
      if (chosen === button) {
        this.options.open(session);
      }
    });
  }
}
