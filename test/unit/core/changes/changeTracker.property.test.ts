import assert from 'node:assert/strict';
import type { ChangeTracker } from '../../../../src/core/changes/changeTracker';
import type { FileMode, PendingFile, ReviewResult } from '../../../../src/core/changes/model';
import { Chance } from './chance';
import { ChangeWorld, pathOf } from './changeWorld';
import { FolderWorld } from './folderWorld';

const SEED = Number(process.env.CHANGES_SEED ?? 20_261_119);
const IN_MEMORY = 500;
const ON_DISK = 3;
const MINUTE_MS = 60_000;

/** Nothing that agents do before it, or after it, reaches the other side of it. */
const FENCE_LINES = 3;

interface World {
  clock: number;
  tracker(): ChangeTracker;
  pathOf(name: string): string;
  put(name: string, content: Uint8Array | undefined, mode?: FileMode): void;
  readonly tree: Readonly<Record<string, string>>;
  dispose(): void;
}

/** Lines that only one of the two touches: `before` is what they are without what the agent did and nobody kept. */
interface Block {
  readonly isAgents: boolean;
  before: readonly string[];
  now: readonly string[];
}

interface Text {
  readonly end: string | undefined;
  readonly isTerminated: boolean;
  readonly blocks: readonly Block[];
}

/** A file that only one of the two touches. */
interface Whole {
  readonly isAgents: boolean;
  before: Version | undefined;
  now: Version | undefined;
}

interface Version {
  readonly content: string;
  readonly mode: FileMode;
}

/** Knows who did what to which file and line, and nothing of differences, times or snapshots. */
interface Model {
  readonly texts: Record<string, Text>;
  readonly wholes: Record<string, Whole>;
}

describe('random work of agents and the user in one folder', function () {
  this.timeout(30_000);

  for (const [what, runs, open] of [
    ['in memory', IN_MEMORY, () => new MemoryWorld()],
    ['on the disk, with git', ON_DISK, () => new FolderWorld()],
  ] as const) {
    it(`is told apart ${what}, ${runs} times`, async () => {
      for (let seed = SEED; seed < SEED + runs; seed++) {
        const world = open();
        const run = new Run(world, new Chance(seed));
        try {
          await run.all();
        } catch (error) {
          const said = error instanceof Error ? error.message : String(error);
          const message = `With CHANGES_SEED=${seed}, after ${run.steps.join(', ')}: ${said}`;
          throw new Error(message, { cause: error });
        } finally {
          run.dispose();
          world.dispose();
        }
      }
    });
  }
});

class Run {
  readonly steps: string[] = [];
  private readonly session: { id: string; workdir: string; roots: string[] };
  private tracker: ChangeTracker;
  private model: Model;
  private names = 0;
  private turnId = 0;
  private isInTurn = false;
  private calls = 0;

  constructor(
    private readonly world: World,
    private readonly chance: Chance,
  ) {
    const folder = world.pathOf('');
    this.session = { id: 'one', workdir: folder, roots: [folder] };
    this.model = this.newModel();
    this.writeAll();
    this.tracker = world.tracker();
  }

  async all(): Promise<void> {
    for (let left = 2 + this.chance.below(2); left > 0; left--) {
      await this.turn();
      for (let more = this.chance.below(3); more > 0; more--) {
        await this.between();
      }
    }
    this.check();
    const { conflicts } = await this.tracker.undo({});
    assert.deepEqual(conflicts, []);
    this.each((part) => (part.now = part.before));
    this.check();
    assert.deepEqual(this.tracker.pending(), []);
  }

  dispose(): void {
    this.tracker.dispose();
  }

  private async turn(): Promise<void> {
    this.step('turn');
    this.isInTurn = true;
    await this.tracker.turnStarted(this.session, ++this.turnId, true);
    for (let left = 1 + this.chance.below(3); left > 0; left--) {
      const acts = [() => this.call(), () => this.call(), () => this.userWrites(), () => this.review()];
      await this.chance.pick(acts)?.();
    }
    await this.tracker.turnEnded(this.session, this.turnId);
    this.isInTurn = false;
    this.world.clock += MINUTE_MS;
  }

