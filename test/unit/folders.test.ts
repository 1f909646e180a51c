import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

const src = path.resolve(import.meta.dirname, '../../src');

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

/** `webview/` itself has no files: its header stands above that of its first page. */
function headersOf(folder: string): string[] {
  const files = readdirSync(path.join(src, folder), { recursive: folder === 'webview', encoding: 'utf8' });
  return files.filter(
    (file) => /\.tsx?$/.test(file) && isHeader(readFileSync(path.join(src, folder, file), 'utf8'), path.basename(folder)),
  );
}

function isHeader(text: string, folder: string): boolean {
  const [first = '', second = ''] = text.split('\n');
  return first.startsWith(`// ${folder}/: `) || (first.startsWith('// webview/: ') && second.startsWith(`// ${folder}/: `));
}
