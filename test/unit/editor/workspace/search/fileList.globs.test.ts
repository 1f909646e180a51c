import assert from 'node:assert/strict';
import picomatch from 'picomatch';
import { fileGlob, filesMatching, nameGlob } from '../../../../../src/editor/workspace/search/fileList.ts';
import { fileQuery, neverAborted, SearchFolder, searchEngines } from '../../../server/support/searchFolder.ts';

const globs = [
  '*.ts',
  'src/**/module12*.ts',
  './src/a.ts',
  'src/',
  'src',
  '**',
  '*',
  '?.ts',
  'a?c',
  '.env*',
  '*.{ts,js}',
  '[ab].ts',
  'a**b',
  '{a/b,c}.ts',
  '!a.ts',
  '@(a).ts',
  'a\\*.ts',
  'naïve.ts',
  'a b.ts',
  'a.ts|src/b.ts',
];
const names = ['a.ts', 'b.ts', '.ts', '.env', '.env.local', 'abc', 'a😀c', 'aXXb', 'module12.ts', 'module120.ts', 'src', '*.ts', 'a*.ts'];

describe('The names that a glob leaves', () => {
  it('are a glob of what all tools agree on, or nothing', () => {
    assert.deepEqual(
      globs.map((glob) => [glob, nameGlob(glob)]).filter(([, name]) => name !== undefined),
      [
        ['*.ts', '*.ts'],
        ['src/**/module12*.ts', 'module12*.ts'],
        ['./src/a.ts', 'a.ts'],
        ['src', 'src'],
        ['?.ts', '*.ts'],
        ['a?c', 'a*c'],
        ['.env*', '.env*'],
      ],
    );
  });

  it('are those of all files that it matches', () => {
    for (const glob of globs) {
      const name = nameGlob(glob);
      const isNamed = name === undefined ? () => true : picomatch(name, { dot: true });
      const [{ source, flags } = { source: '', flags: '' }] = fileGlob(glob);
      const paths = names.flatMap((each) => [each, `src/${each}`, `src/deep/${each}`]);
      const missed = paths.filter((path) => new RegExp(source, flags).test(path) && !isNamed(path.split('/').at(-1) ?? ''));
      assert.deepEqual(missed, [], glob);
    }
  });

  for (const [engineName, engine] of searchEngines()) {
    it(`leave ${engineName} to list no others where it can tell`, async () => {
      const folder = new SearchFolder({ '.ignore': 'skipped.ts\n', 'a.ts': '', 'skipped.ts': '', 'deep/b.ts': '', 'deep/c.js': '' });
      try {
        const seen: string[][] = [];
        const watched = {
          ...engine,
          list: async (...request: Parameters<typeof engine.list>) => {
            const listed = await engine.list(...request);
            seen.push([...listed].sort());
            return listed;
          },
        };
        const { files } = await filesMatching(watched, [folder.root()], fileQuery('*.ts'), neverAborted);
        assert.deepEqual(files, ['a.ts', 'deep/b.ts']);
        assert.deepEqual(seen, [engineName === 'ripgrep' ? files : ['.ignore', 'a.ts', 'deep/b.ts', 'deep/c.js']]);
      } finally {
        folder.remove();
      }
    });
  }
});
