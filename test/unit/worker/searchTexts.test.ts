import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { filterPaths, matchLines, searchTexts } from '../../../src/worker/searchTexts.ts';
import { SearchFolder } from '../server/support/searchFolder.ts';

const request = { pattern: { source: 'needle', flags: 'g' }, maxLines: 10, maxBytes: 100 };

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
      files.map((file, index) => ({ file, lines: expected[index] })),
    );
  });

  it('tells of a file with many matches in parts', () => {
    const text = `${'needle '.repeat(1_000)}\n`.repeat(12);
    const reports = [...searchTexts({ ...request, maxLines: 100, root: undefined, files: [], texts: [['many.txt', text]] })];
    const lines = reports.map((report) => (report.file === 'many.txt' ? report.lines : []));
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
    assert.deepEqual(reports, [{ file: 'open.txt', lines: [{ line: 1, text: 'a needle', spans: [2, 8] }] }]);
  });
});

const everything = { prefixLengths: [], include: [], exclude: [] };

describe('Filtering paths in the search thread', () => {
  it('gives a sign of life after every 500 paths, also when none of them is kept', () => {
    const paths = Array.from({ length: 1_001 }, (_, index) => (index < 500 ? `${index}.js` : `${index}.ts`));
    const reports = [...filterPaths({ ...everything, paths, include: [{ source: '\\.ts$', flags: '' }] })];
    assert.deepEqual(
      reports.map((indexes) => indexes.length),
      [0, 500, 1],
    );
  });

  it('matches with and without the name of the folder, and lets an exclusion win', () => {
    const paths = ['web/src/a.ts', 'web/src/b.ts', 'web/lib/a.ts'];
    const include = ['^src/', '^web/lib/'].map((source) => ({ source, flags: '' }));
    const exclude = [{ source: '^src/b', flags: '' }];
    const reports = [...filterPaths({ paths, prefixLengths: [4, 4, 4], include, exclude })];
    assert.deepEqual(reports, [[0, 2]]);
  });
});

describe('Matching lines in the search thread', () => {
  it('tells a line once, with every match in it and without its line break', () => {
    assert.deepEqual(matchLines('one two one\r\ntwo\none', /one/g, 10), [
      { line: 1, text: 'one two one', spans: [0, 3, 8, 11] },
      { line: 3, text: 'one', spans: [0, 3] },
    ]);
  });

  it('ends with the last line that is asked for', () => {
    assert.deepEqual(
      matchLines('a\na\na\n', /a/g, 2).map(({ line }) => line),
      [1, 2],
    );
  });

  it('ends after 200,000 matches', () => {
    const lines = matchLines(`${'a'.repeat(150_000)}\n`.repeat(3), /a/g, Number.MAX_SAFE_INTEGER);
    assert.deepEqual(
      lines.map(({ spans }) => spans.length / 2),
      [150_000, 50_000],
    );
  });
});
