import assert from 'node:assert/strict';
import { filterPaths } from '../../../src/worker/searchTexts.ts';

const everything = { prefixLengths: [], include: [], exclude: [] };

describe('Filtering paths in the search thread', () => {
  it('gives a sign of life after every 500 paths, also when none of them is kept', () => {
    const paths = Array.from({ length: 1_001 }, (_, index) => (index < 500 ? `${index}.js` : `${index}.ts`));
    const reports = [...filterPaths({ ...everything, kind: 'filter', paths, include: [{ source: '\\.ts$', flags: '' }] })];
    assert.deepEqual(
      reports.map((report) => (report.kind === 'kept' ? report.indexes.length : report.kind)),
      [0, 500, 1],
    );
  });

  it('matches with and without the name of the folder, and lets an exclusion win', () => {
    const paths = ['web/src/a.ts', 'web/src/b.ts', 'web/lib/a.ts'];
    const include = ['^src/', '^web/lib/'].map((source) => ({ source, flags: '' }));
    const exclude = [{ source: '^src/b', flags: '' }];
    const reports = [...filterPaths({ kind: 'filter', paths, prefixLengths: [4, 4, 4], include, exclude })];
    assert.deepEqual(reports, [{ kind: 'kept', indexes: [0, 2] }]);
  });
});
