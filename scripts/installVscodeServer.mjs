import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, npm, runQuietly } from './processes.mjs';
import { removeFolder, root } from './repository.mjs';

const LIMIT_MS = 15 * 60_000;

const cache = path.join(root, '.vscode-test');
const folder = path.join(cache, 'vscode-server');
const lockFolder = path.join(root, 'scripts', 'vscodeServer');
const stampName = '.complete.json';

/**
 * @typedef {{ node: string, main: string }} ServerPrograms
 * @typedef {'built' | 'noCompiler' | 'failed'} Native
 */

/**
 * Installs the VS Code server that the npm package `code-server` carries, with a Node from npm to run it.
 * Needs nothing but an npm registry. Does nothing when it is there already.
 *
 * @returns {Promise<ServerPrograms>}
 */
export async function installServer() {
  checkPlatform();
  if (!isComplete()) {
    console.log('Installing the VS Code server from npm (about 400 MB; once; one to three minutes).');
    const started = Date.now();
    await install();
    console.log(`The VS Code server is installed (${Math.round((Date.now() - started) / 1000)} s).`);
  }
  return programsIn(folder);
}

/** @returns {boolean} */
export function canRunServer() {
  return process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
}

function checkPlatform() {
  if (!canRunServer()) {
    throw new Error(
      `The VS Code server from npm runs on Linux (x64, arm64) only, not on ${process.platform} ${process.arch}. ` +
        'Install VS Code, or run this in a Linux container.',
    );
  }
}

function isComplete() {
  try {
    const stamp = JSON.parse(readFileSync(path.join(folder, stampName), 'utf8'));
    // A compiler that came later is worth another installation: without it the Output view stays empty.
    return stamp.key === key() && (stamp.native !== 'noCompiler' || missingBuildTools().length > 0);
  } catch {
    return false;
  }
}

function key() {
  const hash = createHash('sha256');
  for (const file of [path.join(lockFolder, 'package-lock.json'), fileURLToPath(import.meta.url)]) {
    hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Works in a folder of its own and renames it at the end: what is in place is always whole. */
async function install() {
  removeAbandoned();
  const staging = path.join(cache, `vscode-server.partial-${process.pid}`);
  mkdirSync(staging, { recursive: true });
  try {
    for (const name of ['package.json', 'package-lock.json']) {
      cpSync(path.join(lockFolder, name), path.join(staging, name));
    }
    await installPackages(staging);
    const native = await buildNative(staging);
    prune(staging);
    writeFileSync(path.join(staging, stampName), JSON.stringify({ key: key(), native }));
    removeFolder(folder);
    renameSync(staging, folder);
  } finally {
    removeFolder(staging);
  }
}

function removeAbandoned() {
  const names = existsSync(cache) ? readdirSync(cache) : [];
  for (const name of names) {
    const pid = /^vscode-server\.partial-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      removeFolder(path.join(cache, name));
    }
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} into */
async function installPackages(into) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  // Install scripts would compile kerberos and sqlite3, which nothing here uses, and insist on npm running
  // on the package's own Node version, as its "engines" do.
  await runNpm('1/3  VS Code and its Node …', into, into, ['ci', '--engine-strict=false', ...quiet]);
  // `npm ci` refuses here: the published shrinkwrap lacks a package. `npm install` keeps to it all the same.
  const vscode = vscodeIn(into);
  await runNpm('2/3  VS Code’s own packages …', into, vscode, [
    'install',
    '--omit=dev',
    '--no-save',
    ...quiet,
  ]);
}

/**
 * Two small native modules have no binary on npm. Log files and output channels need one of them.
 *
 * @param {string} into
 * @returns {Promise<Native>}
 */
async function buildNative(into) {
  const missing = missingBuildTools();
  if (missing.length > 0) {
    console.log(
      `3/3  Not compiling VS Code’s log writer: no ${missing.join(', no ')}. The Output view stays empty.`,
    );
    return 'noCompiler';
  }
  try {
    const modules = ['@vscode/spdlog', '@vscode/native-watchdog'];
    await runNpm('3/3  Compiling VS Code’s log writer …', into, vscodeIn(into), ['rebuild', ...modules]);
    return 'built';
  } catch (error) {
    console.log(`Could not compile VS Code’s log writer; the Output view stays empty. ${String(error)}`);
    return 'failed';
  }
}

function missingBuildTools() {
  return ['g++', 'make', 'python3'].filter((name) => findProgram(name) === undefined);
}

/**
 * @param {string} label
 * @param {string} installation
 * @param {string} cwd
 * @param {readonly string[]} args
 */
async function runNpm(label, installation, cwd, args) {
  const node = nodeIn(installation);
  const [command, npmArgs] = npm(...args);
  await runQuietly(label, command, npmArgs, {
    cwd,
    limitMs: LIMIT_MS,
    env: {
      ...process.env,
      // npm and node-gyp have to run on the Node that will load the modules; its package carries the headers.
      PATH: `${path.join(node, 'bin')}${path.delimiter}${process.env.PATH ?? ''}`,
      npm_config_nodedir: node,
    },
  });
}

/** @param {string} installation */
function prune(installation) {
  const vscode = vscodeIn(installation);
  const modules = path.join(vscode, 'node_modules');
  const platform = `linux-${process.arch}`;
  const unused = [
    path.join(vscode, 'extensions', 'copilot'),
    // Its TypeScript is not in the package: all it can do is complain, in front of the chat.
    path.join(vscode, 'extensions', 'typescript-language-features'),
    path.join(modules, '@microsoft', 'mxc-sdk'),
    ...childrenOf(path.join(modules, '@github'), (name) => name.startsWith('copilot-sdk')),
    ...childrenOf(path.join(modules, '@vscode', 'ripgrep-universal', 'bin'), (name) => name !== platform),
    ...childrenOf(path.join(modules, 'node-pty', 'prebuilds'), (name) => name !== platform),
    ...['spdlog', 'native-watchdog'].map((name) =>
      path.join(modules, '@vscode', name, 'build', 'Release', 'obj.target'),
    ),
    path.join(nodeIn(installation), 'include'),
    path.join(nodeIn(installation), 'share'),
  ];
  unused.forEach(removeFolder);
}

/**
 * @param {string} parent
 * @param {(name: string) => boolean} isWanted
 */
function childrenOf(parent, isWanted) {
  const names = existsSync(parent) ? readdirSync(parent) : [];
  return names.filter(isWanted).map((name) => path.join(parent, name));
}

/**
 * @param {string} installation
 * @returns {ServerPrograms}
 */
function programsIn(installation) {
  return {
    node: path.join(nodeIn(installation), 'bin', 'node'),
    main: path.join(vscodeIn(installation), 'out', 'server-main.js'),
  };
}

/** @param {string} installation */
function nodeIn(installation) {
  return path.join(installation, 'node_modules', `node-linux-${process.arch}`);
}

/** @param {string} installation */
function vscodeIn(installation) {
  return path.join(installation, 'node_modules', 'code-server', 'lib', 'vscode');
}
