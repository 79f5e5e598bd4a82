import * as vscode from 'vscode';
import type { AccessAnswer, AccessQuestion } from '../../core/files/pathGuard';

/** Asks the user about a path that no rule decides. Modal: an agent waits for it, and closing it says no. */
export async function askAccess(question: AccessQuestion, agentName: string): Promise<AccessAnswer> {
  const once = vscode.l10n.t('Allow Once');
  const session = vscode.l10n.t('Allow for This Session');
  const detail =
    question.reason === 'outside'
      ? vscode.l10n.t('{0}\n\nIt is outside of the folders of this workspace.', question.path)
      : vscode.l10n.t('{0}\n\nIt is protected, see the setting parley.files.protected.', question.path);
  const answer = await vscode.window.showWarningMessage(
    title(question, agentName),
    { modal: true, detail },
    once,
    session,
  );
  if (answer === session) {
    return 'session';
  }
  return answer === once ? 'once' : 'deny';
}

function title({ access }: AccessQuestion, agentName: string): string {
  switch (access) {
    case 'read':
      return vscode.l10n.t('Allow {0} to read this file?', agentName);
    case 'write':
      return vscode.l10n.t('Allow {0} to write this file?', agentName);
    case 'run':
      return vscode.l10n.t('Allow {0} to run a command in this folder?', agentName);
  }
}
