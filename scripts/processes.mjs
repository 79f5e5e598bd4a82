import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onEnd } from './cleanup.mjs';

const GRACE_MS = 5000;
const HEARTBEAT_MS = 10_000;
const isWindows = process.platform === 'win32';

/** @type {WeakMap<import('node:child_process').ChildProcess, () => void>} */
const groups = new WeakMap();

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [shell]
 * @property {number} [limitMs] The process and what it started are ended after this time.
 */

/**
 * Runs a program on this terminal.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} Its exit code; 1 when a signal or the time limit ended it.
 */
export async function run(command, args, options = {}) {
  const child = spawnGroup(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  return await ended(child, options.limitMs);
}

/**
 * Runs a program whose output matters only when it fails; says now and then that it is still at it.
 *
 * @param {string} label
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<void>}
 */
export async function runQuietly(label, command, args, options = {}) {
  console.log(label);
  const started = Date.now();
  const heartbeat = setInterval(() => {
    console.log(`  … ${Math.round((Date.now() - started) / 1000)} s`);
  }, HEARTBEAT_MS);
  const child = spawnGroup(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output = (output + String(chunk)).slice(-8000);
    });
  }
  try {
    const code = await ended(child, options.limitMs);
    if (code !== 0) {
      throw new Error(`${label} failed: "${command} ${args.join(' ')}" ended with ${code}.\n${output}`);
    }
  } finally {
    clearInterval(heartbeat);
  }
}

/**
 * Starts a program as the leader of its own process group, so that everything it starts can be ended with it.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function spawnGroup(command, args, options) {
  const child = spawn(command, [...args], { ...options, detached: !isWindows });
  const forget = onEnd(
    () => stopGroup(child),
    () => killGroup(child, 'SIGKILL'),
  );
  child.once('error', forget);
  groups.set(child, forget);
  return child;
}

/**
 * TERM, then KILL, for the whole group: its leader may be gone while others of it still run.
 *
 * @param {import('node:child_process').ChildProcess} child Started by `spawnGroup`.
 */
export async function stopGroup(child) {
  if (!hasExited(child)) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    killGroup(child, 'SIGTERM');
    await Promise.race([exited, delay(GRACE_MS, undefined, { ref: false })]);
  }
  killGroup(child, 'SIGKILL');
  groups.get(child)?.();
}

/** @param {import('node:child_process').ChildProcess} child */
export function hasExited(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function killGroup(child, signal) {
  if (child.pid === undefined) {
    return;
  }
  if (isWindows) {
    execFile('taskkill', ['/T', '/F', '/PID', String(child.pid)], () => undefined);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the whole group is already gone.
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {number | undefined} limitMs
 * @returns {Promise<number>}
 */
async function ended(child, limitMs) {
  const limit = setTimeout(
    () => {
      console.error(`Not done after ${Math.round((limitMs ?? 0) / 1000)} s, ending it.`);
      void stopGroup(child);
    },
    limitMs ?? 2 ** 31 - 1,
  );
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      // 'close' and not 'exit': the last lines of output are part of it.
      child.once('close', (code) => resolve(code ?? 1));
    });
  } finally {
    clearTimeout(limit);
    await stopGroup(child);
  }
}

/**
 * @param {string} name
 * @returns {string | undefined} The program's path, searched for as a shell would.
 */
export function findProgram(name) {
  const endings = isWindows ? (process.env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';') : [''];
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find(isProgram);
}

/** @param {string} file */
export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {number} limitMs
 * @returns {Promise<string | undefined>} What the program printed, or undefined when it failed or took too long.
 */
export function ask(file, args, limitMs) {
  return new Promise((resolve) => {
    execFile(
      isWindows ? `"${file}"` : file,
      args,
      { timeout: limitMs, shell: isWindows },
      (error, stdout) => {
        resolve(error === null ? stdout : undefined);
      },
    );
  });
}

/**
 * @param {readonly string[]} args
 * @returns {[command: string, args: readonly string[], options: { shell?: boolean }]} How to spawn npm here.
 */
export function npm(...args) {
  // Node refuses to start .cmd files without a shell (CVE-2024-27980).
  return isWindows ? ['npm.cmd', args, { shell: true }] : ['npm', args, {}];
}