  private async between(): Promise<void> {
    const acts = [() => this.userWrites(), () => this.userWrites(), () => this.review(), () => this.reload()];
    await this.chance.pick(acts)?.();
  }

  /** Announced with the files that it changes, or without; meanwhile the user may save. */
  private async call(): Promise<void> {
    const changes = Array.from({ length: 1 + this.chance.below(3) }, () => this.agentEdit());
    const names = changes.flatMap((change) => change.names);
    const work = {
      key: `call ${++this.calls}`,
      paths: this.chance.oneIn(2) ? names.map((name) => this.world.pathOf(name)) : undefined,
    };
    this.step(`call ${work.paths === undefined ? '' : 'for '}${names.join(' ')}`);
    this.tracker.workStarted(this.session, work);
    for (const { make } of changes) {
      make();
      if (this.chance.oneIn(3)) {
        await this.userSaves();
      }
    }
    this.tracker.workEnded(this.session, work);
    await this.tracker.waitingStarted(this.session);
    await this.tracker.waitingEnded(this.session);
    this.world.clock += MINUTE_MS;
  }

  private agentEdit(): { readonly names: readonly string[]; readonly make: () => void } {
    const wholes = this.wholesOf(true);
    const [name = '', whole] = this.chance.pick(wholes) ?? [];
    const [freeName = '', free] = this.chance.pick(wholes.filter(([, { now }]) => now === undefined)) ?? [];
    if (whole === undefined || this.chance.oneIn(2)) {
      const [text, block] = this.blockOf(true);
      return { names: [text], make: () => this.editBlock(text, block) };
    }
    if (free !== undefined && this.chance.oneIn(3)) {
      const move = (): void => {
        this.set(freeName, free, whole.now);
        this.set(name, whole, undefined);
      };
      return { names: [name, freeName], make: move };
    }
    return { names: [name], make: () => this.set(name, whole, this.otherVersion(whole.now)) };
  }

  /** Through the editor, once or twice in a row. */
  private async userSaves(): Promise<void> {
    const [name, block] = this.blockOf(false);
    const paths = [this.world.pathOf(name)];
    this.step(`save ${name}`);
    const told: Promise<void>[] = [];
    for (let left = 1 + this.chance.below(2); left > 0; left--) {
      await this.tracker.userWillChange(paths);
      this.editBlock(name, block);
      told.push(this.tracker.userDidChange(paths));
    }
    await Promise.all(told);
  }

  /** With another tool. */
  private async userWrites(): Promise<void> {
    const [name, whole] = this.chance.pick(this.wholesOf(false)) ?? ['', undefined];
    const [text, block] = this.blockOf(false);
    const isText = whole === undefined || this.chance.oneIn(2);
    this.step(`user writes ${isText ? text : name}`);
    if (isText) {
      this.editBlock(text, block);
    } else {
      this.set(name, whole, this.otherVersion(whole.now));
    }
    await this.tracker.filesChanged([this.world.pathOf(isText ? text : name)]);
    this.world.clock += MINUTE_MS;
  }

  private async reload(): Promise<void> {
    this.step('reload');
    const before = this.tracker.pending();
    this.tracker.dispose();
    this.tracker = this.world.tracker();
    await this.tracker.loaded;
    assert.deepEqual(this.tracker.pending(), before);
  }

