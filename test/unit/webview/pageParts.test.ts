import assert from 'node:assert/strict';
import * as path from 'node:path';
import esbuild, { type Metafile } from 'esbuild';
import { pages } from '../../../src/build/pages.mjs';

const maxFirstKilobytes = 131;
/** All that the chat can come to load; the code of its thread is a text in it. */
const maxKilobytes = 440;
const root = path.resolve(import.meta.dirname, '../../..');

type Outputs = Metafile['outputs'];

/** The file and what it imports at once, which is there before the page draws anything; later parts as well if they are asked for. */
function filesOf(outputs: Outputs, file: string, kinds: readonly string[] = ['import-statement'], seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const { path: next, kind } of outputs[file]?.imports ?? []) {
    if (kinds.includes(kind) && !seen.has(next)) {
      filesOf(outputs, next, kinds, seen);
    }
  }
  return seen;
}

describe('The code of the chat’s page', function () {
  this.timeout(60_000);
  let outputs: Outputs = {};
  let entry = '';
  let first: readonly string[] = [];
  const kilobytesOf = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0) / 1024;

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
    entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === 'src/webview/chat/main.tsx') ?? '';
    first = [...filesOf(outputs, entry)];
  });

  it('that loads before the first drawing is small', () => {
    const kilobytes = kilobytesOf(first);
    assert.ok(kilobytes > 50 && kilobytes < maxFirstKilobytes, `${kilobytes.toFixed(0)} KB`);
  });

  it('is small with all its parts', () => {
    const kilobytes = kilobytesOf(filesOf(outputs, entry, ['import-statement', 'dynamic-import']));
    assert.ok(kilobytes > kilobytesOf(first) && kilobytes < maxKilobytes, `${kilobytes.toFixed(0)} KB`);
  });

  it('checks no message, like all pages: the extension does, which has the schemas', () => {
    const inputs = Object.values(outputs).flatMap((each) => Object.keys(each.inputs));
    assert.ok(inputs.length > 100, 'every page is looked at');
    assert.deepEqual(
      inputs.filter((name) => name.includes('node_modules/zod/')),
      [],
    );
  });

  it('leaves Markdown, the highlighter, the cards of questions and apps for later', () => {
    const inputs = first.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
    assert.deepEqual(
      inputs.filter((name) =>
        /node_modules\/(?:marked|highlight\.js)\/|question\/questionCard\.tsx|apps\/app(?:Card|Shell|Look)\.tsx?/.test(name),
      ),
      [],
    );
  });
});
