import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/repository.mjs';
import type { ErrorCode } from '../../src/core/base/errors';

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'THIRD-PARTY-NOTICES.md',
];

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default: unknown }>> };
  };
  readonly scripts: Readonly<Record<string, string>>;
}

interface Locked {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A record, so that it does not compile while a code is missing or too many. */
const errorCodes: Readonly<Record<ErrorCode, true>> = {
  agentNotFound: true,
  agentExited: true,
  agentTimeout: true,
  protocolMismatch: true,
  authRequired: true,
  promptActive: true,
  sessionClosed: true,
  sessionNotFound: true,
  processLimit: true,
  folderNotAllowed: true,
  notTrusted: true,
  invalidConfig: true,
  requestFailed: true,
};

describe('documents', () => {
  const { contributes, scripts } = readJson('package.json') as Manifest;

  it('README lists every setting with its default, and no other', () => {
    const rows = tableUnder('Settings').map(([name, value]) => [code(name), code(value)]);
    const settings = Object.entries(contributes.configuration.properties);
    assert.deepEqual(
      rows.sort(),
      settings.map(([name, { default: value }]) => [name, JSON.stringify(value)]).sort(),
    );
  });

  it('README lists every command with its title, and no other', () => {
    const words = readJson('package.nls.json') as Readonly<Record<string, string>>;
    const rows = tableUnder('Commands and keys').map(([command, title]) => [code(command), title]);
    const commands = contributes.commands.map(({ command, title }) => [command, words[title.slice(1, -1)]]);
    assert.deepEqual(rows.sort(), commands.sort());
  });

  it('README lists every error code, and no other', () => {
    const isCode = (name: string): boolean => /^[a-z]+[A-Z]\w+$/.test(name);
    const codes = tableUnder('Use Parley from another extension').map(([name]) => code(name));
    assert.deepEqual(codes.filter(isCode).sort(), Object.keys(errorCodes).sort());
  });

  it('THIRD-PARTY-NOTICES lists every bundled package in its version, and no other', () => {
    const rows = tableUnder('Third-party notices', 'THIRD-PARTY-NOTICES.md');
    assert.deepEqual(rows.map(([name, version]) => `${name} ${version}`).sort(), bundledPackages());
  });

  for (const name of documents) {
    const text = read(name);

    it(`${name} links only to files that exist`, () => {
      const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
        .map(([, link, attribute]) => link ?? attribute ?? '')
        .filter((target) => !/^(?:[a-z]+:|#)/i.test(target))
        .map((target) => target.replace(/#.*$/, ''));
      assert.deepEqual(targets.filter(isMissing), []);
    });

    it(`${name} names only files that exist`, () => {
      const paths = text.match(/(?<![\w./-])(?:src|scripts|test|bench|samples)\/[\w./-]*\w/g) ?? [];
      assert.deepEqual(paths.filter(isMissing), []);
    });

    it(`${name} names only npm scripts that exist`, () => {
      const names = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script ?? '');
      assert.deepEqual(
        names.filter((script) => !(script in scripts)),
        [],
      );
    });

    it(`${name} names no path and no registry of somebody's machine`, () => {
      const paths = text.match(/(?<![\w.~/}-])\/(?:work|tmp|root|home|Users)\b[^\s`)]*/g) ?? [];
      const registries = text.match(/\bregistry\.[\w-]+\.\w+|\b(?:artifactory|verdaccio|nexus)\b/gi) ?? [];
      const machines = text.match(/https?:\/\/(?:localhost|\d+\.\d+\.\d+\.\d+)[^\s`)]*/g) ?? [];
      assert.deepEqual([...paths, ...registries, ...machines], []);
    });
  }
});

function read(name: string): string {
  return readFileSync(path.join(root, name), 'utf8');
}

function readJson(name: string): unknown {
  return JSON.parse(read(name));
}

function isMissing(file: string): boolean {
  // Written by the build and by the benches.
  return file !== 'bench/results' && !existsSync(path.join(root, file));
}

/** The cells of all tables between a heading and the next one of any level, without the tables' own heads. */
function tableUnder(heading: string, name = 'README.md'): string[][] {
  const section = read(name)
    .split(/^#+ /m)
    .find((part) => part.startsWith(`${heading}\n`));
  assert.ok(section, `${name} has no heading "${heading}"`);
  const lines = section.split('\n').filter((line, index, all) => {
    const isHead = all[index + 1]?.startsWith('|---') === true;
    return line.startsWith('| ') && !isHead;
  });
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

function code(cell: string | undefined): string {
  return (cell ?? '').replace(/^`(.*)`$/, '$1');
}

/** What src imports, what that depends on, and the icon font that the build copies. */
function bundledPackages(): string[] {
  const { packages } = readJson('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
  const found = new Map<string, string>();
  const add = (name: string, importer: string): void => {
    const folder = placeOf(name, importer, packages);
    const locked = packages[folder];
    assert.ok(locked, `${name} is not in package-lock.json`);
    if (!found.has(folder)) {
      found.set(folder, `${name} ${locked.version}`);
      Object.keys(locked.dependencies ?? {}).forEach((dependency) => add(dependency, folder));
    }
  };
  ['@vscode/codicons', ...importedBySource()].forEach((name) => add(name, ''));
  return [...found.values()].sort();
}

function importedBySource(): string[] {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const imports = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...read(path.join('src', file)).matchAll(/^(?!import type).*\bfrom '([^.'][^']*)'/gm),
    ])
    .map(([, name]) => /^(?:@[^/]+\/)?[^/]+/.exec(name ?? '')?.[0] ?? '');
  return [...new Set(imports)].filter((name) => name !== 'vscode' && !name.startsWith('node:'));
}

/** As Node looks for it: beside the importer first, then further and further out. */
function placeOf(name: string, importer: string, packages: Readonly<Record<string, Locked>>): string {
  const inside = path.posix.join(importer, 'node_modules', name);
  if (inside in packages || importer === '') {
    return inside;
  }
  return placeOf(name, importer.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ''), packages);
}
