import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAllowed } from '../permission';
import type { Turn } from '../turn';
import { applyEdit, editOutcome, findEdit } from './editScene';
import { runLine } from './runScene';

const notesFile = 'parley-demo/notes.md';
const notes = '# Notes\n\nThe demo agent wrote this file itself, without asking the editor to.\n';
const appendToReadme = `node -e "require('fs').appendFileSync('README.md', '\\nA command of the demo added this line.\\n')"`;

/** Files changed in the three ways that agents have, to be kept or undone. */
export async function playChange(turn: Turn): Promise<void> {
  const edit = await findEdit(turn);
  await turn.say(`First through the editor: I would like to ${edit.reason}, in \`${edit.name}\`.\n\n`);
  await turn.say(editOutcome(edit, await applyEdit(turn, edit)));
  await turn.say('Now straight to the disk, as most agents do.\n\n');
  await turn.say(await writeNotes(turn));
  await turn.say('And by a command.\n\n');
  await turn.say(await runLine(turn, appendToReadme));
  await turn.say('The changes are listed above your next message: review them, keep them or undo them.\n');
}

async function writeNotes(turn: Turn): Promise<string> {
  if (turn.session.settings.mode === 'plan') {
    return 'Plan mode changes no files.\n\n';
  }
  const path = join(turn.session.cwd, notesFile);
  const tool = await turn.startTool({
    title: `Write ${notesFile}`,
    kind: 'edit',
    locations: [{ path }],
    content: [{ type: 'diff', path, newText: notes }],
    rawInput: { file: notesFile },
  });
  if (!(await isAllowed(turn, tool, 'edit', 'Always allow edits in this session'))) {
    await tool.update({ status: 'failed' });
    return `You rejected it, so there is no \`${notesFile}\`.\n\n`;
  }
  await tool.update({ status: 'in_progress' });
  await mkdir(join(turn.session.cwd, 'parley-demo'), { recursive: true });
  await writeFile(path, notes, { signal: turn.signal });
  await tool.update({ status: 'completed' });
  return `There is a new file, \`${notesFile}\`.\n\n`;
}
