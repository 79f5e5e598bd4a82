import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/repository.mjs';

export interface Evidence {
  readonly page: Page;
  readonly serverLog: string;
  /** The folder that VS Code and its extensions write their logs to. */
  readonly logs: string;
  readonly console: readonly string[];
}

type Save = (name: string) => Promise<void>;

const savers = new Set<Save>();
let current: Mocha.Test | undefined;

/** Root hooks for mocha's `--require`: a failed test leaves what is needed to understand it. */
export const mochaHooks: Mocha.RootHookObject = {
  beforeEach(this: Mocha.Context) {
    current = this.currentTest;
  },
  async afterEach(this: Mocha.Context) {
    await saveIfFailed([...savers]);
    current = undefined;
  },
};

/** @returns Call it before the window goes: a test's own `afterEach` runs ahead of the root's. */
export function saveOnFailure(save: Save): () => Promise<void> {
  savers.add(save);
  return async () => {
    savers.delete(save);
    await saveIfFailed([save]);
  };
}

async function saveIfFailed(list: readonly Save[]): Promise<void> {
  if (current?.state !== 'failed') {
    return;
  }
  for (const save of list) {
    await save(current.fullTitle());
  }
}

/** A failure to save must not hide the failure of the test. */
export async function saveEvidence(name: string, evidence: Evidence): Promise<void> {
  const folder = resultsFolder(name.replace(/[^\w.-]+/g, '-').slice(0, 100));
  try {
    writeFileSync(path.join(folder, 'server.log'), evidence.serverLog);
    writeFileSync(path.join(folder, 'console.log'), evidence.console.join('\n'));
    if (existsSync(evidence.logs)) {
      cpSync(evidence.logs, path.join(folder, 'logs'), { recursive: true });
    }
    await evidence.page.screenshot({ path: path.join(folder, 'page.png'), fullPage: true });
  } catch (error) {
    console.error(`Could not save everything to ${folder}: ${String(error)}`);
  }
}

export function resultsFolder(name: string): string {
  const folder = path.join(root, 'test-results', name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
