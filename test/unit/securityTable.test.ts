import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '../support/run/repository.mjs';

const tests = path.join(repositoryRoot, 'test');

interface NamedTest {
  readonly file: string;
  readonly title: string;
}

interface Row {
  readonly attack: string;
  readonly tests: readonly NamedTest[];
}

/** The rows of all tables of the page, without their heads. */
async function rows(): Promise<readonly Row[]> {
  const page = await readFile(path.join(tests, 'security/README.md'), 'utf8');
  return page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:attack|---)/.test(line))
    .map((line) => {
      const [, attack = '', named = ''] = line.split(/\s*(?<!\\)\|\s*/);
      return { attack, tests: named.split('<br>').flatMap(toTest) };
    });
}

function toTest(text: string): readonly NamedTest[] {
  const [, file, title] = /^`([^`]+)` · (.+)$/.exec(text) ?? [];
  return file === undefined || title === undefined ? [] : [{ file, title: withoutEscapes(title) }];
}

/** As Markdown has it, and as a string in the source has it. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/\\(?=[^\w\s])/g, '');
}

/** In the order in which they stand; `…` is anything. */
function isTitled(source: string, title: string): boolean {
  const pattern = new RegExp(title.split('…').map(escaped).join('.*'));
  return source.split('\n').some((line) => /^\s*(?:it|onPosix)\(/.test(line) && pattern.test(withoutEscapes(line)));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Those that are not there under their titles. */
async function missingOf(named: readonly NamedTest[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const { file, title } of named) {
    const source = await readFile(path.join(tests, file), 'utf8').catch(() => '');
    if (!isTitled(source, title)) {
      missing.push(`${file}: ${title}`);
    }
  }
  return missing;
}

describe('The table of what the standard for apps asks of a host', () => {
  it('says of each of the 45 points which test shows it, or why it is not done', async () => {
    const page = await readFile(path.join(tests, 'interop/README.md'), 'utf8');
    const [, section = ''] = page.split('\n## Apps: ');
    const points = section.split('\n').filter((line) => line.startsWith('| `'));
    assert.equal(points.length, 45);
    const shown = points.map((line) => line.split(/\s*\|\s*/)[3] ?? '');
    const named = shown.map((text) => /`test\/([^`]+)` · (.+)$/.exec(text));
    assert.deepEqual(
      shown.filter((text, index) => named[index] === null && !text.startsWith('Not done: ')),
      [],
    );
    assert.deepEqual(await missingOf(named.flatMap((each) => (each === null ? [] : [{ file: each[1] ?? '', title: each[2] ?? '' }]))), []);
  });
});

describe('The table of attacks', () => {
  it('names a test for every attack, and each of them is there under its title', async () => {
    const all = await rows();
    assert.ok(all.length > 40, `${all.length} rows are read`);
    assert.deepEqual(
      all.filter((row) => row.tests.length === 0).map(({ attack }) => attack),
      [],
      'attacks without a test',
    );
    assert.deepEqual(await missingOf(all.flatMap((row) => row.tests)), []);
  });

  it('leaves out no file of its folder', async () => {
    const named = new Set((await rows()).flatMap((row) => row.tests.map(({ file }) => file)));
    const files = (await readdir(path.join(tests, 'security'))).filter((name) => name.endsWith('.test.ts'));
    assert.deepEqual(
      files.filter((name) => !named.has(`security/${name}`)),
      [],
    );
  });
});
