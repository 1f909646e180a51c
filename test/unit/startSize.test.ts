import assert from 'node:assert/strict';
import * as path from 'node:path';
import esbuild, { type Metafile } from 'esbuild';

const maxFirstKilobytes = 600;
const root = path.resolve(import.meta.dirname, '../..');

describe('The code that a window loads when it opens', function () {
  this.timeout(60_000);
  let first: readonly Metafile['outputs'][string][] = [];

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
    const waiting = Object.keys(metafile.outputs).filter((file) => metafile.outputs[file]?.entryPoint === 'src/extension.ts');
    const seen = new Set(waiting);
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      for (const { path: next, kind } of metafile.outputs[file]?.imports ?? []) {
        if (kind === 'import-statement' && next in metafile.outputs && !seen.has(next)) {
          seen.add(next);
          waiting.push(next);
        }
      }
    }
    first = [...seen].flatMap((file) => metafile.outputs[file] ?? []);
  });

  it('is small', () => {
    const kilobytes = first.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
    assert.ok(kilobytes > 100 && kilobytes < maxFirstKilobytes, `${kilobytes.toFixed(0)} KB`);
  });

  it('has nothing of the chat but what others say in its words', () => {
    const shared =
      /^src\/chat\/(?:budget\/keptResults|chatSentences|content\/contentPieces|context\/argumentForms|lateChat|toolResults)\.ts$/;
    const ofChat = first.flatMap(({ inputs }) => Object.keys(inputs)).filter((name) => /^src\/(?:chat\/|views\/chat(?!Door))/.test(name));
    assert.deepEqual(
      ofChat.filter((name) => !shared.test(name)),
      [],
    );
  });

  it('has nothing of the SDKs, the listener, parsers of reports or what reads the editor for clients', () => {
    const later =
      /node_modules\/(?:@modelcontextprotocol|@anthropic-ai|ws|sax|picomatch|ajv|vscode-languageclient)\/|src\/(?:server\/(?:wire|protocol|offer(?!\/tools\/toolRisk)|oauth)\/|testRuns\/parsers\/|editor\/(?:workspace|language|terminals|tests)\/)/;
    assert.deepEqual(
      first.flatMap(({ inputs }) => Object.keys(inputs)).filter((name) => later.test(name)),
      [],
    );
  });
});
