import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { compileFunction } from 'node:vm';
import esbuild, { type Metafile } from 'esbuild';

const maxFirstKilobytes = 25;
const maxFollowingKilobytes = 455;
const root = path.resolve(import.meta.dirname, '../..');

type Output = Metafile['outputs'][string];

describe('The code that a window loads when it opens', function () {
  this.timeout(60_000);
  /** Before the activation returns. */
  let first: readonly Output[] = [];
  /** After that, in every window. */
  let following: readonly Output[] = [];

  before(async () => {
    const { metafile } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: ['src/extension.ts'],
      outdir: 'dist',
      bundle: true,
      minify: true,
      splitting: true,
      metafile: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      external: ['vscode'],
      logLevel: 'warning',
    });
    first = loadedWith('src/extension.ts', metafile);
    following = loadedWith('src/app/app.ts', metafile).filter((output) => !first.includes(output));
  });

  it('is small', () => {
    const kilobytes = kilobytesOf(first);
    assert.ok(kilobytes > 10 && kilobytes < maxFirstKilobytes, `${kilobytes.toFixed(0)} KB`);
  });

  it('is followed by no more than a window needs', () => {
    const kilobytes = kilobytesOf(following);
    assert.ok(kilobytes > 100 && kilobytes < maxFollowingKilobytes, `${kilobytes.toFixed(0)} KB`);
  });

  it('has no library, and what makes schemas comes with what follows', () => {
    assert.deepEqual(
      sourcesOf(first).filter((name) => name.includes('node_modules/')),
      [],
    );
    assert.ok(sourcesOf(following).some((name) => name.includes('node_modules/zod/')));
  });

  it('makes no schema: each is made when it is first asked about something', async () => {
    const files = sourcesOf(following).filter(
      (name) => /\.ts$/.test(name) && /from 'zod'/.test(readFileSync(path.join(root, name), 'utf8')),
    );
    assert.ok(files.length > 5, files.join());
    const program = compileFunction(await programWithoutSchemas(files), ['require', 'module'], { filename: 'withoutSchemas.cjs' }) as (
      ...given: readonly unknown[]
    ) => unknown;
    assert.doesNotThrow(() => program(createRequire(import.meta.url), { exports: {} }));
  });

  it('has nothing of the chat but its door', () => {
    assert.deepEqual(
      sourcesOf([...first, ...following]).filter((name) => /^src\/(?:chat\/(?!lateChat)|views\/chat\/(?!problemActions))/.test(name)),
      [],
    );
  });

  it('has nothing of the SDKs, the listener, parsers of reports or what reads the editor for clients', () => {
    const later =
      /node_modules\/(?:@modelcontextprotocol|@anthropic-ai|ws|sax|picomatch|ajv|vscode-languageclient)\/|src\/(?:server\/(?:wire|protocol|offer(?!\/tools\/toolRisk)|oauth)\/|testRuns\/parsers\/|editor\/(?:workspace|language|terminals|tests)\/)/;
    assert.deepEqual(
      sourcesOf([...first, ...following]).filter((name) => later.test(name)),
      [],
    );
  });

  it('has nothing of what pages say, nor of the tabs and views that are loaded when somebody looks', () => {
    const later =
      /^src\/(?:contract\/(?:searchMessages|pages\/\w+Messages|chat\/\w+|questions\/(?!rolesAndClaims)\w+)\.ts|views\/(?:runner\/(?:runnerTabs|toolTasks)|traffic\/trafficView|resources\/resourceDocuments)\.ts)/;
    assert.deepEqual(
      sourcesOf([...first, ...following]).filter((name) => later.test(name)),
      [],
    );
  });
});

/** A program of these files whose library for schemas makes none: whoever asks it for one while it is loaded fails. */
async function programWithoutSchemas(files: readonly string[]): Promise<string> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    stdin: { contents: files.map((file) => `import ${JSON.stringify(`./${file}`)};`).join('\n'), resolveDir: root },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'silent',
    plugins: [
      {
        name: 'noSchemas',
        setup(build) {
          build.onResolve({ filter: /^zod$/ }, () => ({ path: 'zod', namespace: 'noSchemas' }));
          build.onLoad({ filter: /./, namespace: 'noSchemas' }, () => ({ contents: 'export {};' }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

function loadedWith(source: string, { outputs }: Metafile): readonly Output[] {
  const seen = new Set(Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === source));
  for (const file of seen) {
    const { imports = [] } = outputs[file] ?? {};
    imports.filter(({ path: next, kind }) => kind === 'import-statement' && next in outputs).forEach(({ path: next }) => seen.add(next));
  }
  return [...seen].flatMap((file) => outputs[file] ?? []);
}

function sourcesOf(loaded: readonly Output[]): string[] {
  return loaded.flatMap(({ inputs }) => Object.keys(inputs));
}

function kilobytesOf(loaded: readonly Output[]): number {
  return loaded.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
}
