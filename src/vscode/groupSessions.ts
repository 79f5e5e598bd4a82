import * as vscode from 'vscode';
import { groupings, type Grouping } from '../core/session/sessionGroups';
import { asObject, asOneOf } from '../shared/json';
import type { Config } from './config';

/** Asks how to group, unless the argument says it, and keeps it in the settings. */
export async function groupSessionsBy(config: Config, argument: unknown): Promise<void> {
  const by = asOneOf(asObject(argument).by, groupings) ?? (await pickGrouping(config.sessionGrouping()));
  if (by !== undefined) {
    await config.setSessionGrouping(by);
  }
}

async function pickGrouping(current: Grouping): Promise<Grouping | undefined> {
  const labels: Readonly<Record<Grouping, string>> = {
    date: vscode.l10n.t('Latest first, without groups'),
    folder: vscode.l10n.t('By folder'),
    agent: vscode.l10n.t('By agent'),
  };
  const picked = await vscode.window.showQuickPick(
    groupings.map((by) => ({
      label: labels[by],
      description: by === current ? vscode.l10n.t('Current') : undefined,
      by,
    })),
    { placeHolder: vscode.l10n.t('How to list sessions') },
  );
  return picked?.by;
}
