import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds, views } from '../../src/vscode/contributions';
import { parleyApi, parleyExtension } from '../support/hostApi';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
}

const loadedBundles = (): readonly string[] =>
  Object.keys(require.cache).filter((file) => /[\\/]dist[\\/](host|agentRuntime)\.js$/.test(file));

describe('activation', () => {
  it('returns the API and loads neither the SDK nor zod', async () => {
    const api = await parleyApi();
    assert.equal(api.version, 1);
    assert.deepEqual(
      loadedBundles().filter((file) => file.includes('agentRuntime')),
      [],
    );
  });

  it('registers every command of the manifest, and no other', async () => {
    const manifest = parleyExtension().packageJSON as Manifest;
    const declared = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual([...declared].sort(), [...commandIds].sort());
    const registered = await vscode.commands.getCommands(true);
    for (const command of declared) {
      assert.ok(registered.includes(command), command);
    }
  });

  it('declares the views it provides', () => {
    const manifest = parleyExtension().packageJSON as Manifest;
    const declared = Object.values(manifest.contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual([...declared].sort(), Object.values(views).sort());
  });
});
