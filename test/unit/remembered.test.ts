import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { rememberedFindings } from '../support/run/remembered.ts';

describe('What a search through all code found', () => {
  let folder: string;
  let searches: number;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'duplex-remembered-'));
    searches = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const find = (fingerprint: string | undefined): readonly string[] =>
    rememberedFindings(
      'test',
      () => [`search ${(searches += 1)}`],
      () => fingerprint,
      folder,
    );

  it('is the same as long as nothing has changed', () => {
    assert.deepEqual([find('a'), find('a')], [['search 1'], ['search 1']]);
  });

  it('is searched for again when something has changed, also back to what it was', () => {
    assert.deepEqual([find('a'), find('b'), find('a')], [['search 1'], ['search 2'], ['search 3']]);
  });

  it('is searched for each time where nobody can tell what has changed, and where the memory is broken', () => {
    assert.deepEqual([find(undefined), find(undefined)], [['search 1'], ['search 2']]);
    writeFileSync(path.join(folder, 'findings-test.json'), '{"fingerprint":"a"');
    assert.deepEqual(find('a'), ['search 3']);
  });
});
