import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { isInsideFolder, leadsOut } from '../../../../src/platform/paths/pathReach.ts';

describe('Whether a path is inside a folder', () => {
  it('is decided by segment', () => {
    assert.deepEqual(
      ['/repo', '/repo/a', '/repo/..x', '/repo/...', '/repo/..x/../a', '/', '/repository', '/repo/../x', '/other'].filter((name) =>
        isInsideFolder(name, '/repo'),
      ),
      ['/repo', '/repo/a', '/repo/..x', '/repo/...', '/repo/..x/../a'],
    );
    assert.deepEqual(['', 'a', '..x', '..x/y', '..', '../x', '/x'].filter(leadsOut), ['..', '../x', '/x']);
  });

  it('is decided in one place: no other source looks for two dots at the start of a way', () => {
    const sources = path.resolve(import.meta.dirname, '../../../../src');
    const found = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .filter((file) =>
        /startsWith\(['"`]\.\.|['"`]\.\.(?:\$\{[^}]*\bsep\}|[\\/])?['"`]\)|\^\\\.\\\./.test(readFileSync(path.join(sources, file), 'utf8')),
      );
    assert.deepEqual(found, []);
  });
});
