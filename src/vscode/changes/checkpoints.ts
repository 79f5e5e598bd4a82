import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Changes, RestoredFile, RestorePreview } from '../../core/changes/model';
import type { Session } from '../../core/session/session';
import { textOf } from '../../shared/transcript/select';
import { namesOf } from './changeReview';
import type { ChangesDiff } from './changesDiff';

const EXCERPT_LENGTH = 40;

export interface CheckpointServices {
  readonly changes: Changes;
  readonly diff: ChangesDiff;
}

/** Turns of this session whose beginning the files can be brought back to. */
export function checkpointsOf({ id, transcript }: Session, changes: Changes): readonly number[] {
  return transcript.entries.flatMap((entry) =>
    entry.kind === 'user' && entry.turnId !== undefined && changes.hasCheckpoint(id, entry.turnId)
      ? [entry.turnId]
      : [],
  );
}

/** Shows what would happen, and does it when the user says so. True when files were restored. */
export async function restoreCheckpoint(
  { changes, diff }: CheckpointServices,
  session: Session,
  turnId: number,
  confirm: boolean,
): Promise<boolean> {
  if (!changes.hasCheckpoint(session.id, turnId)) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('What the files were before this message is not known any more.'),
    );
    return false;
  }
  const title = vscode.l10n.t('Restore files to before “{0}”', excerptOf(session, turnId));
  const preview = await changes.previewRestore(session.id, turnId);
  if (preview.files.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No file has changed since this message.'));
    return false;
  }
  const choice = confirm ? await ask(preview, title, diff) : 'restore';
  if (choice === undefined) {
    return false;
  }
  const result = await changes.restore(session.id, turnId, { discardUserEdits: choice === 'discard' });
  const words = vscode.l10n.t('Files restored to before “{0}”', excerptOf(session, turnId));
  session.addNotice({
    severity: 'info',
    text:
      result.conflicts.length === 0
        ? words
        : vscode.l10n.t('{0}. Left as they are: {1}', words, namesOf(result.conflicts)),
    actions:
      result.id === undefined
        ? []
        : [{ label: vscode.l10n.t('Undo'), command: 'undoReview', argument: result.id }],
  });
  return true;
}

/** For the command without a message: which one. */
export async function pickCheckpoint(session: Session, changes: Changes): Promise<number | undefined> {
  const items = checkpointsOf(session, changes).map((turnId) => ({
    label: excerptOf(session, turnId),
    turnId,
  }));
  const picked = await vscode.window.showQuickPick(items.reverse(), {
    placeHolder: vscode.l10n.t('Restore files to before this message'),
  });
  return picked?.turnId;
}

type Choice = 'restore' | 'discard';
type Item = vscode.QuickPickItem & { readonly choice?: Choice; readonly file?: string };

/** Stays open while the user looks at the diffs. */
function ask(preview: RestorePreview, title: string, diff: ChangesDiff): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  const viewAll: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('diff-multiple'),
    tooltip: vscode.l10n.t('View all changes'),
  };
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Choose what to do, or a file to see its changes');
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.buttons = [viewAll];
  picker.items = itemsOf(preview);
  picker.onDidTriggerButton(() => void diff.openPreview(preview, title));
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      if (item?.file !== undefined) {
        void diff.openPreview(preview, `${path.basename(item.file)} (${title})`, item.file);
      } else if (item?.choice !== undefined) {
        resolve(item.choice);
        picker.hide();
      }
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

function itemsOf({ files }: RestorePreview): readonly Item[] {
  const conflicts = files.filter(({ isConflict }) => isConflict).length;
  const hasUserEdits = files.some((file) => file.hasUserEdits || file.isConflict);
  const discard: Item = {
    label: `$(discard) ${vscode.l10n.t('Restore and also discard my edits')}`,
    choice: 'discard',
    alwaysShow: true,
  };
  return [
    {
      label: `$(history) ${restoreLabel(files.length - conflicts)}`,
      description: hasUserEdits ? vscode.l10n.t('your own edits stay') : '',
      choice: 'restore',
      alwaysShow: true,
    },
    ...(hasUserEdits ? [discard] : []),
    { label: vscode.l10n.t('What will change'), kind: vscode.QuickPickItemKind.Separator },
    ...files.map((file): Item => ({
      label: `$(${iconOf(file)}) ${path.basename(file.path)}`,
      description: folderOf(file),
      ...(noteOf(file) === undefined ? {} : { detail: noteOf(file) }),
      file: file.path,
    })),
  ];
}

/** In the workspace; nothing for a file at its top. */
function folderOf(file: RestoredFile): string {
  const folder = path.dirname(vscode.workspace.asRelativePath(file.path));
  return folder === '.' ? '' : folder;
}

function restoreLabel(count: number): string {
  return count === 1 ? vscode.l10n.t('Restore 1 file') : vscode.l10n.t('Restore {0} files', count);
}

function iconOf({ now, restored }: RestoredFile): string {
  if (restored === undefined) {
    return 'diff-removed';
  }
  return now === undefined ? 'diff-added' : 'diff-modified';
}

function noteOf({ hasUserEdits, isConflict }: RestoredFile): string | undefined {
  if (isConflict) {
    return vscode.l10n.t('Your edits and the agent’s are in the same lines: left as it is');
  }
  return hasUserEdits ? vscode.l10n.t('You have edited it since: your edits stay') : undefined;
}

function excerptOf({ transcript }: Session, turnId: number): string {
  const prompt = transcript.entries.find((entry) => entry.kind === 'user' && entry.turnId === turnId);
  const text = prompt?.kind === 'user' ? textOf(prompt.blocks).trim().replaceAll(/\s+/g, ' ') : '';
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH).trimEnd()}…` : text;
}
