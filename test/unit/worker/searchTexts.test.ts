import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { searchTexts } from '../../../src/worker/searchTexts.ts';
import { SearchFolder } from '../server/support/searchFolder.ts';

const request = { kind: 'search', pattern: { source: 'needle', flags: 'g' }, maxLines: 10, maxBytes: 100 } as const;

describe('Searching texts in the search thread', () => {
  let folder: SearchFolder;

  before(() => {
    const wide = Buffer.from('\ufeffneedle', 'utf16le');
    folder = new SearchFolder({
      'a.txt': 'needle',
      'littleEndian.txt': wide,
      'bigEndian.txt': Buffer.from(wide).swap16(),
      'binary.bin': Buffer.from('needle\0'),
      'large.txt': `needle${' '.repeat(100)}`,
    });
    symlinkSync(join(folder.path, 'a.txt'), join(folder.path, 'link.txt'));
  });

  after(() => folder.remove());

  it('tells of every file, in order, and finds nothing in what is missing, binary, too large or a link', () => {
    const files = ['missing.txt', 'littleEndian.txt', 'bigEndian.txt', 'binary.bin', 'large.txt', 'link.txt', 'a.txt'];
    const reports = [...searchTexts({ ...request, root: folder.path, files, texts: [] })];
    const found = [{ line: 1, text: 'needle', spans: [0, 6] }];
    const expected = [[], found, found, [], [], [], found];
    assert.deepEqual(
      reports,
      files.map((file, index) => ({ kind: 'searched', file, lines: expected[index] })),
    );
  });

  it('tells of a file with many matches in parts', () => {
    const text = `${'needle '.repeat(1_000)}\n`.repeat(12);
    const reports = [...searchTexts({ ...request, maxLines: 100, root: undefined, files: [], texts: [['many.txt', text]] })];
    const lines = reports.map((report) => (report.kind === 'searched' && report.file === 'many.txt' ? report.lines : []));
    assert.deepEqual(
      lines.flat().map(({ line, spans }) => [line, spans.length / 2]),
      Array.from({ length: 12 }, (_, index) => [index + 1, 1_000]),
    );
    assert.ok(
      lines.every((part) => part.length <= 5),
      lines.map((part) => part.length).join(),
    );
  });

  it('searches texts that came along, without a folder', () => {
    const reports = [...searchTexts({ ...request, root: undefined, files: [], texts: [['open.txt', 'a needle']] })];
    assert.deepEqual(reports, [{ kind: 'searched', file: 'open.txt', lines: [{ line: 1, text: 'a needle', spans: [2, 8] }] }]);
  });
});
