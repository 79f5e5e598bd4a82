import { mkdirSync, mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { JsonObject, Scenario } from './steps';

/** How to start the scripted agent, and what it has received. */
export interface ScriptedAgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly SCRIPTED_AGENT_LOG: string };
  readonly logFile: string;
  /** Every message so far, plus `{event}` for the end of stdin and SIGTERM, `{raw}` for what was not JSON. */
  received(): readonly JsonObject[];
  /** The next process behaves like that. */
  change(scenario: Scenario): void;
}

export function scriptedAgentCommand(scenario: Scenario = {}): ScriptedAgentCommand {
  const folder = mkdtempSync(join(tmpdir(), 'parley-scripted-'));
  const scenarioFile = join(folder, 'scenario.json');
  const logFile = join(folder, 'received.jsonl');
  const change = (next: Scenario): void => writeFileSync(scenarioFile, JSON.stringify(next));
  change(scenario);
  writeFileSync(logFile, '');
  return {
    command: process.execPath,
    args: [bundle(), '--scenario', scenarioFile],
    env: { SCRIPTED_AGENT_LOG: logFile },
    logFile,
    received: () => readLines(logFile),
    change,
  };
}

let bundled: string | undefined;

/** Bundled once per test run: plain Node starts several times faster than Node with tsx. */
function bundle(): string {
  if (bundled === undefined) {
    const folder = join(tmpdir(), 'parley-scripted-agent');
    mkdirSync(folder, { recursive: true });
    const draft = join(folder, `agent-${process.pid}.tmp.cjs`);
    const source = join(dirname(fileURLToPath(import.meta.url)), 'main.ts');
    buildSync({
      entryPoints: [source],
      outfile: draft,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
    });
    bundled = join(folder, `agent-${process.pid}-${statSync(draft).size}.cjs`);
    renameSync(draft, bundled);
  }
  return bundled;
}

function readLines(file: string): JsonObject[] {
  // The agent may be writing the last line at this moment.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JsonObject);
}
