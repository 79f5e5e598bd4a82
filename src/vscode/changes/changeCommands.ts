import * as vscode from 'vscode';
import type { Changes, ChangeSelection, PendingFile } from '../../core/changes/model';
import type { Session } from '../../core/session/session';
import { asNumber, asObject, asString } from '../../shared/json';
import type { ChangeCommandId } from '../contributions';
import type { ChangeReview } from './changeReview';
import type { ChangesDiff } from './changesDiff';
import { goToChange, hunkAtCursor } from './changeSteps';
import { pickCheckpoint, restoreCheckpoint } from './checkpoints';
import type { HunkPlaces } from './hunkPlaces';

export interface ChangeCommandServices {
  readonly changes: Changes;
  readonly review: ChangeReview;
  readonly diff: ChangesDiff;
  readonly places: HunkPlaces;
}

type Command = (argument?: unknown) => unknown;

/** Arguments are plain, nodes of the view, or the address of the file in an editor's title. */
export function createChangeCommands(
  { changes, review, diff, places }: ChangeCommandServices,
  /** The session an argument names, else the one in the chat. */
  target: (argument: unknown) => Session,
): Readonly<Record<ChangeCommandId, Command>> {
  const follow = (isOn: boolean): Thenable<void> =>
    vscode.workspace
      .getConfiguration('parley')
      .update('followAgent', isOn, vscode.ConfigurationTarget.Global);

  return {
    'parley.keepAllChanges': (argument) => review.keep(selectionOf(argument)),
    'parley.undoAllChanges': (argument) =>
      review.undo(selectionOf(argument), { confirm: asObject(argument).confirm !== false }),
    'parley.undoReview': (id) => review.undoReview(asString(id)),
    'parley.reviewChanges': async (argument) => {
      const files = changes.pending(selectionOf(argument).sessionId);
      if (files.length > 0) {
        await diff.openAll(files, vscode.l10n.t('Changes by agents'));
      }
    },
    'parley.restoreCheckpoint': async (argument) => {
      const session = target(argument);
      const { turnId, confirm } = asObject(argument);
      const turn = asNumber(turnId) ?? (await pickCheckpoint(session, changes));
      return turn === undefined
        ? false
        : restoreCheckpoint({ changes, diff }, session, turn, confirm !== false);
    },
    'parley.keepHunk': async (argument) => {
      const selection = hunkOf(argument, places);
      return selection === undefined ? undefined : review.keep(selection);
    },
    'parley.undoHunk': async (argument) => {
      const selection = hunkOf(argument, places);
      return selection === undefined ? undefined : review.undo(selection, { confirm: false });
    },
    'parley.nextChange': () => goToChange(changes, places, 1),
    'parley.previousChange': () => goToChange(changes, places, -1),
    'parley.keepFileChanges': async (argument) => {
      const file = fileOf(argument, changes);
      return file === undefined ? undefined : review.keep(ofFile(argument, file));
    },
    'parley.undoFileChanges': async (argument) => {
      const file = fileOf(argument, changes);
      return file === undefined ? undefined : review.undo(ofFile(argument, file), { confirm: false });
    },
    'parley.openChange': async (argument) => {
      const file = fileOf(argument, changes);
      if (file !== undefined) {
        await diff.open(file);
      }
    },
    'parley.toggleFollow': () =>
      follow(vscode.workspace.getConfiguration('parley').get('followAgent') !== true),
    'parley.stopFollowing': () => follow(false),
  };
}

function selectionOf(argument: unknown): ChangeSelection {
  const sessionId = asString(asObject(argument).sessionId);
  return sessionId === undefined ? {} : { sessionId };
}

function ofFile(argument: unknown, { path }: PendingFile): ChangeSelection {
  return argument instanceof vscode.Uri ? { path } : { ...selectionOf(argument), path };
}

function fileOf(argument: unknown, changes: Changes): PendingFile | undefined {
  const named = argument instanceof vscode.Uri ? argument.fsPath : asString(asObject(argument).path);
  const path = named ?? vscode.window.activeTextEditor?.document.uri.fsPath;
  return changes.pending().find((file) => file.path === path);
}

function hunkOf(argument: unknown, places: HunkPlaces): ChangeSelection | undefined {
  const { path, hunkId } = asObject(argument);
  const given = { path: asString(path), hunkId: asString(hunkId) };
  if (given.path !== undefined && given.hunkId !== undefined) {
    return { path: given.path, hunkId: given.hunkId };
  }
  const found = hunkAtCursor(places);
  return found === undefined ? undefined : { path: found.path, hunkId: found.hunk.id };
}
