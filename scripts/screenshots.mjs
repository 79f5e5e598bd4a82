// Takes the pictures of the README in a real VS Code with the demo agent.
import path from 'node:path';
import { run } from './processes.mjs';
import { root } from './repository.mjs';
import { ensureBuild, setUp } from './setup.mjs';

await setUp();
await ensureBuild();
const script = path.join(root, 'test', 'support', 'screenshots.ts');
process.exitCode = await run(process.execPath, ['--import', 'tsx', script], { cwd: root });
