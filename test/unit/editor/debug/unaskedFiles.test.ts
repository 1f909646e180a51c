import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { filesReadUnasked } from '../../../../src/editor/debug/unaskedFiles.ts';

describe('The file of variables that a debugger of Python reads without being told to', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'duplex-env-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is named where it is there, so that a permission to debug holds once only, and not where it is not', async () => {
    for (const type of ['debugpy', 'python']) {
      assert.deepEqual(await filesReadUnasked({ type }, folder), []);
    }
    await writeFile(path.join(folder, '.env'), 'PYTHONSTARTUP=./evil.py\n');
    for (const type of ['debugpy', 'python']) {
      assert.deepEqual(await filesReadUnasked({ type, request: 'launch' }, folder), ['envFile .env']);
    }
  });

  it('is not named for other debuggers, for a configuration that names another file, and without a folder', async () => {
    await writeFile(path.join(folder, '.env'), 'A=1\n');
    assert.deepEqual(await filesReadUnasked({ type: 'node' }, folder), []);
    // A file that is named is told of by its name.
    assert.deepEqual(await filesReadUnasked({ type: 'debugpy', envFile: '${workspaceFolder}/other.env' }, folder), []);
    assert.deepEqual(await filesReadUnasked({ type: 'debugpy' }, undefined), []);
  });
});
