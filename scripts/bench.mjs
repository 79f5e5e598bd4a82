// `npm run bench`: measures and prints a table of ratios; `npm run bench -- streamCost` measures only that.
import path from 'node:path';
import { findOrInstallChromium } from './chromium.mjs';
import { canRunServer, installServer } from './installVscodeServer.mjs';
import { run } from './processes.mjs';
import { root } from './repository.mjs';
import { ensureBuild, setUp } from './setup.mjs';

const LIMIT_MS = 20 * 60_000;

await setUp();
if (!canRunServer()) {
  console.error('The benches need the VS Code server, which needs Linux. Run them in a container.');
  process.exit(1);
}
await ensureBuild();
await installServer();
await findOrInstallChromium();
const args = ['--import', 'tsx', path.join('bench', 'main.ts'), ...process.argv.slice(2)];
process.exitCode = await run(process.execPath, args, { cwd: root, limitMs: LIMIT_MS });
