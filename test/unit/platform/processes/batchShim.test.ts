import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { npmScriptOf, readBatchShim } from '../../../../src/platform/processes/batchShim.ts';
import { repositoryRoot } from '../../../support/run/repository.mjs';
import { ownTime } from '../../../support/longestBlock.ts';

const fixtures = path.join(repositoryRoot, 'test/fixtures/shims');
const folder = 'C:\\repo\\node_modules\\.bin';
const target = (name: string): string => `C:\\repo\\node_modules\\tool\\bin\\${name}`;
const beside = (name: string): object => ({ kind: 'name', name, beside: `${folder}\\${name}.exe` });

function textOf(generation: string, name: string): string {
  return readFileSync(path.join(fixtures, generation, `${name}.cmd`), 'utf8');
}

const generations = readdirSync(fixtures).filter((name) => name.includes('cmd-shim'));
const ofPnpm = generations.filter((name) => name.startsWith('zkochan'));

describe('A batch file that a package manager made', () => {
  it('leads to the script and its interpreter, in every generation', () => {
    assert.equal(generations.length, 7);
    for (const generation of generations) {
      const shim = readBatchShim(textOf(generation, 'cli'), folder, {});
      assert.deepEqual(shim, { program: beside('node'), args: [target('cli.js')], files: [target('cli.js')], env: {} }, generation);
      assert.deepEqual(readBatchShim(textOf(generation, 'script'), folder, {})?.program, beside('python3'), generation);
    }
  });

  it('leads to a program that needs no interpreter', () => {
    for (const generation of generations) {
      const shim = readBatchShim(textOf(generation, 'native'), folder, {});
      assert.deepEqual([shim?.program, shim?.args], [{ kind: 'file', path: target('native.exe') }, []], generation);
    }
  });

  it('keeps the options of the interpreter, and is not understood where the generation had none', () => {
    const read = generations.map((generation) => [generation, readBatchShim(textOf(generation, 'flags'), folder, {})?.args]);
    assert.deepEqual(Object.fromEntries(read), {
      'cmd-shim-2.1.0': undefined,
      'cmd-shim-3.0.3': undefined,
      'cmd-shim-4.1.0': undefined,
      'cmd-shim-9.0.2': ['--no-warnings', target('flags.js')],
      'zkochan-cmd-shim-3.1.0': undefined,
      'zkochan-cmd-shim-5.4.1': ['--no-warnings', target('flags.js')],
      'zkochan-cmd-shim-9.0.7': ['--no-warnings', target('flags.js')],
    });
  });

  it('says which variables it sets', () => {
    for (const generation of generations.filter((name) => name.startsWith('cmd-shim'))) {
      assert.deepEqual(readBatchShim(textOf(generation, 'vars'), folder, {})?.env, { NODE_ENV: 'production' }, generation);
    }
    const modules = 'C:\\repo\\node_modules\\.pnpm\\tool@1.0.0\\node_modules;C:\\repo\\node_modules\\.pnpm\\node_modules';
    for (const generation of ofPnpm) {
      const text = textOf(generation, 'cli-nodepath');
      assert.deepEqual(readBatchShim(text, folder, {})?.env, { NODE_PATH: modules }, generation);
      if (generation !== 'zkochan-cmd-shim-3.1.0') {
        assert.deepEqual(readBatchShim(text, folder, { Node_Path: 'D:\\x' })?.env, { NODE_PATH: `${modules};D:\\x` }, generation);
      }
    }
  });

  it('is not taken for a program when it runs cmd.exe', () => {
    for (const generation of ofPnpm.slice(1)) {
      assert.equal(readBatchShim(textOf(generation, 'batch'), folder, {}), undefined, generation);
    }
  });

  it('of corepack and of Yarn is understood too', () => {
    const pnpm = readBatchShim(textOf('corepack-0.34.7', 'pnpm'), 'C:\\nodejs', {});
    assert.deepEqual(pnpm?.args, ['C:\\nodejs\\node_modules\\corepack\\dist\\pnpm.js']);
    const yarn = readBatchShim('@echo off\r\nnode "%~dp0\\yarn.js" %*\r\n', 'C:\\yarn\\bin', {});
    assert.deepEqual(yarn?.program, { kind: 'name', name: 'node', beside: undefined });
    const dnx = readBatchShim('@echo off\n"%~dp0dotnet.exe" dnx %*\n', 'C:\\dotnet', {});
    assert.deepEqual([dnx?.program, dnx?.args], [{ kind: 'file', path: 'C:\\dotnet\\dotnet.exe' }, ['dnx']]);
  });
});

describe('A batch file that does anything else', () => {
  const shim = textOf('cmd-shim-9.0.2', 'cli');
  const changed: Readonly<Record<string, string>> = {
    'another command before': `calc.exe\r\n${shim}`,
    'another command after': `${shim}calc.exe\r\n`,
    'a command behind the line': shim.replace('%*', '%* & calc.exe'),
    'a pipe': shim.replace('%*', '%* | more'),
    'a redirection': shim.replace('%*', '%* > out.txt'),
    'a variable in the path': shim.replace('cli.js', '%EVIL%.js'),
    'another program than it looked for': shim.replace('"_prog=node"', '"_prog=evil"'),
    'fewer arguments': shim.replace('%*', '%1'),
    'a command of cmd.exe': '@echo off\r\ncall "%~dp0\\x.cmd" %*\r\n',
    'a start': '@start "x" "%~dp0\\x.exe" %*\r\n',
    'a label': '@echo off\r\n:again\r\n"%~dp0\\x.exe" %*\r\ngoto again\r\n',
    nothing: '',
  };
  for (const [what, text] of Object.entries(changed)) {
    it(`is not understood: ${what}`, () => {
      assert.equal(readBatchShim(text, folder, {}), undefined);
    });
  }

  it('is given up at once, however long and repetitive', async () => {
    for (const text of ['"a" '.repeat(4_000), 'set a=b\n'.repeat(2_000), `"x"${' "y"'.repeat(4_000)} %`, 'if exist "%~dp0'.repeat(1_000)]) {
      const elapsed = await ownTime(() => assert.equal(readBatchShim(text, folder, {}), undefined));
      assert.ok(elapsed < 1_000, `${elapsed} ms`);
    }
  });
});

describe("npm's own batch files", () => {
  it('lead to the script of npm beside them', () => {
    for (const generation of ['npm-6.14.18', 'npm-10.9.2']) {
      assert.equal(npmScriptOf(textOf(generation, 'npx'), 'npx.cmd'), 'node_modules\\npm\\bin\\npx-cli.js');
      assert.equal(npmScriptOf(textOf(generation, 'npm'), 'NPM.CMD'), 'node_modules\\npm\\bin\\npm-cli.js');
      assert.equal(npmScriptOf(textOf(generation, 'npx'), 'npm.cmd'), undefined);
      assert.equal(npmScriptOf(textOf(generation, 'npx'), 'tool.cmd'), undefined);
    }
    assert.equal(npmScriptOf('calc.exe\n', 'npx.cmd'), undefined);
  });
});
