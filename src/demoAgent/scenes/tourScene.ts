import { join } from 'node:path';
import { runLine } from './runScene';
import { applyEdit, editOutcome, findEdit, type EditResult } from './editScene';
import { StepList } from './planScene';
import type { Turn } from '../turn';
import { fileToRead, hasNodeTests, readWorkspaceFile } from '../workspace';

/** Long enough to see one step end before the next begins. */
const STEP_MS = 1000;

/** Everything in one turn: text, a thought, a plan, a file, an edit, a command, usage, a summary. */
export async function playTour(turn: Turn): Promise<void> {
  await turn.say(welcome);
  await turn.think(
    'The visitor wants to see everything. I will read a file, propose an edit, run a command and sum up.',
  );
  const line = (await hasNodeTests(turn.session.cwd)) ? 'node --test' : 'node --version';
  const steps = new StepList(turn, [
    'Look around the folder',
    'Read a file',
    'Propose a small edit',
    `Run \`${line}\``,
    'Sum up',
  ]);
  await steps.show();
  await turn.pause(STEP_MS);
  const file = await fileToRead(turn.session.cwd);
  await steps.tick();
  await turn.say(await readAndTell(turn, file));
  await steps.tick();
  await turn.showUsage();

  await turn.pause(STEP_MS);
  const edit = await findEdit(turn);
  await turn.say(`Next I would like to ${edit.reason}. You decide: allow it or reject it.\n\n`);
  const result = await applyEdit(turn, edit);
  await turn.say(editOutcome(edit, result));
  await steps.tick();

  await turn.pause(STEP_MS);
  await turn.say(`Now a command: \`${line}\`.\n\n`);
  await turn.say(await runLine(turn, line));
  await steps.tick();
  await turn.showUsage();

  await turn.pause(STEP_MS);
  await turn.say(summary(file, edit.name, result, line));
  await steps.tick();
  await turn.showUsage();
}

const welcome = `## Welcome to Parley

I am the **Parley demo**: a script, not an AI model. I need no account and no network. In the next few seconds
I show what a real agent can do here.

`;

async function readAndTell(turn: Turn, name: string | undefined): Promise<string> {
  if (name === undefined) {
    return 'There is no text file in this folder, so I skip reading one.\n\n';
  }
  const tool = await turn.startTool({
    title: `Read ${name}`,
    kind: 'read',
    status: 'in_progress',
    locations: [{ path: join(turn.session.cwd, name), line: 1 }],
    rawInput: { file: name },
  });
  await turn.pause(STEP_MS);
  const text = await readWorkspaceFile(turn, name).catch((error: unknown) => {
    turn.signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  });
  if (typeof text !== 'string') {
    await tool.finish('failed', text?.message ?? `${name} could not be read.`);
    return `I could not read \`${name}\`, and go on without it.\n\n`;
  }
  const lines = text.split('\n');
  await tool.finish('completed', lines.slice(0, 12).join('\n'));
  return `I have read \`${name}\`: ${lines.length} lines.\n\n`;
}

function summary(file: string | undefined, edited: string, result: EditResult, line: string): string {
  const outcome: Record<EditResult, string> = {
    written: 'written',
    rejected: 'rejected by you',
    planned: 'only planned',
  };
  return `## Summary

| Step | What | Result |
| --- | --- | --- |
| Read | \`${file ?? 'no file'}\` | ${file === undefined ? 'skipped' : 'done'} |
| Edit | \`${edited}\` | ${outcome[result]} |
| Run | \`${line}\` | see above |

- [x] See what a turn looks like
- [ ] Try \`/edit\` and \`/run\`
- [ ] Connect an agent of your own

\`\`\`js
// Code is highlighted, whatever the language.
console.log('Hello from Parley');
\`\`\`

Send \`/commands\` to see what else this script can show.
`;
}
