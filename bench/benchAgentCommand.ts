import path from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../scripts/repository.mjs';

/** Bundles the bench's agent and says how to start it, as an entry of `parley.agents`. */
export function benchAgentCommand(): { readonly command: string; readonly args: readonly string[] } {
  const outfile = path.join(root, '.cache', 'bench', 'benchAgent.cjs');
  buildSync({
    entryPoints: [path.join(root, 'bench', 'benchAgent.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  return { command: process.execPath, args: [outfile] };
}
