import * as vscode from 'vscode';
import type { ElicitationOutcome, ElicitationQuestion } from '../core/agent/agentSession';
import { openWebPage } from './open';

/** Asks what an agent wants to know outside of any session, such as where to sign in. */
export async function askOutsideSession(
  agentName: string,
  { message, request }: ElicitationQuestion,
): Promise<ElicitationOutcome> {
  if (request.mode === 'form') {
    // Only sessions have a place for forms; no agent is known to ask for one elsewhere.
    return { action: 'cancel' };
  }
  const address = URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    return { action: 'cancel' };
  }
  const open = vscode.l10n.t('Open in Browser');
  const decline = vscode.l10n.t('Decline');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} asks you to open {1}', agentName, address.host),
    { modal: true, detail: `${message}\n\n${address.href}` },
    open,
    decline,
  );
  if (chosen === open) {
    return { action: (await openWebPage(address.href)) ? 'accept' : 'cancel' };
  }
  return { action: chosen === decline ? 'decline' : 'cancel' };
}
