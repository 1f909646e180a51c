import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { programOfBatchFile, type StartedProgram } from '../../../../src/platform/processes/batchProgram.ts';
import { repositoryRoot } from '../../../support/run/repository.mjs';
import { windowsDisk } from './support/windowsDisk.ts';

function shim(generation: string, name: string): string {
  return readFileSync(path.join(repositoryRoot, 'test/fixtures/shims', generation, `${name}.cmd`), 'utf8');
}

const nodeFolder = 'C:\\Program Files\\nodejs';
const node = { [`${nodeFolder}\\node.exe`]: '' };
const tool = 'C:\\repo\\node_modules\\tool\\bin\\cli.js';
const surroundings = {
  searchPath: `C:\\Windows;${nodeFolder}`,
  pathExtensions: '.COM;.EXE;.BAT;.CMD;.VBS;.JS',
  env: {},
  ownEnv: { SYSTEMROOT: 'D:\\Windows', ComSpec: 'C:\\evil\\cmd.exe' },
};
const throughInterpreter: StartedProgram = { kind: 'batch', interpreter: 'D:\\Windows\\System32\\cmd.exe' };

function startedFor(file: string, files: Readonly<Record<string, string>>): Promise<StartedProgram> {
  return programOfBatchFile(file, surroundings, windowsDisk(files));
}

describe('What is started for a batch file', () => {
  it('is node.exe with the script of npm, for npx and npm', async () => {
    for (const generation of ['npm-6.14.18', 'npm-10.9.2']) {
      for (const name of ['npx', 'npm']) {
        const script = `${nodeFolder}\\node_modules\\npm\\bin\\${name}-cli.js`;
        const started = await startedFor(`${nodeFolder}\\${name}.cmd`, {
          ...node,
          [`${nodeFolder}\\${name}.cmd`]: shim(generation, name),
          [script]: '',
        });
        assert.deepEqual(started, { kind: 'program', program: `${nodeFolder}\\node.exe`, before: [script], env: {} });
      }
    }
  });

  it('is the node of PATH where none stands beside it, as in %APPDATA%\\npm and in projects', async () => {
    const file = 'C:\\repo\\node_modules\\.bin\\cli.cmd';
    for (const generation of ['cmd-shim-2.1.0', 'cmd-shim-9.0.2', 'zkochan-cmd-shim-3.1.0', 'zkochan-cmd-shim-9.0.7']) {
      const started = await startedFor(file, { ...node, [file]: shim(generation, 'cli'), [tool]: '' });
      assert.deepEqual(started, { kind: 'program', program: `${nodeFolder}\\node.exe`, before: [tool], env: {} }, generation);
    }
  });

  it('is the node beside it where there is one', async () => {
    const file = 'C:\\repo\\node_modules\\.bin\\cli.cmd';
    const own = 'C:\\repo\\node_modules\\.bin\\node.exe';
    const started = await startedFor(file, { ...node, [file]: shim('cmd-shim-9.0.2', 'cli'), [tool]: '', [own]: '' });
    assert.equal(started.kind === 'program' ? started.program : '', own);
  });

  it('is the program behind several batch files', async () => {
    const first = 'C:\\bin\\first.cmd';
    const second = 'C:\\repo\\node_modules\\.bin\\cli.cmd';
    const files = { ...node, [first]: `@"${second}" --first %*\r\n`, [second]: shim('cmd-shim-9.0.2', 'cli'), [tool]: '' };
    const started = await startedFor(first, files);
    assert.deepEqual(started, { kind: 'program', program: `${nodeFolder}\\node.exe`, before: [tool, '--first'], env: {} });
  });

  it('is the command interpreter of Windows for every other one, whatever COMSPEC says', async () => {
    const file = 'C:\\bin\\x.cmd';
    const cases: readonly Readonly<Record<string, string>>[] = [
      { [file]: '@echo off\r\necho hello\r\n' },
      { ...node, [file]: shim('cmd-shim-9.0.2', 'cli') }, // its script is not there
      { [file]: shim('cmd-shim-9.0.2', 'cli'), 'C:\\tool\\bin\\cli.js': '' }, // there is no node
      { [file]: `${' '.repeat(20_000)}@"%~dp0\\y.exe" %*`, 'C:\\bin\\y.exe': '' }, // too long to be one of those
      { [file]: '@"%~dp0\\x.cmd" %*\r\n' }, // it leads to itself
      { [file]: '@"%~dp0\\y.js" %*\r\n', 'C:\\bin\\y.js': '' }, // nothing that can be started
      {},
    ];
    for (const files of cases) {
      assert.deepEqual(await startedFor(file, files), throughInterpreter);
    }
  });
});
