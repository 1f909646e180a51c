import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

const src = path.resolve(import.meta.dirname, '../../src');
const tests = import.meta.dirname;

describe('A folder of the source', () => {
  it('says in one of its files, in the first line, what it is', () => {
    const folders = readdirSync(src, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.relative(src, path.join(entry.parentPath, entry.name)));
    assert.deepEqual(
      folders.map((folder) => [folder, headersOf(folder).length]).filter(([, count]) => count !== 1),
      [],
    );
  });
});

describe('A unit test', () => {
  it('stands in the folder of what it tests', () => {
    const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(isSource);
    const folders = new Set(sources.map((file) => path.dirname(file)));
    const unitTests = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
    assert.deepEqual(
      unitTests.filter((file) => path.dirname(file) !== '.' && !isInItsPlace(file, sources, folders)),
      [],
    );
  });
});

/** One that is named like a source stands beside it; one for several stands in a folder of theirs, and may have its name. */
function isInItsPlace(test: string, sources: readonly string[], folders: ReadonlySet<string>): boolean {
  const folder = path.dirname(test);
  const [name = ''] = path.basename(test).split('.');
  const namesakes = sources.filter((file) => path.parse(file).name === name).map((file) => path.dirname(file));
  const isOfFolder = [...folders].some((each) => each === folder || each.startsWith(folder + path.sep));
  return isOfFolder && (namesakes.length === 0 || namesakes.includes(folder) || name === path.basename(folder));
}

/** `webview/` itself has no files: its header stands above that of its first page. */
function headersOf(folder: string): string[] {
  const files = readdirSync(path.join(src, folder), { recursive: folder === 'webview', encoding: 'utf8' });
  return files.filter((file) => isSource(file) && isHeader(readFileSync(path.join(src, folder, file), 'utf8'), path.basename(folder)));
}

/** Also what only the build runs, which is plain JavaScript. */
function isSource(file: string): boolean {
  return /\.(?:tsx?|mjs)$/.test(file);
}

function isHeader(text: string, folder: string): boolean {
  const [first = '', second = ''] = text.split('\n');
  return first.startsWith(`// ${folder}/: `) || (first.startsWith('// webview/: ') && second.startsWith(`// ${folder}/: `));
}
