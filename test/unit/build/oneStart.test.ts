import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LogLevel } from 'esbuild';
import { buildWithOneStart } from '../../../src/build/oneStart.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

interface Built {
  activate(): Promise<unknown>;
  deactivate(): unknown;
}

const source: Readonly<Record<string, string>> = {
  'extension.ts': `
    import { count, add } from './counter.ts';
    import { greet } from './greeting.ts';
    export async function activate() {
      add();
      const { inWhole } = await import('./whole.ts');
      inWhole();
      const [{ inFirst }, { inSecond }] = await Promise.all([import('./first.ts'), import('./second.ts')]);
      return [greet(), inFirst(), inSecond(), count];
    }
    export const deactivate = () => count;`,
  'whole.ts':
    "import { add } from './counter.ts'; import { inCommon } from './common.ts'; export const inWhole = () => [add(), inCommon()];",
  'common.ts': 'export let used = 0; export const inCommon = () => (used += 1);',
  'counter.ts': 'export let count = 0; export const add = () => (count += 1);',
  'greeting.ts': "export const greet = () => 'hello';",
  'both.ts': "import { greet } from './greeting.ts'; export const greetTwice = () => greet() + greet();",
  'first.ts':
    "import { add, count } from './counter.ts'; import { greetTwice } from './both.ts'; export const inFirst = () => [add(), count, greetTwice()];",
  'second.ts':
    "import { add } from './counter.ts'; import { greetTwice } from './both.ts'; import { inCommon } from './common.ts'; export const inSecond = () => [add(), greetTwice(), inCommon()];",
};

describe('A build with one start', function () {
  this.timeout(60_000);
  let folder: string;
  let dist: string;

  const build = (logLevel: LogLevel): Promise<unknown> =>
    buildWithOneStart(
      {
        absWorkingDir: folder,
        entryPoints: { extension: 'src/extension.ts' },
        outdir: 'dist',
        bundle: true,
        minify: true,
        splitting: true,
        chunkNames: 'chunks/[name]-[hash]',
        format: 'esm',
        platform: 'node',
        logLevel,
        banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
      },
      ['src/whole.ts'],
    );

  before(async () => {
    folder = createTemporaryFolder();
    dist = path.join(folder, 'dist');
    mkdirSync(path.join(folder, 'src'));
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    Object.entries(source).forEach(([name, text]) => writeFileSync(path.join(folder, 'src', name), text));
    await build('warning');
  });
  after(() => removeTemporaryFolder(folder));

  it('does what the source says, with every module there once', async () => {
    const built = (await import(pathToFileURL(path.join(dist, 'extension.js')).href)) as Built;
    assert.deepEqual(await built.activate(), ['hello', [3, 3, 'hellohello'], [4, 'hellohello', 2], 4]);
    assert.equal(built.deactivate(), 4);
  });

  const importsOf = (name: string): string[] =>
    [...readFileSync(path.join(dist, name), 'utf8').matchAll(/from\s*"(\.[^"]*)"/g)].map(([, from = '']) => from);

  it('loads one file first, and that one no other', () => {
    assert.deepEqual(importsOf('extension.js'), ['./chunks/start.mjs']);
    assert.deepEqual(importsOf('chunks/start.mjs'), []);
    assert.ok(readdirSync(path.join(dist, 'chunks')).length >= 4, 'what is loaded later is apart');
  });

  it('loads what follows as one file, too, which has of the start what is there', () => {
    const [whole = ''] = readdirSync(path.join(dist, 'chunks')).filter((name) => name.startsWith('whole-'));
    assert.deepEqual(importsOf(`chunks/${whole}`), ['./start.mjs']);
  });

  it('refuses to import, when it is first used, what is inside of another file', async () => {
    writeFileSync(
      path.join(folder, 'src', 'whole.ts'),
      "export const inWhole = async () => (await import('./extension.ts')).deactivate();",
    );
    await assert.rejects(build('silent'), /extension\.mjs is imported when it is first used, but start\.mjs has it/);
  });
});
