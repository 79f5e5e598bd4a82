import * as vscode from 'vscode';
import { Emitter } from '../../core/base/emitter';
import {
  obstacleTo,
  readFileVersion,
  removeFile,
  writeFileVersion,
  type FollowedSince,
} from '../../core/changes/diskFile';
import { isSame } from '../../core/changes/fileVersion';
import type { ChangeFiles, FileVersion } from '../../core/changes/model';
import { merge3 } from '../../core/files/merge3';
import { withTyped } from '../../core/files/withTyped';
import { applyText, isBinaryFor, untilInHistory, normalBreaks, reloaded, trySave } from '../files/documents';

/** How often what was typed is put back anew because the user was typing at that moment. */
const ATTEMPTS = 3;

/** What is known of the folder that a file is in. */
export interface FollowedFolders {
  readonly folderOf: (file: string) => string | undefined;
  readonly since: FollowedSince;
}

/**
 * Files byte for byte, through the editor where one is open: its undo, cursors and folds stay, and text that is
 * typed and not saved is never lost.
 */
export class EditorChangeFiles implements ChangeFiles {
  private readonly writing = new Map<string, number>();
  private readonly replaced = new Emitter<string>();
  readonly onDidReplace = this.replaced.event;

  constructor(private readonly followed: FollowedFolders) {}

  /** A save that happens now is ours and not the user's. */
  isWriting(file: string): boolean {
    return this.writing.has(file);
  }

  read(file: string): Promise<FileVersion | undefined> {
    return readFileVersion(file, this.followed.folderOf(file));
  }

  obstacleTo(file: string): Promise<string | undefined> {
    return obstacleTo(file, this.followed.folderOf(file));
  }

  async replace(
    file: string,
    before: FileVersion | undefined,
    after: FileVersion | undefined,
  ): Promise<boolean> {
    this.writing.set(file, (this.writing.get(file) ?? 0) + 1);
    try {
      const isReplaced = await this.replaceNow(file, before, after);
      this.replaced.fire(file);
      return isReplaced;
    } finally {
      const left = (this.writing.get(file) ?? 1) - 1;
      if (left === 0) {
        this.writing.delete(file);
      } else {
        this.writing.set(file, left);
      }
    }
  }

  private async replaceNow(
    file: string,
    before: FileVersion | undefined,
    after: FileVersion | undefined,
  ): Promise<boolean> {
    const document = openDocument(file);
    // An editor that has not yet seen what is on the disk could not save over it.
    await reloaded(document);
    if ((await this.obstacleTo(file)) !== undefined || !isSame(await this.read(file), before)) {
      return false;
    }
    if (after === undefined) {
      await removeFile(file, this.followed.since);
      return true;
    }
    const isPlain = before === undefined || before.mode === 'link' || after.mode === 'link';
    if (document === undefined || document.isClosed || isPlain || isBinaryFor(document, after.content)) {
      return writePlain(file, after);
    }
    return this.writeThrough(document, before, after);
  }

  /**
   * The editor's text becomes the version and is saved. What was typed and not saved is put back on top of it, with
   * the change made in it too where that is possible.
   */
  private async writeThrough(
    document: vscode.TextDocument,
    before: FileVersion,
    after: FileVersion,
  ): Promise<boolean> {
    const file = document.fileName;
    const decode = async ({ content }: FileVersion): Promise<string> =>
      normalBreaks(await vscode.workspace.decode(content, { encoding: document.encoding }));
    const [base, text] = await Promise.all([decode(before), decode(after)]);
    const shown = normalBreaks(document.getText());
    const wasDirty = document.isDirty;
    if (!wasDirty && shown !== base) {
      return writePlain(file, after);
    }
    await applyText(document, text);
    const isSaved = await trySave(document);
    const unsaved = wasDirty ? (merge3(base, shown, text) ?? shown) : text;
    const isTyped = wasDirty || document.isDirty;
    const typed = withTyped(text, unsaved, normalBreaks(document.getText()));
    const onDisk = await this.read(file);
    const isOurs = isSaved || isSame(onDisk, before) || isSame(onDisk, after);
    // What the editor could not do exactly: another encoding, mixed line ends, a formatter on save.
    const isExact = isSame(onDisk, after);
    if (isOurs && !isExact) {
      await untilInHistory();
    }
    const isWritten = isOurs && (isExact || (await writePlain(file, after)));
    for (let attempt = 1; isTyped && attempt <= ATTEMPTS; attempt += 1) {
      const now = normalBreaks(document.getText());
      if (await applyText(document, now === text ? typed : withTyped(text, unsaved, now))) {
        break;
      }
    }
    return isWritten;
  }
}

async function writePlain(file: string, after: FileVersion): Promise<boolean> {
  const isWritten = await writeFileVersion(file, after);
  await reloaded(openDocument(file));
  return isWritten;
}

function openDocument(file: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => !isClosed && uri.scheme === 'file' && uri.fsPath === file,
  );
}
