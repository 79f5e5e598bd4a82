import { chmod, lstat, mkdir, readFile, readlink, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ChangeFiles, FileVersion } from '../../core/changes/model';
import { merge3 } from '../../core/files/merge3';
import { applyText, normalBreaks } from '../files/documents';

const RELOAD_MS = 2000;

/**
 * Files byte for byte, through the editor where one is open: its undo, cursors and folds stay, and text that is
 * typed and not saved is never lost.
 */
export class EditorChangeFiles implements ChangeFiles {
  private readonly writing = new Map<string, number>();

  /** Folders that a removal leaves empty go only if they are younger than this, so that an agent made them. */
  constructor(private readonly followedSince: (folder: string) => number | undefined = () => undefined) {}

  /** A save that happens now is ours and not the user's. */
  isWriting(file: string): boolean {
    return this.writing.has(file);
  }

  async read(file: string): Promise<FileVersion | undefined> {
    try {
      const stat = await lstat(file);
      if (stat.isSymbolicLink()) {
        return { content: Buffer.from(await readlink(file)), mode: 'link' };
      }
      if (!stat.isFile()) {
        return undefined;
      }
      const isExecutable = process.platform !== 'win32' && (stat.mode & 0o111) !== 0;
      return { content: await readFile(file), mode: isExecutable ? 'executable' : 'file' };
    } catch (error) {
      if (isAbsent(error)) {
        return undefined;
      }
      throw error;
    }
  }

  async write(file: string, version: FileVersion | undefined): Promise<void> {
    this.writing.set(file, (this.writing.get(file) ?? 0) + 1);
    try {
      await this.replace(file, version);
    } finally {
      const left = (this.writing.get(file) ?? 1) - 1;
      if (left === 0) {
        this.writing.delete(file);
      } else {
        this.writing.set(file, left);
      }
    }
  }

  private async replace(file: string, version: FileVersion | undefined): Promise<void> {
    if (version === undefined) {
      await rm(file, { force: true });
      await this.removeEmptyFolders(path.dirname(file));
      return;
    }
    // An editor that has not yet seen what is on the disk could not save over it.
    await reloaded(file);
    const before = await this.read(file);
    const document = openDocument(file);
    if (document !== undefined && before !== undefined && before.mode !== 'link' && version.mode !== 'link') {
      await writeThrough(document, before, version);
    }
    // What the editor could not do exactly: another encoding, mixed line ends, a formatter on save.
    if (!isSame(await this.read(file), version)) {
      await writePlain(file, version);
      await reloaded(file);
    }
  }

  private async removeEmptyFolders(folder: string): Promise<void> {
    const since = this.followedSince(folder);
    try {
      if (since === undefined || (await lstat(folder)).birthtimeMs < since) {
        return;
      }
      await rmdir(folder);
    } catch {
      // Something is in it.
      return;
    }
    await this.removeEmptyFolders(path.dirname(folder));
  }
}

/**
 * The editor's text becomes the version and is saved. What was typed and not saved is put back on top of it, with
 * the change made in it too where that is possible.
 */
async function writeThrough(
  document: vscode.TextDocument,
  before: FileVersion,
  version: FileVersion,
): Promise<void> {
  const decode = async ({ content }: FileVersion): Promise<string> =>
    normalBreaks(await vscode.workspace.decode(content, { encoding: document.encoding }));
  const [base, text] = await Promise.all([decode(before), decode(version)]);
  const shown = normalBreaks(document.getText());
  const typed = document.isDirty ? shown : undefined;
  if (typed === undefined && shown !== base) {
    return;
  }
  await applyText(document, text);
  await document.save();
  if (typed === undefined) {
    return;
  }
  if (Buffer.compare(await readFile(document.fileName), version.content) !== 0) {
    await writePlain(document.fileName, version);
    await reloaded(document.fileName);
  }
  await applyText(document, merge3(base, typed, text) ?? typed);
}

async function writePlain(file: string, { content, mode }: FileVersion): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const isLink = await lstat(file).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );
  if (isLink || mode === 'link') {
    // Writing to a link writes to what it points to.
    await rm(file, { force: true });
  }
  if (mode === 'link') {
    await symlink(Buffer.from(content).toString(), file);
    return;
  }
  await writeFile(file, content);
  if (process.platform !== 'win32') {
    const { mode: bits } = await lstat(file);
    // Who may read it may run it, as git does it.
    const wanted = mode === 'executable' ? bits | ((bits & 0o444) >> 2) : bits & ~0o111;
    if (wanted !== bits) {
      await chmod(file, wanted & 0o7777);
    }
  }
}

/** The editor takes up what was written behind its back a little later; until then its text is the old one. */
async function reloaded(file: string): Promise<void> {
  const document = openDocument(file);
  if (document === undefined || document.isDirty) {
    return;
  }
  const content = await readFile(file).catch(() => undefined);
  if (content === undefined) {
    return;
  }
  const text = normalBreaks(await vscode.workspace.decode(content, { encoding: document.encoding }));
  const isThere = (): boolean => document.isClosed || text === normalBreaks(document.getText());
  if (isThere()) {
    return;
  }
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, RELOAD_MS);
    const listener = vscode.workspace.onDidChangeTextDocument(() => {
      if (isThere()) {
        done();
      }
    });
  });
}

function openDocument(file: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => !isClosed && uri.scheme === 'file' && uri.fsPath === file,
  );
}

function isSame(a: FileVersion | undefined, b: FileVersion): boolean {
  return a?.mode === b.mode && Buffer.compare(a.content, b.content) === 0;
}

function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
