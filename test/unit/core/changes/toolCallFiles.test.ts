import assert from 'node:assert/strict';
import { mkdtemp, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeablePaths } from '../../../../src/core/changes/toolCallFiles';
import type { ToolEntry } from '../../../../src/shared/transcript/model';

describe('files that a tool call names', () => {
  let base: string;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'parley-named-')));
    await mkdir(join(base, 'real', 'inside'), { recursive: true });
    await writeFile(join(base, 'real', 'inside', 'a.txt'), '');
    await symlink(join(base, 'real'), join(base, 'workspace'));
    await symlink('inside/a.txt', join(base, 'real', 'link'));
  });
  afterEach(() => rm(base, { recursive: true }));

  const named = (...paths: string[]): readonly string[] | undefined => {
    const tool: ToolEntry = {
      kind: 'tool',
      id: '1',
      at: 0,
      title: 'Edit',
      name: undefined,
      toolKind: 'edit',
      status: 'running',
      content: [],
      locations: paths.map((path) => ({ path, line: undefined })),
      rawInput: undefined,
      rawOutput: undefined,
      parentId: undefined,
      permissions: [],
    };
    const workdir = join(base, 'workspace');
    return changeablePaths(tool, { id: 'one', workdir, roots: [workdir] });
  };

  it('are spelled as in the workspace, which may be reached by a link', () => {
    const path = join(base, 'workspace', 'inside', 'a.txt');
    assert.deepEqual(named(join(base, 'real', 'inside', 'a.txt')), [path]);
    assert.deepEqual(named('inside/a.txt'), [path]);
    assert.deepEqual(named(join(base, 'real', 'new', 'b')), [join(base, 'workspace', 'new', 'b')]);
  });

  it('are also those that links lead to', () => {
    assert.deepEqual(named('link'), [
      join(base, 'workspace', 'link'),
      join(base, 'workspace', 'inside', 'a.txt'),
    ]);
    assert.deepEqual(named(join(base, 'elsewhere')), [join(base, 'elsewhere')]);
  });
});
