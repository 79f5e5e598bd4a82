import * as vscode from 'vscode';
import type { ElicitationOutcome, ElicitationQuestion } from '../core/agent/agentSession';
import { openWebPage } from './open';
import { withoutLinks } from './withoutLinks';

/** How the user is asked and told. */
export interface OutsideQuestionsUi {
  /** Resolves with the button that was pressed. */
  readonly ask: (message: string, detail: string, ...buttons: string[]) => PromiseLike<string | undefined>;
  readonly tell: (message: string) => void;
  /** False when the user would not have it opened. */
  readonly openPage: (url: string) => Promise<boolean>;
}

const editorUi: OutsideQuestionsUi = {
  ask: (message, detail, ...buttons) =>
    vscode.window.showInformationMessage(message, { modal: true, detail }, ...buttons),
  tell: (message) => void vscode.window.showWarningMessage(withoutLinks(message)),
  openPage: openWebPage,
};

/** Asks what an agent wants to know outside of any session, such as where to sign in. */
export async function askOutsideSession(
  agentName: string,
  { message, request }: ElicitationQuestion,
  withdrawn: AbortSignal,
  ui = editorUi,
): Promise<ElicitationOutcome> {
  if (request.mode === 'form') {
    // Only sessions have a place for forms; no agent is known to ask for one elsewhere.
    ui.tell(
      vscode.l10n.t('{0} asked outside of a session, where it cannot be answered: {1}', agentName, message),
    );
    return { action: 'cancel' };
  }
  const address = URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    ui.tell(vscode.l10n.t('{0} asked to open what is not a web page: {1}', agentName, request.url));
    return { action: 'cancel' };
  }
  const open = vscode.l10n.t('Open in Browser');
  const decline = vscode.l10n.t('Decline');
  const chosen = await ui.ask(
    vscode.l10n.t('{0} asks you to open {1}', agentName, address.host),
    `${message}\n\n${address.href}`,
    open,
    decline,
  );
  // Nothing can close a dialog but the user; what it asked may be over meanwhile.
  if (withdrawn.aborted) {
    ui.tell(vscode.l10n.t('{0} does not ask to open {1} any more.', agentName, address.host));
    return { action: 'cancel' };
  }
  if (chosen === open) {
    return { action: (await ui.openPage(address.href)) ? 'accept' : 'cancel' };
  }
  return { action: chosen === decline ? 'decline' : 'cancel' };
}
