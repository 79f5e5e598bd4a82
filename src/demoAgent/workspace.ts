import { readFile, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { methods, type ReadTextFileRequest } from '@agentclientprotocol/sdk/unstable';
import type { Turn } from './turn';

/** Reads through the client, which knows unsaved text. Undefined when there is no such file. */
export async function readWorkspaceFile(turn: Turn, name: string): Promise<string | undefined> {
  const path = await pathInside(turn.session.cwd, name);
  const onDisk = path && (await readFile(path, 'utf8').catch(() => undefined));
  // Asking the client for a missing file only fills its log, so the disk decides what exists.
  if (path === undefined || onDisk === undefined || !turn.features.readsFiles) {
    return onDisk;
  }
  const request: ReadTextFileRequest = { sessionId: turn.session.id, path };
  turn.signal.throwIfAborted();
  const answer = await turn.client.request(methods.client.fs.readTextFile, request, turn.requestOptions);
  return answer.content;
}

export async function writeWorkspaceFile(turn: Turn, name: string, content: string): Promise<void> {
  const path = await pathInside(turn.session.cwd, name);
  if (path === undefined) {
    throw new Error(`${name} is outside the folder of this session`);
  }
  turn.signal.throwIfAborted();
  if (!turn.features.writesFiles) {
    await writeFile(path, content, { signal: turn.signal });
    return;
  }
  const request = { sessionId: turn.session.id, path, content };
  await turn.client.request(methods.client.fs.writeTextFile, request, turn.requestOptions);
}

/** `README.md`, else the first text file by name. */
export async function fileToRead(cwd: string): Promise<string | undefined> {
  const names = await fileNames(cwd);
  const texts = names.filter((name) => /\.(md|txt|json|[cm]?[jt]sx?|py|css|html|ya?ml|toml)$/i.test(name));
  return texts.find((name) => name.toLowerCase() === 'readme.md') ?? texts[0];
}

/** Whether `node --test` would find something. */
export async function hasNodeTests(cwd: string): Promise<boolean> {
  const [top, inTest, inSource] = await Promise.all(
    ['.', 'test', 'src'].map((folder) => fileNames(join(cwd, folder))),
  );
  const isTest = (name: string): boolean => /[.-]test\.[cm]?js$/.test(name);
  return (
    [...(top ?? []), ...(inSource ?? [])].some(isTest) ||
    (inTest ?? []).some((name) => /\.[cm]?js$/.test(name))
  );
}

async function fileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

/** Undefined when a link leads out of the folder, or when the file's own folder does not exist. */
async function pathInside(cwd: string, name: string): Promise<string | undefined> {
  const path = join(cwd, name);
  const root = await realpath(cwd).catch(() => undefined);
  const folder = await realpath(dirname(path)).catch(() => undefined);
  const target = await realpath(path).catch(() => folder);
  if (root === undefined || target === undefined) {
    return undefined;
  }
  const way = relative(root, target);
  return way.startsWith('..') || isAbsolute(way) ? undefined : path;
}
