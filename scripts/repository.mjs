import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this clone. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** @type {{ name: string, publisher: string, version: string, engines: { vscode: string } }} */
export const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/**
 * @param {string} name
 * @returns {string} A new empty folder for this run only.
 */
export function makeTemporaryFolder(name) {
  return mkdtempSync(path.join(tmpdir(), `parley-${name}-`));
}

/**
 * Processes that are just ending may still write into the folder, hence the retries.
 *
 * @param {string} folder
 */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/**
 * Demo and tests edit the sample; they get a copy.
 *
 * @param {string} destination
 */
export function copySample(destination) {
  cpSync(path.join(root, 'samples', 'hello-parley'), destination, { recursive: true });
}
