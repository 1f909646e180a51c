import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode, type AppError } from '../../../../src/base/errors.ts';
import {
  type ExecutableSearch,
  findExecutable,
  pathVariable,
  variableIn,
  windowsProgram,
} from '../../../../src/platform/processes/findExecutable.ts';
import { treeKiller } from '../../../../src/platform/processes/processTree.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';
import { windowsDisk } from './support/windowsDisk.ts';

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

describe('The look-up of a program on Windows', () => {
  const files = {
    'C:\\bin\\Tool.EXE': '',
    'C:\\bin\\tool.cmd': '',
    'C:\\bin\\only.Cmd': '',
    'C:\\bin\\script.js': '',
    'C:\\bin\\npx': '',
    'D:\\repo\\tool.exe': '',
    'D:\\repo\\local\\run.bat': '',
  };
  const find = (command: string, changes: Partial<ExecutableSearch> = {}): Promise<string> => {
    const search = { shownCommand: command, searchPath: 'C:\\bin', cwd: 'D:\\repo', platform: 'win32', ...changes } as const;
    return findExecutable(command, search, windowsDisk(files)).catch((error: unknown) => (error as AppError).code);
  };

  it('minds PATHEXT and its order, and no case', async () => {
    assert.equal(await find('TOOL'), 'C:\\bin\\TOOL.exe');
    assert.equal(await find('tool', { pathExtensions: '.CMD;.EXE' }), 'C:\\bin\\tool.cmd');
    assert.equal(await find('only'), 'C:\\bin\\only.cmd');
    assert.equal(await find('tool.cmd'), 'C:\\bin\\tool.cmd');
    assert.equal(await find('tool', { pathExtensions: '' }), 'C:\\bin\\tool.exe');
    assert.equal(await find('tool', { searchPath: '"C:\\bin"' }), 'C:\\bin\\tool.exe');
  });

  it('finds nothing that Windows cannot start, whatever PATHEXT says', async () => {
    assert.equal(await find('script', { pathExtensions: '.JS;.VBS' }), 'definitions.commandNotFound');
    assert.equal(await find('npx'), 'definitions.commandNotFound', 'the script for other systems');
  });

  it('looks into the working folder only for a command with a folder in it', async () => {
    assert.equal(await find('tool', { searchPath: '.;;D:repo' }), 'definitions.commandNotFound');
    assert.equal(await find('.\\tool'), 'D:\\repo\\tool.exe');
    assert.equal(await find('local/run'), 'D:\\repo\\local\\run.bat');
  });

  it('takes Windows’ own programs from its own folder', () => {
    assert.equal(windowsProgram('cmd.exe', { systemroot: 'E:\\Win' }), 'E:\\Win\\System32\\cmd.exe');
    assert.equal(windowsProgram('cmd.exe', { SystemRoot: 'relative' }), 'C:\\Windows\\System32\\cmd.exe');
    assert.equal(windowsProgram('taskkill.exe', {}), 'C:\\Windows\\System32\\taskkill.exe');
    assert.deepEqual(treeKiller(42, {}).args, ['/pid', '42', '/T', '/F']);
    assert.equal(treeKiller(42, { SystemRoot: 'E:\\Win' }).program, 'E:\\Win\\System32\\taskkill.exe');
  });
});

describe('A variable of the environment', () => {
  it('is found in any case on Windows, and exactly elsewhere', () => {
    assert.equal(variableIn({ Pathext: '.EXE' }, 'PATHEXT', 'win32'), '.EXE');
    assert.equal(variableIn({ Pathext: '.EXE' }, 'PATHEXT', 'linux'), undefined);
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
