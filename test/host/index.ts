import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const TIMEOUT_MS = 20_000;

/** VS Code calls this in its extension host, whichever way scripts/testHost.mjs started it. */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const reporter = await importReporter();
  const mocha = new Mocha({ ui: 'bdd', timeout: TIMEOUT_MS, color: false, reporter });
  const grep = process.env.PARLEY_TEST_GREP ?? '';
  if (grep !== '') {
    mocha.grep(grep);
  }
  for (const name of readdirSync(__dirname).sort()) {
    if (name.endsWith('.test.js')) {
      mocha.addFile(path.join(__dirname, name));
    }
  }
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve);
  });
  if (failures > 0) {
    throw new Error(`${failures} tests failed`);
  }
}

/** Not bundled: it has to extend the same mocha that runs the tests. */
async function importReporter(): Promise<Mocha.ReporterConstructor> {
  const file = path.join(__dirname, '..', '..', 'scripts', 'mochaReporter.mjs');
  const module = (await import(pathToFileURL(file).href)) as { default: Mocha.ReporterConstructor };
  return module.default;
}
