import * as vscode from 'vscode';
import { asError, ParleyError } from '../core/base/errors';
import type { Logs } from './log';
import { withoutLinks } from './withoutLinks';

/** For what has no place in a conversation. */
export function showError(error: unknown, logs: Logs): void {
  logs.main.error(asError(error));
  const showLog = vscode.l10n.t('Show Log');
  const openSettings = vscode.l10n.t('Open Settings');
  const isSetting = ParleyError.is(error, 'invalidConfig') || ParleyError.is(error, 'agentNotFound');
  const buttons = isSetting ? [openSettings, showLog] : [showLog];
  void vscode.window.showErrorMessage(withoutLinks(asError(error).message), ...buttons).then((chosen) => {
    if (chosen === showLog) {
      logs.showMain();
    } else if (chosen === openSettings) {
      void vscode.commands.executeCommand('workbench.action.openSettings', 'parley.agents');
    }
  });
}
