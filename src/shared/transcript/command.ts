import { asObject, asString, type JsonObject } from '../json';

const folderKeys = ['cwd', 'workdir', 'directory', 'dir_path'];
/** What a command's input may hold besides and changes nothing in what is run. */
const saidKeys: ReadonlySet<string> = new Set(['command', 'args', 'description', ...folderKeys]);

/**
 * The command line of a call that runs one, however the agent puts it: what the user is asked about and what rules
 * are matched with. Undefined when there is more to it than can be put into a line.
 */
export function commandLineOf(rawInput: unknown): string | undefined {
  const { command, args } = asObject(rawInput);
  const [program, ...rest] = Array.isArray(command) ? wordsOf(command) : [asString(command)];
  const further = typeof args === 'string' ? [args] : wordsOf(args ?? []).map(quoted);
  const words = [program, ...rest.map(quoted), ...further];
  return program === undefined || program === '' || words.includes(undefined) ? undefined : words.join(' ');
}

/** Where it runs, if the agent says so. */
export function commandFolderOf(rawInput: unknown): string | undefined {
  const input = asObject(rawInput);
  return folderKeys
    .map((key) => asString(input[key]))
    .find((folder) => folder !== undefined && folder !== '');
}

/** What of a command's input its line and its folder do not tell, such as its environment. */
export function restOfCommand(rawInput: unknown): JsonObject | undefined {
  const rest = Object.entries(asObject(rawInput)).filter(([key]) => !saidKeys.has(key));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function wordsOf(value: unknown): (string | undefined)[] {
  return Array.isArray(value) ? value.map(asString) : [undefined];
}

/** Two words must not look like one, nor one like two. */
function quoted(word: string | undefined): string | undefined {
  return word === undefined || /^[\w@%+=:,./^~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
