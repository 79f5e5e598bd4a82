import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Forbids imports by layer: what a folder may touch is in ARCHITECTURE.md. */
const forbid = (files, rules) => ({
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', rules] },
});
const layer = (...names) => names.map((name) => `**/${name}/**`);
const node = { regex: '^node:', message: 'No Node APIs in this layer.' };
const vscode = { name: 'vscode', message: 'No VS Code API in this layer; take a port as a parameter.' };
const sdk = {
  regex: '^@agentclientprotocol/',
  message: 'SDK types stop at core/agent; speak shared/transcript.',
};

/** Each may import those before it. */
const coreFolders = [
  'base',
  'process',
  'git',
  'files',
  'context',
  'terminals',
  'permissions',
  'transcripts',
  'agent',
  'agents',
  'session',
  'changes',
  'api',
];

export default tseslint.config(
  { ignores: ['dist/', '.cache/', '.vscode-test/', 'test-results/', 'samples/', 'node_modules/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      curly: 'error',
      eqeqeq: 'error',
      'no-else-return': ['error', { allowElseIf: false }],
      'no-nested-ternary': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'console',
          'process',
          'Buffer',
          'fetch',
          'URL',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'performance',
          'AbortSignal',
          'AbortController',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  forbid(['src/shared/**'], {
    paths: [vscode],
    patterns: [
      node,
      sdk,
      { group: layer('core', 'vscode', 'webview', 'demoAgent'), message: 'shared imports nothing.' },
    ],
  }),
  forbid(['src/core/**'], {
    paths: [vscode],
    patterns: [
      sdk,
      { group: layer('vscode', 'webview', 'demoAgent'), message: 'core may import shared only.' },
    ],
  }),
  ...coreFolders.slice(0, -1).map((folder, index) =>
    forbid([`src/core/${folder}/**`], {
      paths: [vscode],
      patterns: [
        ...(folder === 'agent' ? [] : [sdk]),
        { group: layer('vscode', 'webview', 'demoAgent'), message: 'core may import shared only.' },
        {
          regex: `^(\\.\\./)+(${coreFolders.slice(index + 1).join('|')})/`,
          message: `core/${folder} may import only the folders that stand before it in ARCHITECTURE.md.`,
        },
      ],
    }),
  ),
  forbid(['src/webview/**'], {
    paths: [vscode],
    patterns: [
      node,
      sdk,
      { group: layer('core', 'vscode', 'demoAgent'), message: 'webview may import shared only.' },
    ],
  }),
  forbid(['src/vscode/**'], {
    patterns: [
      sdk,
      { group: layer('webview', 'demoAgent'), message: 'The host talks to the webview by messages.' },
    ],
  }),
  forbid(['src/demoAgent/**'], {
    paths: [vscode],
    patterns: [
      { group: layer('shared', 'core', 'vscode', 'webview'), message: 'The demo agent stands alone.' },
    ],
  }),
  {
    files: ['test/**'],
    rules: {
      // mocha's `describe`/`it` return nothing worth awaiting, and fakes have methods that need no `this`.
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/require-await': 'off',
    },
  },
);
