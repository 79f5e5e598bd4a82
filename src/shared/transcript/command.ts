import { asObject, asString, type JsonObject } from '../json';

const folderKeys = ['cwd', 'workdir', 'directory', 'dir_path'];
/** In the line, or of no effect on what is run. */
const saidKeys = ['command', 'args', 'description', 'timeout', 'timeout_ms'];
/** Of what agents tell besides: how they wait for it, and what they make of it. */
const tellingKeys = [
  'commands',
  'parsed_cmd',
  'call_id',
  'turn_id',
  'approval_id',
  'available_decisions',
  'proposed_execpolicy_amendment',
  'reason',
  'justification',
  'background',
  'is_background',
  'run_in_background',
  'yield_time_ms',
  'max_output_tokens',
];

/**
 * The command line of a call that runs one, however the agent puts it: what the user is asked about and what rules
 * are matched with. Nothing of it is left out.
 */
export function commandLineOf(rawInput: unknown): string | undefined {
  const { command, args } = asObject(rawInput);
  const line: readonly unknown[] = Array.isArray(command) ? command : [command];
  const [program, ...words] = line;
  if (typeof program !== 'string' || program === '') {
    return undefined;
  }
  return [program, ...words.map(quoted), ...argumentsOf(args)].join(' ');
}

/** Where it runs, if the agent says so. */
export function commandFolderOf(rawInput: unknown): string | undefined {
  return asString(asObject(rawInput)[folderKeyOf(rawInput) ?? '']);
}

/** What of a command's input its line and its folder do not tell, such as its environment. */
export function restOfCommand(rawInput: unknown): JsonObject | undefined {
  const said = [...saidKeys, folderKeyOf(rawInput)];
  const rest = Object.entries(asObject(rawInput)).filter(([key]) => !said.includes(key));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Whether nothing but its line and its folder says what is done: no environment, no shell of its own. */
export function isPlainCommand(rawInput: unknown): boolean {
  return Object.entries(restOfCommand(rawInput) ?? {}).every(
    ([key, value]) => tellingKeys.includes(key) || isNothing(value),
  );
}

function isNothing(value: unknown): boolean {
  const isEmpty = typeof value === 'object' && Object.keys(value ?? {}).length === 0;
  return value === undefined || value === false || value === '' || isEmpty;
}

function folderKeyOf(rawInput: unknown): string | undefined {
  const input = asObject(rawInput);
  return folderKeys.find((key) => typeof input[key] === 'string' && input[key] !== '');
}

function argumentsOf(args: unknown): readonly string[] {
  if (args === undefined || args === null) {
    return [];
  }
  // A text is a part of the line already.
  return typeof args === 'string' ? [args] : (Array.isArray(args) ? args : [args]).map(quoted);
}

/** Two words must not look like one, nor one like two. */
function quoted(word: unknown): string {
  const text = typeof word === 'string' ? word : JSON.stringify(word);
  const [option = ''] = /^[\w-]+=/.exec(text) ?? [];
  const value = text.slice(option.length);
  return /^[\w@%+=:,./^~-]+$/.test(text) ? text : `${option}'${value.replaceAll("'", `'\\''`)}'`;
}
