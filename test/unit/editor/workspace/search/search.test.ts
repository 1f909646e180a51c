import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { filesMatching } from '../../../../../src/editor/workspace/search/fileList.ts';
import { diskReader, type SearchRoot } from '../../../../../src/editor/workspace/search/searchEngine.ts';
import { textMatching } from '../../../../../src/editor/workspace/search/textSearch.ts';
import type { TextMatch, TextPage, TextPlace, TextQuery } from '../../../../../src/server/seen/ports/workspacePort.ts';
import { fileQuery, neverAborted, SearchFolder, searchEngines, textQuery } from '../../../server/support/searchFolder.ts';

const places = (matches: readonly TextMatch[]): string[] => matches.map(({ path, line, character }) => `${path}:${line}:${character}`);

for (const [name, engine] of searchEngines()) {
  describe(`Searching the workspace with ${name}`, () => {
    const folders: SearchFolder[] = [];
    const folder = (files: Readonly<Record<string, string | Buffer>>): SearchFolder => {
      const made = new SearchFolder(files);
      folders.push(made);
      return made;
    };
    const find = async (
      roots: readonly SearchRoot[],
      pattern: string,
      changes?: Parameters<typeof fileQuery>[1],
    ): Promise<readonly string[]> => (await filesMatching(engine, roots, fileQuery(pattern, changes), neverAborted)).files;
    const search = async (
      roots: readonly SearchRoot[],
      query: string,
      changes?: Partial<TextQuery>,
      unsaved = new Map<string, string>(),
    ): Promise<TextPage> => textMatching(engine, { roots, unsaved }, textQuery(query, changes), neverAborted);

    after(() => folders.forEach((made) => made.remove()));

    it('finds files by glob: a name anywhere, a path from the folder, a folder with all that is in it', async () => {
      const roots = [folder({ 'a.ts': '', 'src/b.ts': '', 'src/deep/c.ts': '', 'src/deep/d.js': '', '.hidden/e.ts': '' }).root()];
      assert.deepEqual(await find(roots, '*.ts'), ['.hidden/e.ts', 'a.ts', 'src/b.ts', 'src/deep/c.ts']);
      assert.deepEqual(await find(roots, 'src/*.ts'), ['src/b.ts']);
      assert.deepEqual(await find(roots, './src/**/*.{ts,js}'), ['src/b.ts', 'src/deep/c.ts', 'src/deep/d.js']);
      assert.deepEqual(await find(roots, 'src/'), ['src/b.ts', 'src/deep/c.ts', 'src/deep/d.js']);
      assert.deepEqual(await find(roots, '*.ts', { exclude: 'deep' }), ['.hidden/e.ts', 'a.ts', 'src/b.ts']);
    });

    it('finds the matches behind as many withheld ones as fit on a page', async () => {
      const roots = [folder({ 'a.ts': 'x = hide me\ny = hide me\nz = me\n' }).root()];
      const redact = (text: string): Promise<string> => Promise.resolve(text.replaceAll('hide me', '[redacted]'));
      assert.deepEqual(places((await search(roots, 'me', { limit: 1, redact, secretLine: 'hide' })).matches), ['a.ts:3:5']);
    });

    it('finds what is in another encoding, with its own columns, and looks at the same files whatever is withheld', async () => {
      const made = folder({ 'a.txt': Buffer.from('un caf\xe9 noir\n', 'latin1'), 'b.txt': 'key = hidden\n', 'c.txt': 'nothing\n' });
      const read: string[] = [];
      const reader = diskReader(made.path, (relative, bytes) => {
        read.push(relative);
        return Buffer.from(bytes).toString('latin1');
      });
      const roots = [{ ...made.root(), reader, needsReader: true }];
      const { matches } = await search(roots, 'café n');
      assert.deepEqual(matches, [{ path: 'a.txt', line: 1, character: 4, endCharacter: 10, preview: 'un café noir' }]);
      const redact = (text: string): Promise<string> => Promise.resolve(text.replaceAll('hidden', '[redacted]'));
      for (const guess of ['hidden', 'hidder', 'key']) {
        read.length = 0;
        const found = places((await search(roots, guess, { redact, secretLine: 'hidden' })).matches);
        assert.deepEqual([found, read], [guess === 'key' ? ['b.txt:1:1'] : [], ['a.txt', 'b.txt', 'c.txt']], guess);
      }
      assert.deepEqual(places((await search(roots, 'draft', {}, new Map([['c.txt', 'a draft']]))).matches), ['c.txt:1:3']);
    });

    it('leaves out what ignore files say, of this folder, of those above and of those below, unless told otherwise', async () => {
      const made = folder({
        '.gitignore': 'dist/\n*.log\n!keep.log\n',
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/info/exclude': 'private.txt\n',
        '.ignore': 'generated.ts\n',
        'dist/out.ts': '',
        'a.log': '',
        'keep.log': '',
        'private.txt': '',
        'generated.ts': '',
        'sub/.gitignore': '/local.ts\n',
        'sub/local.ts': '',
        'sub/deep/local.ts': '',
        'sub/a.log': '',
      });
      const inside: SearchRoot = { ...new SearchFolderView(made, 'sub').root() };
      assert.deepEqual(await find([made.root()], '**'), ['.gitignore', '.ignore', 'keep.log', 'sub/.gitignore', 'sub/deep/local.ts']);
      assert.deepEqual(await find([inside], '**'), ['.gitignore', 'deep/local.ts']);
      assert.deepEqual(await find([made.root()], '*.log'), ['keep.log']);
      assert.deepEqual(await find([made.root()], 'sub/**/loc*.ts'), ['sub/deep/local.ts']);
      assert.deepEqual(await find([made.root()], '*.log', { includeIgnored: true }), ['a.log', 'keep.log', 'sub/a.log']);
      assert.deepEqual(await find([made.root()], '*.{log,ts,txt}', { includeIgnored: true }), [
        'a.log',
        'dist/out.ts',
        'generated.ts',
        'keep.log',
        'private.txt',
        'sub/a.log',
        'sub/deep/local.ts',
        'sub/local.ts',
      ]);
    });

    it('reads ignore files without a repository, too, but none above the folder then', async () => {
      const made = folder({ '.gitignore': '*.ts\n', 'sub/.gitignore': '*.log\n', 'sub/a.log': '', 'sub/a.ts': '' });
      assert.deepEqual(await find([new SearchFolderView(made, 'sub').root()], 'a.*'), ['a.ts']);
    });

    it('prefixes the files of several folders with their names, and matches globs with and without them', async () => {
      const roots = [folder({ 'src/a.ts': 'one' }).root('web/'), folder({ 'src/a.ts': 'one', 'b.ts': '' }).root('api/')];
      assert.deepEqual(await find(roots, 'src/*.ts'), ['api/src/a.ts', 'web/src/a.ts']);
      assert.deepEqual(await find(roots, 'web/**'), ['web/src/a.ts']);
      assert.deepEqual(places((await search(roots, 'one')).matches), ['api/src/a.ts:1:1', 'web/src/a.ts:1:1']);
    });

    it('does not list the files of a folder inside another one twice', async () => {
      const made = folder({ 'a.ts': '', 'inner/b.ts': '' });
      const outer: SearchRoot = { ...made.root('outer/'), without: ['inner/'] };
      assert.deepEqual(await find([outer, new SearchFolderView(made, 'inner').root('inner/')], '*.ts'), ['inner/b.ts', 'outer/a.ts']);
    });

    it('pages in a stable order, with nothing twice and nothing missing (release)', async () => {
      const names = Array.from({ length: 60 }, (_, index) => `src/file${index}.ts`);
      const roots = [folder(Object.fromEntries(names.map((file) => [file, 'needle needle\nhay\nneedle\n']))).root()];
      const files: string[] = [];
      let after: string | undefined;
      do {
        const page = await filesMatching(engine, roots, fileQuery('*.ts', { limit: 7, after }), neverAborted);
        files.push(...page.files);
        after = page.hasMore ? page.files.at(-1) : undefined;
      } while (after !== undefined);
      assert.deepEqual(files, [...names].sort());
      const found: string[] = [];
      let next: TextPlace | undefined;
      do {
        const page = await search(roots, 'needle', { limit: 7, after: next });
        found.push(...places(page.matches));
        next = page.next;
      } while (next !== undefined);
      assert.deepEqual(
        found,
        [...names].sort().flatMap((file) => [`${file}:1:1`, `${file}:1:8`, `${file}:3:1`]),
      );
    });

    it('ends the last page without a cursor when it is exactly full', async () => {
      const roots = [folder({ 'a.txt': 'x\nx\n' }).root()];
      assert.equal((await search(roots, 'x', { limit: 2 })).next, undefined);
      assert.equal((await filesMatching(engine, roots, fileQuery('*.txt', { limit: 1 }), neverAborted)).hasMore, false);
    });

    it('searches text and regular expressions, with and without regard to case, and counts characters as editors do', async () => {
      const roots = [folder({ 'a.txt': 'Größe 𝒳 Total(1)\r\ntotal(2)\n' }).root()];
      assert.deepEqual((await search(roots, 'total(')).matches, [
        { path: 'a.txt', line: 1, character: 10, endCharacter: 16, preview: 'Größe 𝒳 Total(1)' },
        { path: 'a.txt', line: 2, character: 1, endCharacter: 7, preview: 'total(2)' },
      ]);
      assert.deepEqual(places((await search(roots, 'total(', { isCaseSensitive: true })).matches), ['a.txt:2:1']);
      assert.deepEqual(places((await search(roots, '\\(\\d\\)$', { isRegex: true })).matches), ['a.txt:1:15', 'a.txt:2:6']);
      assert.deepEqual(places((await search(roots, 'x*', { isRegex: true })).matches), [], 'an empty match is no match');
    });

    it('searches only where include and exclude say', async () => {
      const roots = [folder({ 'src/a.ts': 'x', 'src/a.js': 'x', 'lib/a.ts': 'x' }).root()];
      assert.deepEqual(places((await search(roots, 'x', { include: 'src' })).matches), ['src/a.js:1:1', 'src/a.ts:1:1']);
      assert.deepEqual(places((await search(roots, 'x', { include: '*.ts', exclude: 'lib/**' })).matches), ['src/a.ts:1:1']);
    });

    it('lets unsaved text win over the disk', async () => {
      const roots = [folder({ 'a.ts': 'old', 'b.ts': 'old' }).root()];
      const unsaved = new Map([['a.ts', 'fresh\nfresh']]);
      assert.deepEqual(places((await search(roots, 'old', {}, unsaved)).matches), ['b.ts:1:1']);
      assert.deepEqual(places((await search(roots, 'fresh', {}, unsaved)).matches), ['a.ts:1:1', 'a.ts:2:1']);
    });

    it('skips binary files and those that are very large, and follows no links', async () => {
      const made = folder({ 'a.txt': 'needle', 'a.bin': Buffer.from('needle\0needle'), 'large.txt': `needle${' '.repeat(6_000_000)}` });
      const outside = folder({ 'secret.txt': 'needle' });
      symlinkSync(join(outside.path, 'secret.txt'), join(made.path, 'link.txt'));
      symlinkSync(outside.path, join(made.path, 'linked'));
      assert.deepEqual(places((await search([made.root()], 'needle', { includeIgnored: true })).matches), ['a.txt:1:1']);
      const isShown = (path: string): boolean => !path.startsWith('link');
      assert.deepEqual(await find([made.root()], '*.txt', { isShown }), ['a.txt', 'large.txt']);
    });

    it('finds links that lead to files, but none that is ignored or withheld, leads to a folder, nowhere or in a circle', async () => {
      const made = folder({ 'src/real.txt': 'x', '.gitignore': 'ignored.txt\nout/', '.env': 'A=1', 'out/a.txt': 'x' });
      const targets = { 'src/link.txt': 'real.txt', 'top.txt': 'src/real.txt', 'ignored.txt': 'src/real.txt', 'out/b.txt': 'a.txt' };
      const others = { 'folder.txt': 'src', 'broken.txt': 'nothing', 'round.txt': 'round.txt', 'innocent.txt': '.env' };
      for (const [name, target] of Object.entries({ ...targets, ...others })) {
        symlinkSync(target, join(made.path, name));
      }
      const isShown = (path: string): boolean => path !== 'innocent.txt';
      assert.deepEqual(await find([made.root()], '*.txt', { isShown }), ['src/link.txt', 'src/real.txt', 'top.txt']);
      assert.deepEqual(await find([made.root()], 'src/l*', { isShown }), ['src/link.txt']);
      assert.deepEqual(await find([made.root()], '*.txt', { isShown, includeIgnored: true }), [
        ...['ignored.txt', 'out/a.txt', 'out/b.txt', 'src/link.txt', 'src/real.txt', 'top.txt'],
      ]);
    });

    it('shows a line as it is, with the space around it', async () => {
      const roots = [folder({ 'a.txt': '\t  total += 1;  \r\n' }).root()];
      assert.deepEqual((await search(roots, 'total')).matches, [
        { path: 'a.txt', line: 1, character: 4, endCharacter: 9, preview: '\t  total += 1;  ' },
      ]);
    });

    it('shows the part of a long line around the match, and says where it starts', async () => {
      const roots = [folder({ 'a.min.js': `${'a'.repeat(5_000)}needle${'b'.repeat(5_000)}` }).root()];
      const [match] = (await search(roots, 'needle')).matches;
      assert.match(match?.preview ?? '', /^a{100,200}needleb{100,200}$/);
      const at = (match?.character ?? 0) - (match?.previewStart ?? 0);
      assert.equal(match?.preview.slice(at, at + 6), 'needle');
    });

    it('says what is wrong with a pattern', async () => {
      const roots = [folder({ 'a.txt': '' }).root()];
      await assert.rejects(search(roots, '(', { isRegex: true }), { code: 'search.badPattern' });
    });

    it('ends when the caller goes', async () => {
      const made = folder({ 'a.txt': 'x' });
      mkdirSync(join(made.path, 'sub'));
      const gone = AbortSignal.abort();
      await assert.rejects(textMatching(engine, { roots: [made.root()], unsaved: new Map() }, textQuery('x'), gone), {
        name: 'AbortError',
      });
      await assert.rejects(filesMatching(engine, [made.root()], fileQuery('*'), gone), { name: 'AbortError' });
    });
  });
}

/** A folder of the workspace that lies inside another folder on the disk. */
class SearchFolderView {
  readonly #folder: SearchFolder;
  readonly #inside: string;

  constructor(folder: SearchFolder, inside: string) {
    this.#folder = folder;
    this.#inside = inside;
  }

  root(prefix = ''): SearchRoot {
    const { reader } = this.#folder.root();
    const inside = this.#inside;
    return {
      prefix,
      path: join(this.#folder.path, inside),
      reader: {
        readFolder: (relative) => reader.readFolder(relative === '' ? inside : `${inside}/${relative}`),
        readText: (relative, maxBytes) => reader.readText(`${inside}/${relative}`, maxBytes),
      },
    };
  }
}
