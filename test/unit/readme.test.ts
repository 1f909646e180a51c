import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { limitsSetting } from '../../src/contract/settings/serverSettings.ts';
import { runServer } from './server/support/runningServer.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pages = [
  'README.md',
  'src/README.md',
  'src/build/README.md',
  'src/consent/README.md',
  'src/host/README.md',
  'src/server/README.md',
  'test/README.md',
  'test/bench/README.md',
];
/** The pages that speak to people who use the extension. */
const pagesForPeople = ['README.md', 'src/consent/README.md', 'src/host/README.md'];
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('The pages for readers', () => {
  for (const page of pages) {
    it(`link in ${page} only to files that are there`, () => {
      const targets = linksOf(read(page)).map((link) => path.join(root, path.dirname(page), link));
      assert.deepEqual(missing(targets), []);
    });

    it(`name in ${page} only files of the source and the tests that are there`, () => {
      const names = [...read(page).matchAll(/(?<![\w./-])(?:src|test)\/[\w./-]*\w/g)].map(([name]) => path.join(root, name));
      assert.deepEqual(missing(names), []);
    });
  }

  for (const page of pagesForPeople) {
    it(`name in ${page} only commands and settings that there are`, () => {
      const manifest = JSON.parse(read('package.json')) as Manifest;
      const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
      const titles = manifest.contributes.commands.map(({ title }) => texts[title.slice(1, -1)]);
      const settings = Object.keys(manifest.contributes.configuration.properties);
      const ids = [...settings, ...manifest.contributes.commands.map(({ command }) => command)];
      const named = [...read(page).matchAll(/\*\*Duplex: ([^*]+)\*\*/g)].map(([, title = '']) => title);
      const used = [...read(page).matchAll(/[`"'](duplex\.[\w.]+)[`"']/g)].map(([, id = '']) => id);
      assert.ok(named.length + used.length > 0);
      assert.deepEqual([...named.filter((title) => !titles.includes(title)), ...used.filter((id) => !ids.includes(id))], []);
    });
  }

  it('are one page for the marketplace that is read in some minutes: at most 15 KB', () => {
    const { length } = Buffer.from(read('README.md'));
    assert.ok(length <= 15 * 1024, `README.md has ${length} bytes`);
  });

  it('show pictures of the product, each taken in a light and a dark theme, none too large and none that a marketplace refuses', () => {
    const shown = [...read('README.md').matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words = '', file = '']) => ({ words, file }));
    assert.ok(shown.length >= 7);
    assert.deepEqual(
      shown.filter(({ words, file }) => words === '' || !/^media\/screenshots\/[\w-]+-(?:light|dark)\.png$/.test(file)),
      [],
    );
    assert.doesNotMatch(read('README.md'), /\.svg|<img/);
    const taken = readdirSync(path.join(root, 'media/screenshots'));
    assert.deepEqual(
      shown
        .flatMap(({ file }) => ['light', 'dark'].map((theme) => path.basename(file).replace(/(?:light|dark)\.png$/, `${theme}.png`)))
        .toSorted(),
      taken.toSorted(),
    );
    const tooLarge = taken.filter((name) => statSync(path.join(root, 'media/screenshots', name)).size > 150 * 1024);
    assert.deepEqual(tooLarge, []);
  });

  it('list every room of the source, and none that is gone', () => {
    const rooms = [...sectionOf('src/README.md', 'The rooms on one screen').matchAll(/^\| `src\/(\w+)\/`/gm)].map(([, room]) => room);
    const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(rooms, folders.map(({ name }) => name).sort());
  });

  it('tell agents every limit with its default', () => {
    const told = [...sectionOf('src/server/README.md', 'For agents').matchAll(/`(\w+)` (\d+)/g)].map(([, name, value]) => [
      name,
      Number(value),
    ]);
    assert.deepEqual(Object.fromEntries(told), limitsSetting().parse({}));
  });

  it('show agents a request that is answered', async () => {
    const [, example = ''] = /```sh\ncurl (.*?)\n```/s.exec(sectionOf('src/server/README.md', 'For agents')) ?? [];
    const running = await runServer();
    try {
      const filledIn = example.replace('PORT', String(running.port)).replace('$DUPLEX_CLIENT_TOKEN', running.otherToken());
      const headers = [...filledIn.matchAll(/-H ['"]([^'"]+)['"]/g)].map(([, header = '']) => header.split(': ') as [string, string]);
      const body = /-d '(.+)'$/s.exec(filledIn)?.[1] ?? '';
      const answer = await fetch(filledIn.split(' ')[0] ?? '', { method: 'POST', headers, body });
      const text = await answer.text();
      assert.equal(answer.status, 200, text);
      assert.match(text, /"structuredContent":\{"diagnostics":\[/);
    } finally {
      await running.close();
    }
  });

  it('lead through the house on five ways, and name no file twice on one of them', () => {
    const ways = tour().map((stations) => stations.map(({ file }) => file));
    assert.equal(ways.filter((files) => files.length > 5).length, 5);
    assert.deepEqual(
      ways.flatMap((files) => files.filter((file, index) => files.indexOf(file) < index)),
      [],
    );
  });

  it('speak on the way of classes and functions that are in the file', () => {
    const unknown = tour()
      .flat()
      .flatMap(({ file, names }) => {
        const source = existsSync(path.join(root, file)) ? read(file) : '';
        return names.filter((name) => !name.split('.').every((part) => source.includes(part))).map((name) => `${name} in ${file}`);
      });
    assert.deepEqual(unknown, []);
  });
});

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
  };
}

interface Station {
  readonly file: string;
  /** `Class`, `function` or `Class.member`. */
  readonly names: readonly string[];
}

/** The ways of the tour, with the files on each. */
function tour(): readonly (readonly Station[])[] {
  const ways = sectionOf('src/README.md', 'Tours').split(/^(?=\*\*)/m);
  return ways.slice(1).map((way) =>
    [...way.matchAll(/^\d+\. \[[^\]]+\]\(([^)]+)\)(.*(?:\n {3}.*)*)/gm)].map(([, file = '', words = '']) => ({
      file: path.join('src', file),
      names: [...words.matchAll(/`([A-Za-z]+(?:\.[A-Za-z]+)?)`/g)].map(([, name = '']) => name),
    })),
  );
}

/** Relative ones, without what they point at within the file. */
function linksOf(text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => !/^(?:[a-z]+:|#)/.test(target)).map((target) => target.replace(/#.*$/, ''));
}

function missing(files: readonly string[]): string[] {
  return files.filter((file) => !existsSync(file)).map((file) => path.relative(root, file));
}

function sectionOf(page: string, title: string): string {
  const [, section = ''] = read(page).split(`## ${title}\n`);
  return section.split(/^#{2,3} /m)[0] ?? '';
}
