import * as vscode from 'vscode';
import { describeRule, type PermissionPolicy, type PermissionRule } from '../core/permissions/policy';

interface RuleItem extends vscode.QuickPickItem {
  readonly rule?: PermissionRule;
}

/** Shows every standing rule; those made with "always" can be removed here, the others in the settings. */
export async function managePermissionRules(policy: PermissionPolicy): Promise<void> {
  const remove: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Remove this rule'),
  };
  const picker = vscode.window.createQuickPick<RuleItem>();
  picker.placeholder = vscode.l10n.t('Rules that answer agents’ questions; choose one to remove it');
  const fill = (): void => {
    const remembered = policy.remembered();
    const configured = policy.fromSettings();
    picker.items = [
      {
        label: vscode.l10n.t('Made with “always” in this workspace'),
        kind: vscode.QuickPickItemKind.Separator,
      },
      ...remembered.map((rule) => ({ label: describeRule(rule), buttons: [remove], rule })),
      { label: vscode.l10n.t('From the settings'), kind: vscode.QuickPickItemKind.Separator },
      ...configured.map((rule) => ({ label: describeRule(rule) })),
      { label: vscode.l10n.t('Open the settings…'), alwaysShow: true },
    ];
  };
  const forget = async (rule: PermissionRule | undefined): Promise<void> => {
    if (rule !== undefined) {
      await policy.forget(rule);
      fill();
    }
  };
  picker.onDidTriggerItemButton(({ item }) => void forget(item.rule));
  picker.onDidAccept(() => {
    const [item] = picker.selectedItems;
    if (item?.rule !== undefined) {
      void forget(item.rule);
    } else {
      picker.hide();
      void vscode.commands.executeCommand('workbench.action.openSettings', 'parley.permissions.rules');
    }
  });
  fill();
  picker.show();
  await new Promise<void>((resolve) => {
    picker.onDidHide(() => {
      picker.dispose();
      resolve();
    });
  });
}
