import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ask, findProgram, isProgram, runQuietly } from './processes.mjs';

const APT_LIMIT_MS = 10 * 60_000;
const VERSION_LIMIT_MS = 20_000;

/**
 * @returns {Promise<string>} The path of a Chromium or Chrome that starts.
 */
export async function findOrInstallChromium() {
  const found = await findChromium();
  if (found !== undefined) {
    return found;
  }
  if (!canInstall()) {
    throw new Error(whatToDo());
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, limitMs: APT_LIMIT_MS };
  await runQuietly('Updating the list of Debian packages …', 'apt-get', ['update', '-q'], options);
  const install = ['install', '-y', '-q', '--no-install-recommends', 'chromium'];
  await runQuietly('Installing Chromium (about 290 MB; once) …', 'apt-get', install, options);
  const installed = await findChromium();
  if (installed === undefined) {
    throw new Error(whatToDo());
  }
  return installed;
}

/**
 * For Playwright's `launch`. VS Code in a browser needs no network beyond its own server, and gets none.
 *
 * @returns {string[]}
 */
export function chromiumArguments() {
  const isRoot = process.getuid?.() === 0;
  return [
    // Chromium refuses to start its sandbox as root.
    ...(isRoot ? ['--no-sandbox'] : []),
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-quic',
    '--disable-sync',
    '--no-first-run',
  ];
}

/** @returns {Promise<string | undefined>} */
async function findChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen !== undefined && chosen !== '') {
    if (!isProgram(chosen)) {
      throw new Error(`CHROMIUM_PATH names "${chosen}", which is not a program.`);
    }
    return chosen;
  }
  for (const candidate of candidates()) {
    // On Ubuntu the program may be there and only say that a snap has to be installed.
    const version = isProgram(candidate) ? await ask(candidate, ['--version'], VERSION_LIMIT_MS) : undefined;
    if (version !== undefined && /\d+\.\d+/.test(version)) {
      return candidate;
    }
  }
  return undefined;
}

/** @returns {readonly string[]} */
function candidates() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
  return [
    ...names.flatMap((name) => findProgram(name) ?? []),
    ...names.map((name) => path.join('/usr/bin', name)),
    '/opt/google/chrome/chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...downloadedByPlaywright(),
  ];
}

/** @returns {readonly string[]} */
function downloadedByPlaywright() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(homedir(), '.cache', 'ms-playwright');
  const names = existsSync(cache) ? readdirSync(cache) : [];
  return names
    .filter((name) => /^chromium-\d+$/.test(name))
    .flatMap((name) =>
      ['chrome-linux', 'chrome-linux64'].map((folder) => path.join(cache, name, folder, 'chrome')),
    );
}

function canInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

function whatToDo() {
  return (
    'No Chromium or Chrome was found. Install one ("sudo apt-get install chromium" on Debian, ' +
    '"npx playwright-core install --with-deps chromium" elsewhere), or set CHROMIUM_PATH to one. Then run this again.'
  );
}
