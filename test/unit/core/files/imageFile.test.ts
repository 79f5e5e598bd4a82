import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { imageAddress } from '../../../../src/core/files/imageFile';

describe('images that an answer shows', () => {
  const base = mkdtempSync(path.join(tmpdir(), 'parley-images-'));
  const folder = path.join(base, 'folder');
  mkdirSync(path.join(folder, 'sub'), { recursive: true });
  const write = (file: string) => writeFileSync(path.join(base, file), 'bytes');
  ['folder/a.png', 'folder/sub/b.JPG', 'folder/c.svg', 'folder/d.txt', 'outside.png'].forEach(write);
  write('folder/big.png');
  truncateSync(path.join(folder, 'big.png'), 5 * 1024 * 1024);
  mkdirSync(path.join(folder, 'e.png'));
  symlinkSync(path.join(base, 'outside.png'), path.join(folder, 'link.png'));
  const address = (file: string) => imageAddress(file, folder, [folder]);
  const bytes = Buffer.from('bytes').toString('base64');

  it('are those of the workspace, however they are named', async () => {
    assert.equal(await address('a.png'), `data:image/png;base64,${bytes}`);
    assert.equal(await address('./sub/../sub/b.JPG'), `data:image/jpeg;base64,${bytes}`);
    assert.equal(await address(path.join(folder, 'a.png')), `data:image/png;base64,${bytes}`);
  });

  for (const file of [
    'c.svg',
    'd.txt',
    'big.png',
    'e.png',
    'gone.png',
    '../outside.png',
    'link.png',
    'a.png\0',
  ]) {
    it(`are not ${JSON.stringify(file)}`, async () => assert.equal(await address(file), undefined));
  }

  it('are none where there is no folder', async () => {
    assert.equal(await imageAddress(path.join(folder, 'a.png'), folder, []), undefined);
  });
});