  /** A file, or the hunks of one block, and maybe not after all. */
  private async review(): Promise<void> {
    await this.tracker.refresh();
    const file: PendingFile | undefined = this.chance.pick(this.tracker.pending());
    if (file === undefined) {
      return;
    }
    const kind = this.chance.oneIn(2) ? 'keep' : 'undo';
    const earlier = structuredClone(this.model);
    const block = this.chance.oneIn(3) ? undefined : this.blockIn(file);
    this.step(`${kind} ${block === undefined ? '' : 'a block of '}${file.path}`);
    if (block === undefined) {
      const result = await this.tracker[kind]({ path: file.path });
      assert.deepEqual(result.conflicts, []);
      this.decide(file, kind);
    } else {
      for (const hunkId of block.hunkIds) {
        const result: ReviewResult = await this.tracker[kind]({ path: file.path, hunkId });
        assert.deepEqual(result.conflicts, []);
      }
      decideOn(block.block, kind);
    }
    this.check();
    if (block === undefined || block.hunkIds.length === 1) {
      await this.takeBack(earlier);
    }
  }

  private async takeBack(earlier: Model): Promise<void> {
    if (!this.chance.oneIn(3)) {
      return;
    }
    if (!this.isInTurn && this.chance.oneIn(3)) {
      await this.reload();
    }
    this.step('take back');
    assert.equal(await this.tracker.undoReview(), true);
    this.model = earlier;
    this.check();
  }

  private decide({ path, previousPath }: PendingFile, kind: 'keep' | 'undo'): void {
    this.each((part, name) => {
      if ([path, previousPath].includes(this.world.pathOf(name))) {
        decideOn(part, kind);
      }
    });
  }

  /** Of a text that is changed in several blocks, one of them. */
  private blockIn({
    path,
    hunks,
    isWhole,
  }: PendingFile): { readonly block: Block; readonly hunkIds: readonly string[] } | undefined {
    const [name = ''] = Object.keys(this.model.texts).filter((text) => this.world.pathOf(text) === path);
    const text = this.model.texts[name];
    if (text === undefined || isWhole) {
      return undefined;
    }
    let start = 0;
    const found = text.blocks.flatMap((block) => {
      const end = start + block.now.length;
      const inside = hunks.filter(({ nowStart }) => nowStart >= start && nowStart <= end);
      start = end + FENCE_LINES;
      return inside.length > 0 ? [{ block, hunkIds: inside.map(({ id }) => id) }] : [];
    });
    assert.equal(found.flatMap(({ hunkIds }) => hunkIds).length, hunks.length, 'a hunk over a fence');
    return this.chance.pick(found);
  }

  private newModel(): Model {
    const { chance } = this;
    const texts: Record<string, Text> = {};
    for (const name of ['a.txt', 'deep/b.txt', 'c.txt']) {
      const end = chance.pick(['\n', '\r\n', undefined]);
      const isFirstAgents = chance.oneIn(2);
      const blocks = [0, 1, 2, 3].map((at): Block => {
        const lines = Array.from({ length: 1 + chance.below(3) }, () => this.newLine(end));
        return { isAgents: (at % 2 === 0) === isFirstAgents, before: lines, now: lines };
      });
      texts[name] = { end, isTerminated: chance.oneIn(2), blocks };
    }
    const wholes: Record<string, Whole> = {};
    for (const name of ['agent 1', 'deep/agent 2', 'agent 3', 'user 1', 'made/user 2']) {
      const version = this.chance.oneIn(2) ? undefined : this.otherVersion(undefined);
      wholes[name] = { isAgents: name.includes('agent'), before: version, now: version };
    }
    return { texts, wholes };
  }

  /** Many lines are the same, or empty. */
  private newLine(end: string | undefined): string {
    const text = this.chance.pick(['', 'same', 'same', `${++this.names}`, `${this.names} é`]) ?? '';
    return Buffer.from(text + (end ?? this.chance.pick(['\n', '\r\n']) ?? '\n')).toString('latin1');
  }

