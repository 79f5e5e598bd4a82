// Runs test/host inside the extension host of a real VS Code: a desktop one when there is one, else the server
// from npm behind Chromium. VSCODE_TEST_BACKEND=electron|web chooses; VSCODE_TEST_EXECUTABLE names a VS Code.
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';
import { chromiumArguments, findOrInstallChromium } from './chromium.mjs';
import { onEnd } from './cleanup.mjs';
import { downloadVscode, hasDisplay } from './desktopVscode.mjs';
import { findProgram, run } from './processes.mjs';
import { copySample, removeFolder, root } from './repository.mjs';
import { ensureBuild } from './setup.mjs';
import { makeFolders, remoteUri, startServer, workbenchUrl } from './vscodeServer.mjs';

const LIMIT_MS = 5 * 60_000;
const FOLLOW_MS = 200;
const bundle = path.join(root, '.cache', 'hostTests');
const backend = process.env.VSCODE_TEST_BACKEND ?? 'auto';

/** @typedef {{ folders: import('./vscodeServer.mjs').Folders, env: Record<string, string>, counts: string }} Run */

await ensureBuild();
await bundleTests();
process.exitCode = (await runInVscode()) === true ? 0 : 1;

/** The tests are loaded by VS Code's own Node, which knows no TypeScript. */
async function bundleTests() {
  removeFolder(bundle);
  const source = path.join(root, 'test', 'host');
  const names = readdirSync(source).filter((name) => name === 'index.ts' || name.endsWith('.test.ts'));
  await esbuild.build({
    entryPoints: names.map((name) => path.join(source, name)),
    outdir: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
}

/** @returns {Promise<boolean | undefined>} */
async function runInVscode() {
  if (backend !== 'web') {
    const result = await runInDesktop();
    if (result !== undefined || backend === 'electron') {
      return result;
    }
  }
  return await withRun((testRun) => runInServer(testRun));
}

/**
 * @param {(testRun: Run) => Promise<boolean | undefined>} action
 * @returns {Promise<boolean | undefined>}
 */
async function withRun(action) {
  const folders = makeFolders('host');
  const remove = () => removeFolder(folders.root);
  const forget = onEnd(remove, remove);
  copySample(folders.workspace);
  const output = path.join(folders.root, 'output.txt');
  const counts = path.join(folders.root, 'counts.json');
  writeFileSync(output, '');
  const env = {
    PARLEY_TEST_OUTPUT: output,
    PARLEY_TEST_COUNTS: counts,
    PARLEY_TEST_GREP: process.argv[2] ?? '',
    PARLEY_DEMO_PACE: '0',
  };
  const stopFollowing = follow(output);
  try {
    return await action({ folders, env, counts });
  } finally {
    stopFollowing();
    const wanted = process.env.PARLEY_TEST_COUNTS;
    if (wanted !== undefined && existsSync(counts)) {
      cpSync(counts, wanted);
    }
    remove();
    forget();
  }
}

/** @returns {Promise<boolean | undefined>} Undefined when no desktop VS Code ran the tests. */
async function runInDesktop() {
  if (!hasDisplay()) {
    if (process.platform !== 'linux' || findProgram('xvfb-run') === undefined) {
      console.log('No display for a desktop VS Code.');
      return undefined;
    }
    const env = { ...process.env, VSCODE_TEST_BACKEND: 'electron' };
    const counts = process.env.PARLEY_TEST_COUNTS;
    const code = await run('xvfb-run', ['-a', process.execPath, ...process.argv.slice(1)], { env });
    return code === 0 || (counts !== undefined && existsSync(counts)) ? code === 0 : undefined;
  }
  const chosen = process.env.VSCODE_TEST_EXECUTABLE;
  const search = chosen ? { program: chosen, name: chosen } : await downloadVscode();
  if (search.program === undefined) {
    console.log(`No desktop VS Code: ${search.reason}.`);
    return undefined;
  }
  const { program, name } = search;
  console.log(`Running in ${name}.`);
  return await withRun((testRun) => runInProgram(program, testRun));
}

/**
 * @param {string} program
 * @param {Run} testRun
 */
async function runInProgram(program, { folders, env, counts }) {
  const sandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  try {
    await runTests({
      vscodeExecutablePath: program,
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(bundle, 'index.js'),
      extensionTestsEnv: env,
      launchArgs: [
        folders.workspace,
        `--user-data-dir=${folders.data}`,
        `--extensions-dir=${folders.extensions}`,
        '--disable-workspace-trust',
        '--disable-extension=vscode.git',
        ...sandbox,
      ],
    });
    return existsSync(counts) ? true : undefined;
  } catch (error) {
    console.error(String(error));
    // Without counts no test ran: this VS Code could not start, and the other way is worth a try.
    return existsSync(counts) ? false : undefined;
  }
}

/**
 * Without VS Code's git extension: it is in the same extension host, where its failures count as those of the test
 * that happens to run.
 *
 * @param {Run} testRun
 */
async function runInServer({ folders, env, counts }) {
  const executablePath = await findOrInstallChromium();
  const settings = { 'git.enabled': false };
  const server = await startServer({ dirs: folders, env, settings, smokeTestDriver: true });
  const browser = await chromium.launch({ executablePath, args: chromiumArguments() });
  console.log('Running in the VS Code server from npm, in Chromium.');
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.route(
      (url) => url.protocol.startsWith('http') && url.host !== server.authority,
      (route) => route.abort(),
    );
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
    const page = await context.newPage();
    /** @type {Promise<number>} */
    const exit = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`No result after ${LIMIT_MS / 1000} s.`)), LIMIT_MS).unref();
      page.exposeFunction('codeAutomationExit', resolve).catch(reject);
    });
    await page.exposeFunction('codeAutomationLog', () => undefined);
    const payload = /** @type {const} */ ([
      ['extensionDevelopmentPath', remoteUri(server, root)],
      ['extensionTestsPath', remoteUri(server, path.join(bundle, 'index.js'))],
    ]);
    await page.goto(workbenchUrl(server, { folder: folders.workspace, payload }));
    const code = await exit;
    if (!existsSync(counts)) {
      console.error(`The tests did not run.\n${server.log().slice(-4000)}`);
    }
    return code === 0 && existsSync(counts);
  } finally {
    await browser.close();
    await server.stop();
  }
}

/**
 * Prints what is appended to a file.
 *
 * @param {string} file
 */
function follow(file) {
  let shown = 0;
  const show = () => {
    const all = readFileSync(file);
    process.stdout.write(all.subarray(shown));
    shown = all.length;
  };
  const timer = setInterval(show, FOLLOW_MS);
  return () => {
    clearInterval(timer);
    show();
  };
}
