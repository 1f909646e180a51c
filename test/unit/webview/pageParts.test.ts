import assert from 'node:assert/strict';
import * as path from 'node:path';
import esbuild, { type Metafile } from 'esbuild';
import { pages } from '../../../src/webview/pages.mjs';

const maxFirstKilobytes = 250;
const root = path.resolve(import.meta.dirname, '../../..');

/** The file and what it imports at once: all of that is there before the page draws anything. */
function filesAtOnce(outputs: Metafile['outputs'], file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const { path: next, kind } of outputs[file]?.imports ?? []) {
    if (kind === 'import-statement' && !seen.has(next)) {
      filesAtOnce(outputs, next, seen);
    }
  }
  return seen;
}

describe('The code of the chat’s page', function () {
  this.timeout(60_000);
  let outputs: Metafile['outputs'] = {};
  let first: readonly string[] = [];

  before(async () => {
    const built = await esbuild.build({
      ...pages,
      absWorkingDir: root,
      bundle: true,
      minify: true,
      metafile: true,
      write: false,
      logLevel: 'warning',
      define: { 'process.env.NODE_ENV': '"production"' },
    });
    outputs = built.metafile.outputs;
    const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === 'src/webview/chat/main.tsx');
    first = [...filesAtOnce(outputs, entry ?? '')];
  });

  it('that loads before the first drawing is small', () => {
    const kilobytes = first.reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0) / 1000;
    assert.ok(kilobytes > 50 && kilobytes < maxFirstKilobytes, `${kilobytes.toFixed(0)} KB`);
  });

  it('leaves Markdown, the highlighter and the cards of questions for later', () => {
    const inputs = first.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
    assert.deepEqual(
      inputs.filter((name) => /node_modules\/(?:marked|highlight\.js)\/|question\/questionCard\.tsx/.test(name)),
      [],
    );
  });
});
