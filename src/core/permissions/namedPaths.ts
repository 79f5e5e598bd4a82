import { asArray, asObject } from '../../shared/json';
import type { ToolEntry } from '../../shared/transcript/model';

/** What the tools of agents call their files. */
const pathKeys = [
  'path',
  'paths',
  'file',
  'files',
  'file_path',
  'filePath',
  'file_paths',
  'filePaths',
  'absolute_path',
  'absolutePath',
  'relative_path',
  'relativePath',
  'notebook_path',
  'notebookPath',
  'target_file',
  'target_path',
  'dir_path',
  'directory',
  'filename',
  'fileName',
  'source',
  'destination',
  'old_path',
  'oldPath',
  'new_path',
  'newPath',
];
/** Lists of edits hold their files one level below. */
const MAX_DEPTH = 3;

/** The files that a call says it is about. */
export function pathsOf(tool: Pick<ToolEntry, 'content' | 'locations'>): readonly string[] {
  const diffs = tool.content.flatMap((content) => (content.kind === 'diff' ? [content.path] : []));
  return [...new Set([...tool.locations.map(({ path }) => path), ...diffs])];
}

/** Those, and what its input names besides: an agent need not tell its files twice. */
export function namedPaths(tool: Pick<ToolEntry, 'content' | 'locations' | 'rawInput'>): readonly string[] {
  return [...new Set([...pathsOf(tool), ...inputPaths(tool.rawInput, 0)])];
}

function inputPaths(input: unknown, depth: number): readonly string[] {
  if (depth > MAX_DEPTH) {
    return [];
  }
  if (Array.isArray(input)) {
    return input.flatMap((item) => inputPaths(item, depth + 1));
  }
  return Object.entries(asObject(input)).flatMap(([key, value]) =>
    pathKeys.includes(key)
      ? [...textsOf(value), ...inputPaths(value, depth + 1)]
      : inputPaths(value, depth + 1),
  );
}

function textsOf(value: unknown): readonly string[] {
  return [value, ...asArray(value)].filter((text): text is string => typeof text === 'string' && text !== '');
}
