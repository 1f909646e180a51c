import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../../support/run/repository.mjs';

const src = path.join(repositoryRoot, 'src');

/** Files that only pass the platform on, or show it. */
const withoutDifference = [
  'app/views/registryJoin.ts',
  'app/views/trafficViewJoin.ts',
  'views/doctor/doctorReport.ts',
  'views/servers/files/serverLenses.ts',
];

const rows = readFileSync(path.join(src, 'platform/systems.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, file, test, title] = /^\| `([^`]+)`.*\| `([^`]+)` · (.+?)\s*\|$/.exec(line) ?? [];
    return file === undefined || test === undefined || title === undefined ? [] : [{ file, test, title }];
  });

describe('The table of what depends on the system', () => {
  it('names every source that asks for the platform', () => {
    const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !file.startsWith('build'),
    );
    const asking = sources.filter((file) => /'win32'|process\.platform|path\.win32/i.test(readFileSync(path.join(src, file), 'utf8')));
    const named = [...rows.map(({ file }) => file), ...withoutDifference];
    assert.deepEqual(
      asking.filter((file) => !named.includes(file)),
      [],
    );
    assert.deepEqual(
      named.filter((file) => !existsSync(path.join(src, file))),
      [],
    );
  });

  it('names a test for each, which is there under its title', () => {
    assert.ok(rows.length > 20, String(rows.length));
    const missing = rows.filter(({ test, title }) => {
      const file = path.join(repositoryRoot, 'test', test);
      return !existsSync(file) || !readFileSync(file, 'utf8').includes(`'${title}'`);
    });
    assert.deepEqual(missing, []);
  });
});
