/** A small change to one file, ready to be shown as a diff. */
export interface ProposedEdit {
  readonly name: string;
  readonly oldText: string | undefined;
  readonly newText: string;
  readonly line: number;
  readonly reason: string;
}

export const greetFile = 'src/greet.js';
export const noteFile = 'parley-demo.md';

const comments = ['// Says hello to one person.', '// Greets one person by name.'] as const;

/** Always changes something, so that the scene can be played again and again. */
export function proposeGreetEdit(text: string): ProposedEdit {
  const withDefault = text.replace(/(function greet\(\s*\w+)(\s*\))/, "$1 = 'world'$2");
  if (withDefault !== text) {
    return greetEdit(text, withDefault, 'give `greet` a default name');
  }
  const [first, second] = comments;
  if (text.includes(first)) {
    return greetEdit(text, text.replace(first, second), 'reword the comment');
  }
  if (text.includes(second)) {
    return greetEdit(text, text.replace(second, first), 'reword the comment');
  }
  return greetEdit(text, `${first}\n${text}`, 'say in a comment what the file does');
}

export function proposeNoteEdit(text: string | undefined): ProposedEdit {
  if (text === undefined) {
    const newText = `# Parley demo\n\nThe scripted demo agent wrote this file. You can delete it.\n\n- Edit 1\n`;
    return {
      name: noteFile,
      oldText: undefined,
      newText,
      line: 1,
      reason: 'add a small note to this folder',
    };
  }
  const count = text.match(/^- Edit \d+$/gm)?.length ?? 0;
  const base = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const newText = `${base}- Edit ${count + 1}\n`;
  const line = newText.split('\n').length - 1;
  return { name: noteFile, oldText: text, newText, line, reason: 'add a line to the note' };
}

function greetEdit(oldText: string, newText: string, reason: string): ProposedEdit {
  const newLines = newText.split('\n');
  const changed = newLines.findIndex((line, index) => line !== oldText.split('\n')[index]);
  return { name: greetFile, oldText, newText, line: changed + 1, reason };
}
