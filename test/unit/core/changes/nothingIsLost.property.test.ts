import assert from 'node:assert/strict';
import type { ChangeTracker } from '../../../../src/core/changes/changeTracker';
import { Chance } from './chance';
import { ChangeWorld, pathOf, session } from './changeWorld';

const SEED = Number(process.env.CHANGES_SEED ?? 20_261_120);
const RUNS = 400;
const MINUTE_MS = 60_000;
const files = ['a.txt', 'b.txt'];

describe('what the user writes into the same lines as an agent', () => {
  it(`is never lost, ${RUNS} times`, async () => {
    let conflicts = 0;
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      const run = new Run(new Chance(seed));
      try {
        conflicts += await run.all();
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        throw new Error(`With CHANGES_SEED=${seed}: ${said}`, { cause: error });
      } finally {
        run.dispose();
      }
    }
    assert.ok(conflicts > RUNS / 10 && conflicts < RUNS * 2, `${conflicts} conflicts`);
  });
});

class Run {
  private readonly world = new ChangeWorld();
  private tracker: ChangeTracker;
  /** Lines that the user wrote and has not removed, and where. */
  private readonly users = new Map<string, string>();
  private names = 0;

  constructor(private readonly chance: Chance) {
    for (const name of files) {
      this.world.put(name, Array.from({ length: 4 }, () => this.newLine(name, true)).join(''));
    }
    this.tracker = this.world.tracker();
  }

  /** Gives how many files were left alone. */
  async all(): Promise<number> {
    for (let turnId = 1; turnId <= 2; turnId++) {
      await this.tracker.turnStarted(session, turnId, true);
      for (let left = 1 + this.chance.below(3); left > 0; left--) {
        await (this.chance.oneIn(3) ? this.userWrites() : this.call());
      }
      await this.tracker.turnEnded(session, turnId);
      this.world.clock += MINUTE_MS;
      await this.userWrites();
      await this.undoAndBack();
      this.reload();
    }
    const seen = this.lines();
    const { conflicts } = await this.tracker.undo({});
    const left = this.lines();
    for (const [line, name] of this.users) {
      // What an agent has written over, where both have worked, only a checkpoint has.
      const isExpected = seen.has(line) || !conflicts.includes(pathOf(name));
      assert.ok(!isExpected || left.has(line), `the user's line ${line.trim()} of ${name} was lost`);
    }
    return conflicts.length;
  }

  dispose(): void {
    this.tracker.dispose();
  }

  private async call(): Promise<void> {
    const name = this.anyFile();
    const work = { key: `${++this.names}`, paths: this.chance.oneIn(2) ? [pathOf(name)] : undefined };
    this.tracker.workStarted(session, work);
    if (this.chance.oneIn(3)) {
      await this.userSaves();
    }
    if (this.chance.oneIn(8)) {
      this.world.put(name, undefined);
    } else {
      this.edit(name, false);
    }
    if (this.chance.oneIn(3)) {
      await this.userSaves();
    }
    this.tracker.workEnded(session, work);
    await this.tracker.waitingStarted(session);
    await this.tracker.waitingEnded(session);
    this.world.clock += MINUTE_MS;
  }

  private async userSaves(): Promise<void> {
    const name = this.anyFile();
    const paths = [pathOf(name)];
    await this.tracker.userWillChange(paths);
    this.edit(name, true);
    await this.tracker.userDidChange(paths);
  }

  private async userWrites(): Promise<void> {
    const name = this.anyFile();
    this.edit(name, true);
    await this.tracker.filesChanged([pathOf(name)]);
    this.world.clock += MINUTE_MS;
  }

  private async undoAndBack(): Promise<void> {
    await this.tracker.refresh();
    const [tree, pending] = [this.world.tree, this.tracker.pending()];
    const { id } = await this.tracker.undo({ path: pathOf(this.anyFile()) });
    assert.equal(await this.tracker.undoReview(id ?? 'none'), id !== undefined);
    assert.deepEqual(this.world.tree, tree);
    assert.deepEqual(this.tracker.pending(), pending);
  }

  private reload(): void {
    this.tracker.dispose();
    this.tracker = this.world.tracker();
  }

  /** Some lines go, and others come in their place. */
  private edit(name: string, isUsers: boolean): void {
    const lines = (this.world.text(name) ?? '').split(/(?<=\n)/);
    const start = this.chance.below(lines.length + 1);
    const come = Array.from({ length: 1 + this.chance.below(2) }, () => this.newLine(name, isUsers));
    const gone = lines.splice(start, this.chance.below(3), ...come);
    if (isUsers) {
      gone.forEach((line) => this.users.delete(line));
    }
    this.world.put(name, lines.join(''));
  }

  private newLine(name: string, isUsers: boolean): string {
    const line = `${isUsers ? 'user' : 'agent'} ${++this.names}\n`;
    if (isUsers) {
      this.users.set(line, name);
    }
    return line;
  }

  private lines(): ReadonlySet<string> {
    return new Set(files.flatMap((name) => (this.world.text(name) ?? '').split(/(?<=\n)/)));
  }

  private anyFile(): string {
    return this.chance.pick(files) ?? '';
  }
}
