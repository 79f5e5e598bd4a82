// `npm test`: every level in turn, or the ones that are named as arguments. Ends with one line of counts.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findOrInstallChromium } from './chromium.mjs';
import { canRunServer, installServer } from './installVscodeServer.mjs';
import { npm, run } from './processes.mjs';
import { makeTemporaryFolder, removeFolder, root } from './repository.mjs';
import { ensureBuild, setUp } from './setup.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {(counts: string) => Promise<Counts>} Level
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** @type {Readonly<Record<string, Level>>} */
const levels = {
  check: runChecks,
  unit: mochaLevel('unit', { timeoutMs: 5 * SECOND_MS, limitMs: 3 * MINUTE_MS }),
  component: mochaLevel('component', { timeoutMs: 10 * SECOND_MS, limitMs: 3 * MINUTE_MS }),
  replay: mochaLevel('replay', { timeoutMs: 10 * SECOND_MS, limitMs: 3 * MINUTE_MS }),
  faults: mochaLevel('faults', { timeoutMs: 20 * SECOND_MS, limitMs: 3 * MINUTE_MS }),
  host: hostLevel,
  e2e: endToEndLevel,
};

await setUp();
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(levels);
const scratch = makeTemporaryFolder('test');
/** @type {Counts} */
let total = { passed: 0, failed: 0, skipped: 0 };
let isComplete = true;
for (const name of names) {
  const counts = await runLevel(name);
  isComplete &&= counts.passed + counts.failed + counts.skipped > 0;
  total = add(total, counts);
}
removeFolder(scratch);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.exitCode = total.failed > 0 || !isComplete ? 1 : 0;
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);

/**
 * A level that breaks counts as one failed test; the later ones run all the same.
 *
 * @param {string} name
 * @returns {Promise<Counts>}
 */
async function runLevel(name) {
  console.log(`\n=== ${name} ===`);
  const started = Date.now();
  const level = levels[name];
  /** @type {Counts} */
  let counts = { passed: 0, failed: 1, skipped: 0 };
  try {
    if (level === undefined) {
      throw new Error(`There is no level "${name}"; there are ${Object.keys(levels).join(', ')}.`);
    }
    counts = await level(path.join(scratch, `${name}.json`));
    if (counts.passed + counts.failed + counts.skipped === 0) {
      console.error(`The level "${name}" ran no tests.`);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  const seconds = ((Date.now() - started) / SECOND_MS).toFixed(1);
  console.log(`=== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s ===`);
  return counts;
}

/** Each check counts as one test. */
async function runChecks() {
  let counts = { passed: 0, failed: 0, skipped: 0 };
  for (const script of ['lint', 'types', 'format']) {
    console.log(`--- ${script}`);
    const [command, args, options] = npm('run', '--silent', script);
    const code = await run(command, args, { ...options, cwd: root, limitMs: 5 * MINUTE_MS });
    counts = add(counts, { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
  }
  return counts;
}

/**
 * @param {string} folder Under test/.
 * @param {{ timeoutMs: number, limitMs: number, args?: readonly string[] }} options
 * @returns {Level}
 */
function mochaLevel(folder, { timeoutMs, limitMs, args = [] }) {
  return async (counts) => {
    const files = testFiles(path.join(root, 'test', folder));
    if (files.length === 0) {
      return { passed: 0, failed: 0, skipped: 0 };
    }
    const mocha = path.join('node_modules', 'mocha', 'bin', 'mocha.js');
    const reporter = path.join('scripts', 'mochaReporter.mjs');
    const options = ['--reporter', reporter, '--timeout', String(timeoutMs), ...args];
    return await countedRun(['--import', 'tsx', mocha, ...options, ...files], counts, limitMs);
  };
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function testFiles(folder) {
  if (!existsSync(folder)) {
    throw new Error(`${path.relative(root, folder)} does not exist.`);
  }
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .sort()
    .map((name) => path.join(path.relative(root, folder), name));
}

/** @type {Level} */
async function hostLevel(counts) {
  await ensureBuild();
  return await countedRun([path.join('scripts', 'testHost.mjs')], counts, 10 * MINUTE_MS);
}

/** @type {Level} */
async function endToEndLevel(counts) {
  if (!canRunServer()) {
    console.log('Skipped: the end-to-end tests need Linux. Run them in a container.');
    return { passed: 0, failed: 0, skipped: 1 };
  }
  await ensureBuild();
  const args = ['--require', path.join('test', 'support', 'workbenchFailures.ts')];
  // Here, because a first installation takes longer than any test's time limit.
  await installServer();
  await findOrInstallChromium();
  return await mochaLevel('e2e', { timeoutMs: 60 * SECOND_MS, limitMs: 10 * MINUTE_MS, args })(counts);
}

/**
 * @param {readonly string[]} nodeArgs
 * @param {string} countsFile
 * @param {number} limitMs
 * @returns {Promise<Counts>}
 */
async function countedRun(nodeArgs, countsFile, limitMs) {
  const env = { ...process.env, PARLEY_TEST_COUNTS: countsFile };
  const code = await run(process.execPath, nodeArgs, { cwd: root, env, limitMs });
  if (!existsSync(countsFile)) {
    throw new Error(`The tests ended with ${code} before they could be counted.`);
  }
  /** @type {Counts} */
  const counts = JSON.parse(readFileSync(countsFile, 'utf8'));
  // mocha may also fail outside of any test, for instance by an unhandled rejection or by never ending.
  return code !== 0 && counts.failed === 0 ? add(counts, { passed: 0, failed: 1, skipped: 0 }) : counts;
}

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
function add(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}
