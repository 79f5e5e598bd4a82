import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { installServer } from './installVscodeServer.mjs';
import { hasExited, spawnGroup, stopGroup } from './processes.mjs';
import { makeTemporaryFolder, manifest, root } from './repository.mjs';

const START_LIMIT_MS = 60_000;
const POLL_MS = 50;

/**
 * Every folder of one VS Code, all under one temporary root.
 *
 * @typedef {{
 *   readonly root: string,
 *   readonly home: string,
 *   readonly data: string,
 *   readonly extensions: string,
 *   readonly workspace: string,
 *   readonly temporary: string,
 * }} Folders
 *
 * @typedef {{
 *   readonly url: string,
 *   readonly authority: string,
 *   readonly port: number,
 *   readonly pid: number,
 *   readonly connectionToken: string | undefined,
 *   readonly log: () => string,
 *   readonly exited: Promise<void>,
 *   readonly stop: () => Promise<void>,
 * }} Server
 */

/**
 * @typedef {object} ServerOptions
 * @property {Folders} dirs
 * @property {Readonly<Record<string, unknown>>} [settings] User settings, on top of the quiet ones.
 * @property {Readonly<Record<string, string>>} [env] The extension host inherits it.
 * @property {readonly string[]} [args]
 * @property {boolean} [smokeTestDriver] Lets the address name tests to run; hides notifications.
 * @property {boolean} [workspaceTrust] Whether VS Code asks before it trusts a folder.
 * @property {string} [connectionToken] Without one, everybody on this machine may connect.
 * @property {number} [port]
 * @property {boolean} [keepHome] Agents find the user's own sign-ins; tests must not.
 */

/** No tips, no welcome page, no built-in chat, nothing that asks the network. */
export const quietSettings = Object.freeze({
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.simpleDialog.enable': true,
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
  'update.mode': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
});

/**
 * @param {string} name
 * @returns {Folders}
 */
export function makeFolders(name) {
  const parent = makeTemporaryFolder(name);
  const folders = {
    root: parent,
    home: path.join(parent, 'home'),
    data: path.join(parent, 'data'),
    extensions: path.join(parent, 'extensions'),
    workspace: path.join(parent, 'workspace'),
    temporary: path.join(parent, 'tmp'),
  };
  for (const folder of Object.values(folders)) {
    mkdirSync(folder, { recursive: true });
  }
  return folders;
}

/**
 * Makes this clone an installed extension, without packaging it.
 *
 * @param {Folders} folders
 */
export function linkExtension(folders) {
  const name = `${manifest.publisher}.${manifest.name}-${manifest.version}`;
  symlinkSync(root, path.join(folders.extensions, name));
}

/**
 * @param {ServerOptions} options
 * @returns {Promise<Server>} A server that answers.
 */
export async function startServer(options) {
  const { dirs, connectionToken } = options;
  const { node, main } = await installServer();
  const port = options.port ?? (await freePort());
  writeSettings(options);
  const child = spawnGroup(node, [main, ...serverArguments(options, port)], {
    cwd: dirs.root,
    env: serverEnvironment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      log += String(chunk);
    });
  }
  /** @type {Promise<void>} */
  const exited = new Promise((resolve) => {
    child.once('exit', () => resolve());
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitUntilItAnswers(url, () => hasExited(child));
  } catch (error) {
    await stopGroup(child);
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${message}\n${log.slice(-4000)}`, { cause: error });
  }
  return {
    url,
    authority: `127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    connectionToken,
    log: () => log,
    exited,
    stop: () => stopGroup(child),
  };
}

/** @param {ServerOptions} options */
function writeSettings({ dirs, settings, workspaceTrust = false }) {
  const folder = path.join(dirs.data, 'data', 'User');
  mkdirSync(folder, { recursive: true });
  const all = { ...quietSettings, 'security.workspace.trust.enabled': workspaceTrust, ...settings };
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(all, undefined, 2));
}

/**
 * @param {ServerOptions} options
 * @param {number} port
 */
function serverArguments(options, port) {
  const { dirs, args = [], smokeTestDriver = false, workspaceTrust = false } = options;
  return [
    ...['--host', '127.0.0.1', '--port', String(port)],
    ...connectionArguments(options),
    ...['--server-data-dir', dirs.data, '--extensions-dir', dirs.extensions],
    ...['--accept-server-license-terms', '--telemetry-level', 'off', '--disable-experiments'],
    ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...(smokeTestDriver ? ['--enable-smoke-test-driver'] : []),
    ...args,
  ];
}

/**
 * @param {ServerOptions} options
 * @returns {readonly string[]}
 */
function connectionArguments({ dirs, connectionToken }) {
  if (connectionToken === undefined) {
    return ['--without-connection-token'];
  }
  // In a file, because everybody on the machine can read the arguments of a process.
  const file = path.join(dirs.root, 'connection-token');
  writeFileSync(file, connectionToken, { mode: 0o600 });
  return ['--connection-token-file', file];
}

/** @param {ServerOptions} options */
function serverEnvironment({ dirs, env, keepHome = false }) {
  // A surrounding VS Code, npm or test runner sets these; they would confuse this one.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|npm_)|^NODE_OPTIONS$/.test(name),
  );
  const isolated = {
    HOME: dirs.home,
    TMPDIR: dirs.temporary,
    XDG_CACHE_HOME: path.join(dirs.home, '.cache'),
    XDG_CONFIG_HOME: path.join(dirs.home, '.config'),
    XDG_DATA_HOME: path.join(dirs.home, '.local', 'share'),
    XDG_RUNTIME_DIR: dirs.temporary,
  };
  return { ...Object.fromEntries(inherited), ...(keepHome ? {} : isolated), ...env };
}

/**
 * @param {string} url
 * @param {() => boolean} hasEnded
 */
async function waitUntilItAnswers(url, hasEnded) {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    if (hasEnded()) {
      throw new Error('The VS Code server ended while it was starting. Its output:');
    }
    try {
      const response = await fetch(`${url}/version`);
      await response.text();
      return;
    } catch {
      await delay(POLL_MS);
    }
  }
  throw new Error(`The VS Code server did not answer within ${START_LIMIT_MS / 1000} s. Its output:`);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}

/**
 * @param {Server} server
 * @param {{ readonly folder?: string, readonly payload?: readonly (readonly [string, string])[] }} [open]
 * @returns {string} The address of a VS Code window.
 */
export function workbenchUrl(server, { folder, payload } = {}) {
  const url = new URL(server.url);
  if (server.connectionToken !== undefined) {
    url.searchParams.set('tkn', server.connectionToken);
  }
  if (folder === undefined) {
    // Otherwise the window that was open last comes back.
    url.searchParams.set('ew', 'true');
  } else {
    url.searchParams.set('folder', folder);
  }
  if (payload !== undefined) {
    url.searchParams.set('payload', JSON.stringify(payload));
  }
  return url.href;
}

/**
 * @param {Server} server
 * @param {string} file
 * @returns {string} How the window in the browser names a file on the server's side.
 */
export function remoteUri(server, file) {
  return `vscode-remote://${server.authority}${file}`;
}
