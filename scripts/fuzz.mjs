// `npm run fuzz -- --seed 7 --count 1000000`: damaged agent messages until one does harm. Without a seed, a random one.
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';

/**
 * @typedef {{ sent: number, received: number, entries: number, problems: readonly string[] }} FuzzReport
 * @typedef {{ seed: number, count: number, onBatch?: (done: number) => void }} FuzzOptions
 */

const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '500000' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const count = Number(values.count);
if (!Number.isInteger(seed) || !Number.isInteger(count) || count <= 0) {
  console.error('Use whole numbers: npm run fuzz -- --seed 7 --count 500000');
  process.exit(2);
}

/** @type {{ fuzz: (options: FuzzOptions) => Promise<FuzzReport> }} */
const { fuzz } = await tsImport('../test/support/fuzzRun.ts', import.meta.url);
console.log(
  `Seed ${seed}, ${count} messages. The same again: npm run fuzz -- --seed ${seed} --count ${count}`,
);
const report = await fuzz({ seed, count, onBatch: showProgress });
console.log(`${report.sent} sent, ${report.received} read, ${report.entries} entries`);
report.problems.forEach((problem) => console.error(problem));
process.exit(report.problems.length > 0 ? 1 : 0);

/** @param {number} done */
function showProgress(done) {
  if (done % 100_000 === 0) {
    console.log(`${done} …`);
  }
}
