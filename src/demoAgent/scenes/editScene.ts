import { join } from 'node:path';
import { isAllowed } from '../permission';
import { greetFile, noteFile, proposeGreetEdit, proposeNoteEdit, type ProposedEdit } from '../proposeEdit';
import type { Turn } from '../turn';
import { readWorkspaceFile, writeWorkspaceFile } from '../workspace';

export async function playEdit(turn: Turn): Promise<void> {
  const edit = await findEdit(turn);
  await turn.say(`I would like to ${edit.reason}, in \`${edit.name}\`.\n\n`);
  const result = await applyEdit(turn, edit);
  await turn.say(editOutcome(edit, result));
}

export async function findEdit(turn: Turn): Promise<ProposedEdit> {
  const greet = await readWorkspaceFile(turn, greetFile);
  if (greet !== undefined) {
    return proposeGreetEdit(greet);
  }
  return proposeNoteEdit(await readWorkspaceFile(turn, noteFile));
}

export type EditResult = 'written' | 'rejected' | 'planned';

export async function applyEdit(turn: Turn, edit: ProposedEdit): Promise<EditResult> {
  if (turn.session.settings.mode === 'plan') {
    return 'planned';
  }
  const path = join(turn.session.cwd, edit.name);
  const tool = await turn.startTool({
    title: `Edit ${edit.name}`,
    kind: 'edit',
    locations: [{ path, line: edit.line }],
    content: [{ type: 'diff', path, oldText: edit.oldText, newText: edit.newText }],
    rawInput: { file: edit.name, reason: edit.reason },
  });
  await turn.pause(400);
  if (!(await isAllowed(turn, tool, 'edit', 'Always allow edits in this session'))) {
    await tool.update({ status: 'failed' });
    return 'rejected';
  }
  await tool.update({ status: 'in_progress' });
  await writeWorkspaceFile(turn, edit.name, edit.newText);
  await tool.update({ status: 'completed' });
  return 'written';
}

export function editOutcome(edit: ProposedEdit, result: EditResult): string {
  const words: Record<EditResult, string> = {
    written: `Done: \`${edit.name}:${edit.line}\` has changed. Send \`/edit\` again for another one.\n\n`,
    rejected: `You rejected the edit, so \`${edit.name}\` stays as it was.\n\n`,
    planned:
      'Plan mode changes no files. Choose the mode "Ask" or "Auto-accept edits" to let me write it.\n\n',
  };
  return words[result];
}
