import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { becomesTrue } from '../../../src/core/process/processGroup';
import { TranscriptStore } from '../../../src/core/transcripts/transcriptStore';
import type { TranscriptEvent } from '../../../src/shared/transcript/events';
import { emptyTranscript, type Transcript } from '../../../src/shared/transcript/model';
import { reduce } from '../../../src/shared/transcript/reduce';
import { listLog } from './listLog';
import { loadedTwice } from './loadedTwice';

const text = (value: string, at = 1, entryId = 'a', messageId = 'm'): TranscriptEvent => ({
  type: 'messageChunk',
  at,
  role: 'agent',
  entryId,
  messageId,
  block: { kind: 'text', text: value },
});
const notice = (entryId: string): TranscriptEvent => ({
  type: 'noticeAdded',
  at: 1,
  entryId,
  severity: 'info',
  text: entryId,
});
const replay = (events: readonly TranscriptEvent[]): Transcript => events.reduce(reduce, emptyTranscript);

describe('transcriptStore', () => {
  let directory: string;
  let lines: string[];
  let store: TranscriptStore;

  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'parley-store-')), 'transcripts');
    const { log, lines: logged } = listLog();
    lines = logged;
    store = new TranscriptStore(directory, log);
  });

  afterEach(async () => {
    store.dispose();
    await rm(join(directory, '..'), { recursive: true });
  });

  async function path(extension = '.jsonl'): Promise<string> {
    const [name, ...others] = (await readdir(directory)).filter((entry) => entry.endsWith(extension));
    assert.ok(name !== undefined && others.length === 0);
    return join(directory, name);
  }

  async function stored(sessionId = 's'): Promise<readonly TranscriptEvent[]> {
    return (await store.read(sessionId))?.events ?? assert.fail('There is no log.');
  }

  it('gives back what was appended, with the newest head', async () => {
    store.open({ sessionId: 's', title: 'Old' });
    const events = [notice('n1'), text('Hi'), notice('n2')];
    for (const event of events) {
      store.append('s', event);
    }
    store.updateHead('s', { sessionId: 's', title: 'New' });
    assert.deepEqual(await store.read('s'), { head: { sessionId: 's', title: 'New' }, events });
    assert.equal(await store.read('other'), undefined);
    assert.deepEqual(lines, []);
  });

  it('goes on with an older log', async () => {
    store.open({ sessionId: 's' });
    store.append('s', notice('n1'));
    store.close('s');
    store.append('s', notice('late'));
    const next = new TranscriptStore(directory, listLog().log);
    next.open({ sessionId: 's' });
    next.append('s', notice('n2'));
    next.dispose();
    assert.deepEqual(await stored(), [notice('n1'), notice('n2')]);
  });

  it('writes by itself, a burst in one go, neighbouring text joined', async () => {
    store.open({ sessionId: 's' });
    store.append('s', text('', 1, 'empty'));
    for (let at = 2; at <= 100; at++) {
      store.append('s', text('x', at));
    }
    const file = await path();
    assert.doesNotMatch(await readFile(file, 'utf8'), /"e":/);
    assert.ok(await becomesTrue(async () => (await readFile(file, 'utf8')).includes('"e":'), 1500));
    assert.deepEqual(await stored(), [{ ...text('x'.repeat(99), 2), until: 100 }]);
  });

  it('loses at most the last 100 ms when its process is killed', async function () {
    this.timeout(30_000);
    const script = join(__dirname, 'appendUntilKilled.ts');
    const child = spawn(process.execPath, ['--import=tsx', script, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      if (said.split('\n').length > 120) {
        child.kill('SIGKILL');
      }
    });
    await once(child, 'close');
    assert.equal(child.signalCode, 'SIGKILL');
    const appended = said.trim().split('\n');
    const kept = (await stored('killed'))
      .flatMap((event) =>
        event.type === 'messageChunk' && event.block.kind === 'text' ? [event.block.text] : [],
      )
      .join('')
      .trim()
      .split(' ');
    // What came after the last line we heard of may have been stored too.
    assert.deepEqual(kept.slice(0, appended.length), appended.slice(0, kept.length));
    const lastKept = Number(kept.at(-1)?.split('@')[1]);
    const lastAppended = Number(appended.at(-1)?.split('@')[1]);
    assert.ok(lastAppended - lastKept <= 100, `${lastAppended - lastKept} ms were lost.`);
    assert.deepEqual(
      (await store.list()).map(({ head }) => head),
      [{ sessionId: 'killed', title: 'Mid-turn' }],
    );
  });

  it('loses a torn last line only, and what is appended after it is safe', async () => {
    store.open({ sessionId: 's' });
    store.append('s', notice('n1'));
    store.append('s', notice('torn'));
    store.flush();
    const file = await path();
    await truncate(file, (await readFile(file)).length - 10);
    assert.deepEqual(await stored(), [notice('n1')]);
    assert.equal(lines.length, 1);
    store.append('s', notice('n2'));
    assert.deepEqual(await stored(), [notice('n1'), notice('n2')]);
  });

  it('skips corrupt lines, junk and unknown kinds with one warning each', async () => {
    store.open({ sessionId: 's' });
    store.append('s', notice('n1'));
    store.flush();
    const file = await path();
    await appendFile(file, '{"e":{"type":"noticeAd\n');
    await appendFile(file, Buffer.from([0, 255, 254, 1, 128, 10]));
    await appendFile(file, '{"e":{"type":"telepathy"}}\n"text"\n{"e":{"type":"toString"}}\n{"e":null}\n');
    store.append('s', notice('n2'));
    assert.deepEqual(await stored(), [notice('n1'), notice('n2')]);
    assert.equal(lines.length, 6);
    assert.ok(lines.every((line) => /^warn Skipped line \d+ of the transcript of s:/.test(line)));
  });

  it('lists the newest heads, also when their copies are lost or corrupt', async () => {
    for (const sessionId of ['a', 'b', 'c']) {
      store.open({ sessionId, title: 'Old' });
      store.updateHead(sessionId, { sessionId, title: 'New' });
    }
    const titles = async (): Promise<unknown[]> =>
      (await store.list()).map(({ sessionId, head }) => [sessionId, head.title]).sort();
    const expected = ['a', 'b', 'c'].map((sessionId) => [sessionId, 'New']);
    assert.deepEqual(await titles(), expected);
    const copies = (await readdir(directory)).filter((entry) => entry.endsWith('.head.json'));
    assert.equal(copies.length, 3);
    await rm(join(directory, copies[0] ?? ''));
    await writeFile(join(directory, copies[1] ?? ''), '{"sessionId":');
    assert.deepEqual(await titles(), expected);
    assert.deepEqual(lines, []);
  });

  it('lists nothing where nothing was stored, and skips logs of nobody', async () => {
    assert.deepEqual(await store.list(), []);
    store.open({ sessionId: 'a' });
    await writeFile(join(directory, 'stray.jsonl'), 'junk');
    assert.equal((await store.list()).length, 1);
    assert.equal(lines.length, 1);
  });

  it('keeps any two ids apart, whatever their characters, length and case', async () => {
    const ids = ['a', 'A', '../a', 'a/b', 'con', 'x'.repeat(5000), 'ü', '💬 \n', ''];
    for (const sessionId of ids) {
      store.open({ sessionId });
      store.append(sessionId, notice(sessionId));
    }
    for (const sessionId of ids) {
      assert.deepEqual(await stored(sessionId), [notice(sessionId)]);
    }
    const names = (await readdir(directory)).map((name) => name.toLowerCase());
    assert.equal(new Set(names).size, 2 * ids.length);
  });

  it('takes the events of two windows', async () => {
    const other = new TranscriptStore(directory, listLog().log);
    store.open({ sessionId: 's' });
    other.open({ sessionId: 's' });
    for (let count = 0; count < 20; count++) {
      store.append('s', notice(`one ${count}`));
      store.flush();
      other.append('s', notice(`two ${count}`));
      other.flush();
    }
    other.dispose();
    assert.equal((await stored()).length, 40);
    assert.deepEqual(lines, []);
  });

  it('deletes for good: events that come late do not bring it back', async () => {
    store.open({ sessionId: 's' });
    store.append('s', notice('n1'));
    await store.delete('s');
    store.append('s', notice('late'));
    store.updateHead('s', { sessionId: 's' });
    store.flush();
    assert.equal(await store.read('s'), undefined);
    assert.deepEqual(await readdir(directory), []);
  });

  it('keeps what it could not write and says so once', async () => {
    store.open({ sessionId: 's' });
    const file = await path();
    const before = await readFile(file);
    // A folder where the log should be, since tests may run as root, who may write anywhere.
    await rm(file);
    await mkdir(file);
    store.append('s', notice('n1'));
    store.flush();
    store.append('s', notice('n2'));
    store.flush();
    assert.equal(lines.filter((line) => line.startsWith('error')).length, 1);
    await rm(file, { recursive: true });
    await writeFile(file, before);
    assert.deepEqual(await stored(), [notice('n1'), notice('n2')]);
  });

  it('survives that its folder is deleted', async () => {
    store.open({ sessionId: 's' });
    await rm(directory, { recursive: true });
    store.append('s', notice('n1'));
    assert.deepEqual(await stored(), [notice('n1')]);
  });

  describe('compaction', () => {
    it('makes a log smaller that reduces to the same transcript', async () => {
      store.open({ sessionId: 's', title: 'T' });
      for (const event of loadedTwice()) {
        store.append('s', event);
        store.flush();
      }
      const before = await stored();
      const size = (await readFile(await path())).length;
      assert.equal(await store.compact('s', 10 * size), false);
      assert.equal(await store.compact('s', 1000), true);
      assert.ok((await readFile(await path())).length < size);
      assert.deepEqual(replay(await stored()), replay(before));
      assert.deepEqual((await store.read('s'))?.head, { sessionId: 's', title: 'T' });
      assert.equal((await readdir(directory)).length, 2);
      store.append('s', notice('after'));
      assert.deepEqual((await stored()).at(-1), notice('after'));
    });

    it('leaves a log alone that holds records of another version', async () => {
      store.open({ sessionId: 's' });
      await appendFile(await path(), '{"e":{"type":"telepathy"}}\n\n\n\n');
      assert.equal(await store.compact('s', 0), false);
      assert.match(await readFile(await path(), 'utf8'), /telepathy/);
    });

    it('loses nothing that is written meanwhile', async () => {
      store.open({ sessionId: 's' });
      for (let count = 0; count < 50; count++) {
        store.append('s', text('x'));
        store.flush();
      }
      const compacting = store.compact('s', 0);
      store.append('s', notice('meanwhile'));
      store.flush();
      await compacting;
      assert.deepEqual((await stored()).at(-1), notice('meanwhile'));
    });
  });

  describe('pruning', () => {
    const DAY_S = 24 * 60 * 60;

    async function fill(ids: readonly string[]): Promise<void> {
      for (const [index, sessionId] of ids.entries()) {
        store.open({ sessionId });
        store.append(sessionId, text('x'.repeat(1000)));
        store.close(sessionId);
        const listed = await store.list();
        assert.equal(listed.length, index + 1);
      }
      const now = Date.now() / 1000;
      for (const [index, sessionId] of ids.entries()) {
        const time = now - (index + 1) * DAY_S;
        await utimes(join(directory, await logOf(sessionId)), time, time);
      }
    }

    async function logOf(sessionId: string): Promise<string> {
      for (const entry of await readdir(directory)) {
        if (
          entry.endsWith('.jsonl') &&
          (await readFile(join(directory, entry), 'utf8')).includes(`"sessionId":"${sessionId}"`)
        ) {
          return entry;
        }
      }
      return assert.fail(`There is no log of ${sessionId}.`);
    }

    const left = async (): Promise<string[]> => (await store.list()).map(({ sessionId }) => sessionId).sort();

    it('deletes what is too old, but not what is to be kept or open', async () => {
      await fill(['day1', 'day2', 'day3', 'day4', 'day5']);
      const time = Date.now() / 1000 - 5 * DAY_S;
      store.open({ sessionId: 'day5' });
      await utimes(join(directory, await logOf('day5')), time, time);
      const deleted = await store.prune({ maxAgeDays: 2.5, maxTotalBytes: 1e9, keep: new Set(['day3']) });
      assert.deepEqual(deleted, ['day4']);
      assert.deepEqual(await left(), ['day1', 'day2', 'day3', 'day5']);
      assert.equal((await readdir(directory)).length, 8);
    });

    it('deletes the oldest until the rest is small enough', async () => {
      await fill(['day1', 'day2', 'day3', 'day4']);
      const deleted = await store.prune({ maxAgeDays: 100, maxTotalBytes: 3000, keep: new Set(['day4']) });
      assert.deepEqual(deleted, ['day3', 'day2']);
      assert.deepEqual(await left(), ['day1', 'day4']);
    });

    it('removes what a killed process left behind', async () => {
      store.open({ sessionId: 's' });
      await writeFile(join(directory, 'old.tmp'), '');
      await utimes(join(directory, 'old.tmp'), 1, 1);
      await writeFile(join(directory, 'new.tmp'), '');
      await store.prune({ maxAgeDays: 100, maxTotalBytes: 1e9, keep: new Set() });
      const leftovers = (await readdir(directory)).filter((entry) => entry.endsWith('.tmp'));
      assert.deepEqual(leftovers, ['new.tmp']);
    });
  });
});
