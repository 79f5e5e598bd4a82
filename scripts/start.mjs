// Opens VS Code with this extension and a copy of the sample. `--server` takes the VS Code server from npm at once,
// `--no-open` opens no browser, PARLEY_START_PORT chooses its port.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isEnding, onEnd } from './cleanup.mjs';
import { downloadVscode, findInstalledVscode, hasDisplay } from './desktopVscode.mjs';
import { canRunServer } from './installVscodeServer.mjs';
import { findProgram, spawnGroup } from './processes.mjs';
import { copySample, removeFolder, root } from './repository.mjs';
import { ensureBuild, setUp } from './setup.mjs';
import { linkExtension, makeFolders, quietSettings, startServer, workbenchUrl } from './vscodeServer.mjs';

const settings = { ...quietSettings, 'workbench.secondarySideBar.defaultVisibility': 'visible' };
const flags = new Set(process.argv.slice(2));
// Whoever types `npm start` came for the chat; every way of opening VS Code inherits this.
process.env.PARLEY_OPEN_CHAT = '1';

await setUp();
await ensureBuild();
const folders = makeFolders('start');
const remove = () => removeFolder(folders.root);
onEnd(remove, remove);
copySample(folders.workspace);

const program = flags.has('--server') ? undefined : await findDesktop();
if (program !== undefined) {
  await openDesktop(program);
} else if (canRunServer()) {
  await openServer();
} else {
  console.error('Install VS Code (its "code" command has to be on PATH), then run this again.');
  process.exitCode = 1;
}

/** @returns {Promise<string | undefined>} */
async function findDesktop() {
  if (!hasDisplay()) {
    console.log('No desktop VS Code: there is no display here.');
    return undefined;
  }
  for (const [label, search] of /** @type {const} */ ([
    ['Installed VS Code', findInstalledVscode],
    ['Download of VS Code', downloadVscode],
  ])) {
    const result = await search();
    if (result.program !== undefined) {
      console.log(`Opening ${result.name} with a fresh profile.`);
      return result.program;
    }
    console.log(`${label}: not possible, ${result.reason}.`);
  }
  return undefined;
}

/** @param {string} desktop */
async function openDesktop(desktop) {
  const user = path.join(folders.data, 'User');
  mkdirSync(user, { recursive: true });
  writeFileSync(path.join(user, 'settings.json'), JSON.stringify(settings, undefined, 2));
  const args = [
    `--extensionDevelopmentPath=${root}`,
    ...['--user-data-dir', folders.data, '--extensions-dir', folders.extensions],
    ...['--disable-workspace-trust', '--new-window', '--wait', folders.workspace],
  ];
  const child = spawnGroup(desktop, args, { stdio: 'ignore', shell: process.platform === 'win32' });
  onEnd(endDesktop, endDesktop);
  console.log('Close the window or press Ctrl+C to end.');
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

/** The `code` command starts the window as a process of its own, which notes its id in its profile. */
function endDesktop() {
  try {
    process.kill(Number(readFileSync(path.join(folders.data, 'code.lock'), 'utf8')), 'SIGTERM');
  } catch {
    // The window is closed already.
  }
}

async function openServer() {
  const port = Number(process.env.PARLEY_START_PORT ?? '');
  console.log('Opening the VS Code server from npm, for a browser on this machine.');
  linkExtension(folders);
  const server = await startServer({
    dirs: folders,
    settings,
    connectionToken: randomBytes(24).toString('hex'),
    keepHome: true,
    ...(port > 0 ? { port } : {}),
  });
  const url = workbenchUrl(server, { folder: folders.workspace });
  console.log(`Ready: ${url}`);
  console.log('Press Ctrl+C to end.');
  openBrowser(url);
  await server.exited;
  if (isEnding()) {
    return;
  }
  console.error(`The VS Code server has ended.\n${server.log().slice(-2000)}`);
  process.exitCode = 1;
}

/** @param {string} url */
function openBrowser(url) {
  const opener = hasDisplay() && !flags.has('--no-open') ? findProgram('xdg-open') : undefined;
  if (opener !== undefined) {
    spawn(opener, [url], { stdio: 'ignore', detached: true })
      .on('error', () => undefined)
      .unref();
  }
}
