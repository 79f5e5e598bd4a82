// Bundles the extension. `--production` minifies, `--watch` rebuilds; sizes are printed and held to their budgets.
import { cp, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';

const isProduction = process.argv.includes('--production');
const isWatch = process.argv.includes('--watch');
const outdir = 'dist';
const KB = 1000;

/** Files loaded by activation, then by the first view or command, then by the first use of an agent. */
const hostEntries = {
  extension: 'src/extension.ts',
  host: 'src/host.ts',
  agentRuntime: 'src/core/agent/agentRuntime.ts',
};

/** Relative `import()`s stay separate files, named as their bundles are: that is what makes them lazy. */
const lazyBundles = {
  name: 'lazy-bundles',
  setup(build) {
    build.onResolve({ filter: /^\./ }, (args) => {
      const name = path.basename(args.path);
      return args.kind === 'dynamic-import' && name in hostEntries
        ? { path: `./${name}.js`, external: true }
        : undefined;
    });
  },
};

let running = 0;

/** Lines that the problem matcher in .vscode/tasks.json waits for: one pair for all builds together. */
const watchMessages = {
  name: 'watch-messages',
  setup(build) {
    build.onStart(() => {
      running += 1;
      if (isWatch && running === 1) {
        console.log('[watch] build started');
      }
    });
    build.onEnd(() => {
      running -= 1;
      if (isWatch && running === 0) {
        console.log('[watch] build finished');
      }
    });
  },
};

const common = {
  bundle: true,
  minify: isProduction,
  // Licences are in THIRD-PARTY-NOTICES.md.
  legalComments: 'none',
  sourcemap: isProduction ? false : 'linked',
  outdir,
  logLevel: 'warning',
  metafile: true,
  plugins: [lazyBundles, watchMessages],
};

const builds = [
  {
    ...common,
    entryPoints: hostEntries,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    // VS Code hooks `require`; a real import() of our own bundles would go round it.
    supported: { 'dynamic-import': false },
  },
  {
    ...common,
    entryPoints: { demoAgent: 'src/demoAgent/main.ts' },
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  },
  {
    ...common,
    entryPoints: { 'webview/main': 'src/webview/main.tsx', 'webview/style': 'src/webview/styles/main.css' },
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    external: ['*.ttf'],
  },
];

await mkdir(path.join(outdir, 'webview'), { recursive: true });
for (const file of ['codicon.css', 'codicon.ttf']) {
  await cp(path.join('node_modules/@vscode/codicons/dist', file), path.join(outdir, 'webview', file));
}

if (isWatch) {
  const contexts = await Promise.all(builds.map((options) => esbuild.context(options)));
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all(builds.map((options) => esbuild.build(options)));
  await reportSizes();
}

/** Fails the production build when a bundle outgrows what users should have to load. */
async function reportSizes() {
  const size = async (file) => (await stat(path.join(outdir, file))).size;
  const sizes = Object.fromEntries(
    await Promise.all(
      [
        'extension.js',
        'host.js',
        'agentRuntime.js',
        'demoAgent.js',
        'webview/main.js',
        'webview/style.css',
      ].map(async (file) => [file, await size(file)]),
    ),
  );
  const budgets = [
    ['extension entry', sizes['extension.js'], 60 * KB],
    ['whole host', sizes['extension.js'] + sizes['host.js'] + sizes['agentRuntime.js'], 500 * KB],
    ['webview', sizes['webview/main.js'], 340 * KB],
    ['demo agent', sizes['demoAgent.js'], Infinity],
  ];
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  console.log(`Parley ${version}${isProduction ? '' : ' (not minified)'}`);
  let isOver = false;
  for (const [name, bytes, budget] of budgets) {
    const limit = budget === Infinity ? '' : ` of ${budget / KB} KB`;
    console.log(`  ${name.padEnd(16)} ${(bytes / KB).toFixed(1).padStart(7)} KB${isProduction ? limit : ''}`);
    isOver ||= isProduction && bytes > budget;
  }
  if (isOver) {
    console.error('A bundle is over its budget.');
    process.exitCode = 1;
  }
}
