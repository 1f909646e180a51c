import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode, type AppError } from '../../../../src/base/errors.ts';
import { findExecutable, pathVariable } from '../../../../src/platform/processes/findExecutable.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const folder = createTemporaryFolder();
const other = createTemporaryFolder();

describe('The look-up of a program', () => {
  const search = { shownCommand: 'tool', cwd: folder, platform: process.platform };

  it('skips folders, files that may not run, relative and empty entries', async () => {
    const bin = path.join(other, 'bin');
    await mkdir(path.join(bin, 'tool'), { recursive: true });
    await writeFile(path.join(other, 'tool'), 'no program');
    await writeFile(path.join(folder, 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    const failing = findExecutable('tool', { ...search, searchPath: [bin, other, '', '.', 'bin'].join(path.delimiter) });
    await assert.rejects(failing, (error: AppError) => {
      assert.deepEqual([error.code, error.detail], ['definitions.commandNotFound', `Looked in:\n  ${bin}\n  ${other}`]);
      return true;
    });
    assert.equal(await findExecutable('./tool', { ...search, searchPath: '' }), path.join(folder, 'tool'));
  });

  it('on Windows tries the extensions and never the working folder', async () => {
    const failing = findExecutable('tool', {
      ...search,
      cwd: 'C:\\repo',
      platform: 'win32',
      searchPath: 'C:\\bin;;.',
      pathExtensions: '.EXE',
    });
    await assert.rejects(
      failing,
      (error: AppError) => hasCode(error, 'definitions.commandNotFound') && error.detail === 'Looked in:\n  C:\\bin',
    );
  });
});

describe('The variable that says where programs are', () => {
  it('is found however its name is written, the usual one first', () => {
    assert.deepEqual([{ Path: 'a', PATH: 'b' }, { Path: 'a' }, { PATH: undefined, path: 'a' }, { HOME: 'a' }].map(pathVariable), [
      { name: 'PATH', value: 'b' },
      { name: 'Path', value: 'a' },
      { name: 'path', value: 'a' },
      { name: 'PATH', value: '' },
    ]);
  });
});
