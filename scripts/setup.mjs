import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { npm, run } from './processes.mjs';
import { root } from './repository.mjs';

const OLDEST_NODE = [20, 19];

/** Everything a fresh clone needs before a script may import a package or start the extension. */
export async function setUp() {
  checkNode();
  await ensureDependencies();
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
    return;
  }
  console.error(
    `Parley needs Node.js ${OLDEST_NODE.join('.')} or newer to be built; this is ${process.version}. ` +
      'Install a newer one, then run the command again.',
  );
  process.exit(1);
}

async function ensureDependencies() {
  if (isInstalled()) {
    return;
  }
  console.log('Installing the packages of package-lock.json …');
  const [command, args, options] = npm('ci', '--no-audit', '--no-fund');
  const code = await run(command, args, { ...options, cwd: root });
  if (code !== 0) {
    console.error('npm ci failed. Its message above says why; then run the command again.');
    process.exit(1);
  }
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage> }} Lock
 */

/**
 * npm writes `node_modules/.package-lock.json` when an installation is complete, whoever started it,
 * so it tells a finished installation from a broken or outdated one. Optional packages may be missing:
 * they are other platforms' binaries.
 */
function isInstalled() {
  const installedLock = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedLock)) {
    return false;
  }
  const wanted = readLock(path.join(root, 'package-lock.json'));
  const installed = readLock(installedLock);
  return Object.entries(wanted.packages).every(([folder, { version, integrity, optional }]) => {
    const found = installed.packages[folder];
    if (folder === '' || (found === undefined && optional === true)) {
      return true;
    }
    return found?.version === version && found?.integrity === integrity;
  });
}

/**
 * @param {string} file
 * @returns {Lock}
 */
function readLock(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Builds unless the last build is newer than everything it was made from. */
export async function ensureBuild() {
  const builtAt = modifiedAt(path.join(root, 'dist', 'extension.js'));
  const inputs = ['src', 'esbuild.mjs', 'package.json', 'package-lock.json'].map((name) =>
    path.join(root, name),
  );
  if (inputs.every((input) => newestIn(input) < builtAt)) {
    return;
  }
  console.log('Building the extension …');
  const code = await run(process.execPath, ['esbuild.mjs'], { cwd: root });
  if (code !== 0) {
    throw new Error('The build failed. Its message is above.');
  }
}

/**
 * @param {string} entry A file or a folder.
 * @returns {number}
 */
function newestIn(entry) {
  if (!statSync(entry).isDirectory()) {
    return modifiedAt(entry);
  }
  const times = readdirSync(entry).map((name) => newestIn(path.join(entry, name)));
  return Math.max(modifiedAt(entry), ...times);
}

/** @param {string} file */
function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