  private otherVersion(version: Version | undefined): Version | undefined {
    if (version !== undefined && this.chance.oneIn(4)) {
      return undefined;
    }
    if (version !== undefined && this.chance.oneIn(4)) {
      return { ...version, mode: version.mode === 'file' ? 'executable' : 'file' };
    }
    const isBinary = this.chance.oneIn(3);
    const lines = Array.from({ length: 3 }, () => `${++this.names}\n`);
    return { content: (isBinary ? '\0\u00ff' : '') + lines.join(''), mode: version?.mode ?? 'file' };
  }

  private blockOf(isAgents: boolean): readonly [string, Block] {
    const blocks = Object.entries(this.model.texts).flatMap(([name, { blocks: all }]) =>
      all.filter((block) => block.isAgents === isAgents).map((block) => [name, block] as const),
    );
    const picked = this.chance.pick(blocks);
    assert.ok(picked !== undefined);
    return picked;
  }

  private wholesOf(isAgents: boolean): readonly (readonly [string, Whole])[] {
    return Object.entries(this.model.wholes).filter(([, whole]) => whole.isAgents === isAgents);
  }

  private editBlock(name: string, block: Block): void {
    const { chance } = this;
    const text = this.model.texts[name];
    const start = chance.below(block.now.length + 1);
    const come = Array.from({ length: chance.below(3) }, () => this.newLine(text?.end));
    const lines = block.now.toSpliced(start, chance.below(3), ...come);
    // One that is last and has nothing in it would take the end of the fence before it.
    block.now = lines.length === 0 ? [this.newLine(text?.end)] : lines;
    if (!block.isAgents) {
      block.before = block.now;
    }
    this.world.put(name, bytesOf(text && textOf(name, text)));
  }

  private set(name: string, whole: Whole, version: Version | undefined): void {
    whole.now = version;
    if (!whole.isAgents) {
      whole.before = version;
    }
    this.world.put(name, bytesOf(version?.content), version?.mode);
  }

  private check(): void {
    const tree: Record<string, string> = {};
    for (const [name, text] of Object.entries(this.model.texts)) {
      tree[name] = `file ${textOf(name, text)}`;
    }
    for (const [name, whole] of Object.entries(this.model.wholes)) {
      const version = whole.now;
      if (version !== undefined) {
        tree[name] = `${version.mode} ${version.content}`;
      }
    }
    assert.deepEqual(this.world.tree, tree);
  }

  private writeAll(): void {
    for (const [name, text] of Object.entries(this.model.texts)) {
      this.world.put(name, bytesOf(textOf(name, text)));
    }
    for (const [name, { now }] of Object.entries(this.model.wholes)) {
      this.world.put(name, bytesOf(now?.content), now?.mode);
    }
  }

  private each(work: (part: Block | Whole, name: string) => void): void {
    for (const [name, { blocks }] of Object.entries(this.model.texts)) {
      blocks.forEach((block) => work(block, name));
    }
    Object.entries(this.model.wholes).forEach(([name, whole]) => work(whole, name));
  }

  private step(what: string): void {
    this.steps.push(what);
  }
}

function decideOn(part: Block | Whole, kind: 'keep' | 'undo'): void {
  if (kind === 'keep') {
    part.before = part.now;
  } else {
    part.now = part.before;
  }
}

function textOf(name: string, { blocks, end, isTerminated }: Text): string {
  const fence = (at: number): string =>
    Array.from({ length: FENCE_LINES }, (_, line) => `${name} ${at} ${line}${end ?? '\n'}`).join('');
  const text = blocks.map(({ now }, at) => (at > 0 ? fence(at) : '') + now.join('')).join('');
  return isTerminated ? text : text.replace(/\r?\n$/, '');
}

/** One character for each byte. */
function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'latin1');
}

class MemoryWorld extends ChangeWorld implements World {
  readonly pathOf = pathOf;

  override get tree(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...this.disk].map(([path, { content, mode }]) => [
        path.slice(pathOf('').length),
        `${mode} ${Buffer.from(content).toString('latin1')}`,
      ]),
    );
  }

  dispose(): void {
    // Nothing but memory.
  }
}
