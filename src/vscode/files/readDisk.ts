import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import * as vscode from 'vscode';
import { readTextLines } from '../../core/files/readTextLines';
import type { AllowedPath } from '../../core/files/pathGuard';
import { FileProblem } from '../../core/ports';

/** Above this, a text is decoded piece by piece, so that the host has time for others in between. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** V8 has no longer strings. */
const MAX_BYTES = 400 * 1024 * 1024;

interface LineRange {
  readonly line: number | undefined;
  readonly limit: number | undefined;
}

/**
 * The text of a file, or of a large one only the lines that were asked for. `recheck` is called when the file is
 * open: what is then read is what was checked, whatever happens to its path.
 */
export async function readDisk(
  { path, real }: AllowedPath,
  range: LineRange,
  recheck: () => Promise<void>,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const file = await openFile(real);
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) {
      throw new FileProblem('invalid', `${path} is a folder.`);
    }
    if (!stat.isFile()) {
      throw new FileProblem('invalid', `${path} is not a file.`);
    }
    await recheck();
    const uri = vscode.Uri.file(path);
    const encoding = stat.size > LARGE_BYTES ? streamEncoding(uri) : undefined;
    if (encoding === undefined) {
      return { text: await decode(await file.readFile(), uri), isWhole: true };
    }
    const isPart = range.line !== undefined || range.limit !== undefined;
    if (!isPart && stat.size > MAX_BYTES) {
      throw new FileProblem('invalid', `${path} is too large to be read at once. Ask for some of its lines.`);
    }
    return { text: await readTextLines(file, path, encoding, range), isWhole: !isPart };
  } finally {
    await file.close();
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    // Else a pipe without a writer would keep us waiting.
    return await open(file, constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new FileProblem('notFound', `There is no file ${file}.`);
    }
    if (code === 'EISDIR') {
      throw new FileProblem('invalid', `${file} is a folder.`);
    }
    throw new FileProblem('failed', `${file} could not be read: ${String(code)}`);
  }
}

async function decode(bytes: Uint8Array, uri: vscode.Uri): Promise<string> {
  try {
    return await vscode.workspace.decode(bytes, { uri });
  } catch {
    throw new FileProblem('invalid', `${uri.fsPath} is a binary file.`);
  }
}

/** By VS Code's setting, as a label that Node knows; undefined: VS Code has to decode it itself. */
function streamEncoding(uri: vscode.Uri): string | undefined {
  const setting = vscode.workspace.getConfiguration('files', uri).get<string>('encoding') ?? 'utf8';
  const label = setting
    .replace(/^utf8.*$/, 'utf-8')
    .replace(/^utf16/, 'utf-16')
    .replace(/^(windows|iso)(\d)/, '$1-$2')
    .replace(/^iso-8859(\d)/, 'iso-8859-$1');
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
