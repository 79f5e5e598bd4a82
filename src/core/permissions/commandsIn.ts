/** Deeper than anybody writes by hand; each level reads its part of the line again. */
const MAX_DEPTH = 6;
/** How far behind a program that starts another one that one is looked for, with its options in between. */
const MAX_RUNNER_WORDS = 8;

const shells = ['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'fish'];
const powerShells = ['powershell', 'pwsh'];
const runners = ['env', 'sudo', 'doas', 'exec', 'command', 'nohup', 'time', 'timeout', 'nice', 'xargs'];
const keywords = ['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '!'];

interface Word {
  /** As it stands in the line. */
  readonly raw: string;
  /** Without its quotes. */
  readonly plain: string;
}

/**
 * The commands that a shell makes of a line, each as text that a rule may be meant for: between operators, inside
 * of `$(…)` and backticks, behind variables and programs that run others, and what a shell is given with `-c`.
 * Rather one too many than one too few. It is no shell: what a script or a variable holds is not known here.
 */
export function commandsIn(line: string, depth = 0): readonly string[] {
  if (depth > MAX_DEPTH) {
    return [];
  }
  const { commands, nested } = split(line.replace(/\\\r?\n/g, ' '));
  return [
    ...commands.flatMap((words) => [words, ...runBy(words)]).flatMap((words) => spellings(words, depth)),
    ...nested.flatMap((inner) => commandsIn(inner, depth + 1)),
  ];
}

interface Split {
  readonly commands: readonly (readonly Word[])[];
  /** What stands in `$(…)` and backticks. */
  readonly nested: readonly string[];
}

function split(line: string): Split {
  const commands: Word[][] = [[]];
  const nested: string[] = [];
  let raw = '';
  let plain = '';
  let quote = '';
  const endWord = (): void => {
    if (raw !== '') {
      commands.at(-1)?.push({ raw, plain });
    }
    raw = '';
    plain = '';
  };
  for (let index = 0; index < line.length; index++) {
    const char = line.charAt(index);
    const inner = quote === "'" ? undefined : substitution(line, index);
    if (inner !== undefined) {
      nested.push(inner.text);
      raw += line.slice(index, inner.end);
      plain += line.slice(index, inner.end);
      index = inner.end - 1;
    } else if (char === quote || (quote === '' && (char === "'" || char === '"'))) {
      raw += char;
      quote = quote === '' ? char : '';
    } else if (char === '\\' && quote !== "'") {
      // Before an operator it hides nothing: to the shells of Windows it is a part of a path.
      const isOfQuote = /["'\\]/.test(line.charAt(index + 1));
      raw += isOfQuote ? line.slice(index, index + 2) : char;
      plain += isOfQuote ? line.charAt(index + 1) : '';
      index += isOfQuote ? 1 : 0;
    } else if (quote === '' && /[;&|()\r\n]/.test(char)) {
      endWord();
      commands.push([]);
    } else if (quote === '' && /\s/.test(char)) {
      endWord();
    } else {
      raw += char;
      plain += char;
    }
  }
  endWord();
  return { commands, nested };
}

function substitution(line: string, start: number): { text: string; end: number } | undefined {
  if (line.charAt(start) === '`') {
    const end = line.indexOf('`', start + 1);
    const until = end < 0 ? line.length : end;
    return { text: line.slice(start + 1, until), end: Math.min(until + 1, line.length) };
  }
  if (!line.startsWith('$(', start)) {
    return undefined;
  }
  let open = 0;
  for (let index = start + 1; index < line.length; index++) {
    open += { '(': 1, ')': -1 }[line.charAt(index)] ?? 0;
    if (open === 0) {
      return { text: line.slice(start + 2, index), end: index + 1 };
    }
  }
  return { text: line.slice(start + 2), end: line.length };
}

/** What may be the other program's command. Which options take a value is not known here: it may begin anywhere. */
function runBy(words: readonly Word[]): readonly (readonly Word[])[] {
  const start = startOf(words);
  const program = words[start];
  return program !== undefined && runners.includes(nameOf(program))
    ? words
        .slice(start + 1, start + 1 + MAX_RUNNER_WORDS)
        .map((_word, index) => words.slice(start + 1 + index))
    : [];
}

/** The command itself, with its program by name alone, and the commands that it runs by being given them. */
function spellings(words: readonly Word[], depth: number): readonly string[] {
  const command = words.slice(startOf(words));
  const [program, ...rest] = command;
  if (program === undefined) {
    return [];
  }
  const name = nameOf(program);
  const given = givenTo(name.toLowerCase(), rest);
  return [
    textOf(words, 'raw'),
    textOf(command, 'raw'),
    textOf(command, 'plain'),
    textOf([{ raw: name, plain: name }, ...rest], 'raw'),
    ...(given === undefined ? [] : commandsIn(given, depth + 1)),
  ];
}

/** A command line that is an argument. */
function givenTo(program: string, words: readonly Word[]): string | undefined {
  if (program === 'eval') {
    return textOf(words, 'plain');
  }
  const flag = words.findIndex(({ plain }) => isCommandFlag(program, plain.toLowerCase()));
  if (flag < 0) {
    return undefined;
  }
  return shells.includes(program) ? words[flag + 1]?.plain : textOf(words.slice(flag + 1), 'plain');
}

function isCommandFlag(program: string, word: string): boolean {
  if (shells.includes(program)) {
    return /^-[a-z]*c$/.test(word) || word === '--command';
  }
  if (powerShells.includes(program)) {
    return word.length > 1 && '-command'.startsWith(word);
  }
  return program === 'cmd' && (word === '/c' || word === '/k');
}

/** Behind variables and the words of the shell. */
function startOf(words: readonly Word[]): number {
  const start = words.findIndex(({ plain }) => !/^[a-z_]\w*\+?=/i.test(plain) && !keywords.includes(plain));
  return start < 0 ? words.length : start;
}

function nameOf({ plain }: Word): string {
  return plain.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '');
}

function textOf(words: readonly Word[], form: keyof Word): string {
  return words.map((word) => word[form]).join(' ');
}
