import assert from 'node:assert/strict';
import type { Author } from '../../../../src/core/changes/model';
import { editText, linesBefore, undoHunks, type TextChange } from '../../../../src/core/changes/textChange';
import { Chance } from './chance';

const SEED = Number(process.env.CHANGES_SEED ?? 20_261_118);
const RUNS = 6000;

/**
 * A line that was ever in the text, where it was. This knows who did what to which line, and nothing of hunks or
 * differences.
 */
interface ModelLine {
  readonly text: string;
  readonly isAgents: boolean;
  readonly isFirst: boolean;
  isInText: boolean;
  /** In the text that the user alone would have made. */
  isInUsers: boolean;
}

describe('random edits of agents and the user in one text', () => {
  it(`are told apart, ${RUNS} times`, () => {
    let [conflicts, exact] = [0, 0];
    for (let run = 0; run < RUNS; run++) {
      const seed = SEED + run;
      try {
        if (runOnce(new Chance(seed)) === 'conflict') {
          conflicts++;
        } else {
          exact++;
        }
      } catch (error) {
        throw new Error(`With CHANGES_SEED=${seed}: ${String(error)}`, { cause: error });
      }
    }
    // Else one of the two was not tested.
    assert.ok(conflicts > RUNS / 20 && exact > RUNS / 5, `${conflicts} conflicts, ${exact} exact`);
  });
});

function runOnce(chance: Chance): 'conflict' | 'exact' {
  let names = 0;
  const newLine = (): string => `${++names}\n`;
  const model: ModelLine[] = Array.from({ length: chance.below(10) }, () => ({
    text: newLine(),
    isAgents: false,
    isFirst: true,
    isInText: true,
    isInUsers: true,
  }));
  let change: TextChange = { lines: textOf(model), hunks: [] };
  let ids = 0;
  for (let step = 0, steps = 1 + chance.below(7); step < steps; step++) {
    const author: Author = chance.oneIn(2)
      ? { kind: 'user' }
      : { kind: 'agent', sessionId: chance.oneIn(3) ? 'two' : 'one', turnId: step };
    editModel(model, author, chance, newLine);
    const users = linesBefore(change);
    change = editText(change, textOf(model), author, () => `${++ids}`);
    checkShape(change);
    if (author.kind === 'agent') {
      assert.deepEqual(linesBefore(change), users, 'an agent changed what the user has');
    }
  }
  const undone = undoHunks(change, ({ isMixed }) => !isMixed);
  for (const { text, isAgents, isInUsers, isInText } of model) {
    if (!isAgents && isInUsers && isInText) {
      assert.ok(undone.lines.includes(text), `the user's line ${text.trim()} was lost`);
    }
  }
  if (undone.hunks.length > 0) {
    return 'conflict';
  }
  const users = model.filter(({ isInUsers }) => isInUsers);
  const order = (lines: readonly ModelLine[]): readonly string[] => lines.map(({ text }) => text);
  assert.deepEqual([...undone.lines].sort(), [...order(users)].sort());
  // Nobody can tell on which side of lines that are gone a new one was put. What can be seen is in its order, and
  // so is what was there from the start.
  for (const known of [users.filter(({ isInText }) => isInText), users.filter(({ isFirst }) => isFirst)]) {
    assert.deepEqual(
      undone.lines.filter((text) => known.some((line) => line.text === text)),
      order(known),
    );
  }
  return 'exact';
}

/** One place is replaced: lines go, others come. */
function editModel(model: ModelLine[], author: Author, chance: Chance, newLine: () => string): void {
  const visible = model.filter(({ isInText }) => isInText);
  const start = chance.below(visible.length + 1);
  const gone = visible.slice(start, start + chance.below(3));
  for (const line of gone) {
    line.isInText = false;
    line.isInUsers &&= author.kind === 'agent';
  }
  const isAgents = author.kind === 'agent';
  const come = Array.from({ length: chance.below(3) }, () => ({
    text: newLine(),
    isAgents,
    isFirst: false,
    isInText: true,
    isInUsers: !isAgents,
  }));
  // What is put in place of others is where these were, else right behind the line before.
  const anchor = gone.at(-1) ?? visible[start - 1];
  model.splice(anchor === undefined ? 0 : model.indexOf(anchor) + 1, 0, ...come);
}

function textOf(model: readonly ModelLine[]): readonly string[] {
  return model.filter(({ isInText }) => isInText).map(({ text }) => text);
}

function checkShape({ lines, hunks }: TextChange): void {
  let end = 0;
  for (const hunk of hunks) {
    assert.ok(hunk.start >= end, 'hunks overlap');
    assert.ok(hunk.count > 0 || hunk.before.length > 0 || hunk.overwritten !== undefined, 'an empty hunk');
    end = hunk.start + hunk.count;
  }
  assert.ok(end <= lines.length, 'a hunk is behind the end');
  assert.equal(new Set(hunks.map(({ id }) => id)).size, hunks.length, 'two hunks have one id');
}
