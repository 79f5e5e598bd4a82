import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type Frame, type Page } from 'playwright-core';
import { chromiumArguments, findOrInstallChromium } from '../../scripts/chromium.mjs';
import { onEnd } from '../../scripts/cleanup.mjs';
import { copySample, removeFolder } from '../../scripts/repository.mjs';
import {
  linkExtension,
  makeFolders,
  startServer,
  workbenchUrl,
  type Folders,
  type Server,
} from '../../scripts/vscodeServer.mjs';
import { resultsFolder, saveEvidence, saveOnFailure } from './workbenchFailures';

const LOAD_MS = 60_000;
const WAIT_MS = 30_000;
const POLL_MS = 50;
const PALETTE_MS = 2000;

/** VS Code writes its browser storage with a delay that nothing outside can observe. */
const STORAGE_DELAY_MS = 1500;
const EDITOR_STATE_DELAY_MS = 7000;

const themes = {
  dark: 'Dark 2026',
  light: 'Light 2026',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;

export interface WorkbenchOptions {
  /** Fills the workspace folder; without it, it is a copy of the sample. */
  readonly workspace?: (folder: string) => void;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The extension host inherits it. */
  readonly env?: Readonly<Record<string, string>>;
  /** With it, VS Code asks before it trusts the folder. */
  readonly workspaceTrust?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly theme?: keyof typeof themes;
  /** A window without a folder. */
  readonly noFolder?: boolean;
}

/** Starts a VS Code with the extension of this clone and opens a window. Close it in `after`. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const executablePath = await findOrInstallChromium();
  const dirs = makeFolders('e2e');
  const removeFolders = (): void => removeFolder(dirs.root);
  const forget = onEnd(removeFolders, removeFolders);
  (options.workspace ?? copySample)(dirs.workspace);
  linkExtension(dirs);
  const server = await startServer({
    dirs,
    env: options.env,
    workspaceTrust: options.workspaceTrust ?? false,
    settings: {
      'window.autoDetectColorScheme': false,
      'workbench.colorTheme': themes[options.theme ?? 'dark'],
      ...options.settings,
    },
  });
  const browser = await chromium.launch({ executablePath, args: chromiumArguments() });
  const context = await browser.newContext({ viewport: options.viewport ?? { width: 1280, height: 800 } });
  await prepare(context, server);
  const page = await context.newPage();
  const url = workbenchUrl(server, options.noFolder === true ? {} : { folder: dirs.workspace });
  const workbench = new Workbench(page, server, dirs, browser, () => {
    removeFolders();
    forget();
  });
  try {
    await page.goto(url);
    await workbench.waitUntilLoaded();
  } catch (error) {
    await workbench.saveEvidence('openWorkbench');
    await workbench.close();
    throw error;
  }
  return workbench;
}

/** Only the server may be reached; and it cannot keep secrets unless somebody answers for half of their key. */
async function prepare(context: BrowserContext, server: Server): Promise<void> {
  await context.route(
    (url) => url.protocol.startsWith('http') && url.host !== server.authority,
    (route) => route.abort(),
  );
  await context.route(`${server.url}/mint-key`, (route) =>
    route.fulfill({ contentType: 'application/octet-stream', body: Buffer.alloc(32, 7) }),
  );
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
}

/** One VS Code window in a browser, with its server. */
export class Workbench {
  private readonly consoleLines: string[] = [];
  private readonly unwatch: () => Promise<void>;
  private isClosed = false;

  constructor(
    readonly page: Page,
    readonly server: Server,
    readonly dirs: Folders,
    private readonly browser: Browser,
    private readonly removeFolders: () => void,
  ) {
    page.on('console', (message) => this.consoleLines.push(`[${message.type()}] ${message.text()}`));
    page.on('pageerror', (error) => this.consoleLines.push(`[pageerror] ${error.stack ?? error.message}`));
    // VS Code asks before a page with unsaved files goes away.
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    this.unwatch = saveOnFailure((name) => this.saveEvidence(name));
  }

  async waitUntilLoaded(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: LOAD_MS });
  }

  /** Runs a command from the palette by its full title, for example "Parley: New Session". */
  async command(title: string): Promise<void> {
    const box = this.page.locator('.quick-input-widget:visible input[type=text]');
    const row = this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
    // The palette is filled when it opens: a command whose extension is still being read appears only in the next one.
    await eventually(`the command ${title}`, async () => {
      await this.page.keyboard.press('F1');
      await box.fill(`>${title}`, { timeout: PALETTE_MS }).catch(() => undefined);
      const hasRun = await row.click({ timeout: PALETTE_MS }).then(
        () => true,
        () => undefined,
      );
      if (hasRun === undefined) {
        await this.page.keyboard.press('Escape');
      }
      return hasRun;
    });
  }

  /** The innermost document of the webview that holds `selector`. It is another one after a reload. */
  async webview(selector: string): Promise<Frame> {
    return await eventually(`a webview with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        if (frame.url().includes('/webview/browser/pre/fake.html') && (await holds(frame, selector))) {
          return frame;
        }
      }
      return undefined;
    });
  }

  /** The notification that contains `text`. */
  notification(text: string | RegExp): ReturnType<Page['locator']> {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first();
  }

  /** Which editors are open is written less often than other state: say so when it matters. */
  async reload({ withEditors = false } = {}): Promise<void> {
    await delay(withEditors ? EDITOR_STATE_DELAY_MS : STORAGE_DELAY_MS);
    await this.page.reload();
    await this.waitUntilLoaded();
  }

  /** @returns The file it wrote. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(resultsFolder('screenshots'), `${name}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }

  /** Oldest first: after a reload the host of the previous page may linger for a while. */
  extensionHostPids(): readonly number[] {
    return childrenOf(this.server.pid)
      .filter((pid) => readProcess(pid, 'cmdline').includes('--type=extensionHost'))
      .sort((a, b) => startedAt(a) - startedAt(b));
  }

  /** As a crash would end it: no deactivation, no goodbye. Resolves to its pid when the process is gone. */
  async killExtensionHost(): Promise<number> {
    const pid = await eventually('an extension host', async () => this.extensionHostPids().at(-1));
    process.kill(pid, 'SIGKILL');
    await eventually('the end of the extension host', async () =>
      this.extensionHostPids().includes(pid) ? undefined : true,
    );
    return pid;
  }

  async saveEvidence(name: string): Promise<void> {
    await saveEvidence(name, {
      page: this.page,
      serverLog: this.server.log(),
      logs: path.join(this.dirs.data, 'data', 'logs'),
      console: this.consoleLines,
    });
  }

  async close(): Promise<void> {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    await this.unwatch();
    await this.browser.close();
    await this.server.stop();
    this.removeFolders();
  }
}

/** Waits for a condition; fails with `what` in the message. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined>,
  limitMs = WAIT_MS,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined) {
      return value;
    }
    if (Date.now() > deadline) {
      throw new Error(`Waited ${limitMs / 1000} s for ${what}.`);
    }
    await delay(POLL_MS);
  }
}

async function holds(frame: Frame, selector: string): Promise<boolean> {
  // A frame may be replaced while it is asked.
  return (
    (await frame
      .locator(selector)
      .count()
      .catch(() => 0)) > 0
  );
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => statField(pid, 4) === parent);
}

function startedAt(pid: number): number {
  return statField(pid, 22);
}

/** Numbered as in proc(5). The second field, a name in parentheses, may itself contain both. */
function statField(pid: number, field: number): number {
  const stat = readProcess(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[field - 3]);
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(path.join('/proc', String(pid), file), 'utf8');
  } catch {
    return '';
  }
}
