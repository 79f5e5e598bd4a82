import path from 'node:path';
import { ask, findProgram } from './processes.mjs';
import { manifest, root } from './repository.mjs';

const VERSION_LIMIT_MS = 15_000;
const PROBE_LIMIT_MS = 5000;
const DOWNLOAD_LIMIT_MS = 5 * 60_000;
const releases = 'https://update.code.visualstudio.com/api/releases/stable';

/** @typedef {{ program: string, name: string } | { program: undefined, reason: string }} Search */

/** @returns {boolean} Whether a window could be seen here. */
export function hasDisplay() {
  if (process.platform === 'darwin' || process.platform === 'win32') {
    return process.env.SSH_CONNECTION === undefined;
  }
  return Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
}

/** @returns {Promise<Search>} A desktop VS Code on PATH that is new enough for this extension. */
export async function findInstalledVscode() {
  if (process.env.VSCODE_IPC_HOOK_CLI !== undefined) {
    return notFound('this is a terminal of a remote VS Code, whose "code" cannot open a development window');
  }
  const reasons = [];
  for (const name of ['code', 'codium', 'code-insiders']) {
    const program = findProgram(name);
    if (program === undefined) {
      continue;
    }
    const version = /^\d+\.\d+\.\d+/.exec((await ask(program, ['--version'], VERSION_LIMIT_MS)) ?? '')?.[0];
    if (version !== undefined && isNewEnough(version)) {
      return { program, name: `${name} ${version}` };
    }
    const oldest = manifest.engines.vscode.replace('^', '');
    reasons.push(
      version === undefined
        ? `"${name} --version" does not answer`
        : `${name} is ${version}, but ${oldest} is needed`,
    );
  }
  return notFound(reasons.join('; ') || 'no "code", "codium" or "code-insiders" on PATH');
}

/**
 * Imports a package, so the packages have to be installed.
 *
 * @returns {Promise<Search>} A desktop VS Code from Microsoft's servers, kept in .vscode-test.
 */
export async function downloadVscode() {
  // A blocked network should cost seconds; the download itself may take minutes.
  if (!(await answers(releases))) {
    return notFound(`${new URL(releases).host} cannot be reached`);
  }
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const limit = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('it took more than five minutes')), DOWNLOAD_LIMIT_MS);
  });
  try {
    const options = { cachePath: path.join(root, '.vscode-test') };
    const program = await Promise.race([downloadAndUnzipVSCode(options), limit]);
    return { program, name: 'a downloaded VS Code' };
  } catch (error) {
    return notFound(`the download failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {string} reason
 * @returns {Search}
 */
function notFound(reason) {
  return { program: undefined, reason };
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = manifest.engines.vscode.replace('^', '').split('.').map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** @param {string} url */
async function answers(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_LIMIT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
