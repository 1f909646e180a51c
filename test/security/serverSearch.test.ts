import assert from 'node:assert/strict';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { filesMatching } from '../../src/editor/workspace/search/fileList.ts';
import { PatternThread } from '../../src/editor/workspace/search/patternThread.ts';
import { textMatching } from '../../src/editor/workspace/search/textSearch.ts';
import type { TextPage } from '../../src/server/seen/ports/workspacePort.ts';
import { createVisibility, type Visibility } from '../../src/server/seen/withheld/visibility.ts';
import { noGrants } from '../../src/server/seen/viewer.ts';
import { longestBlock } from '../support/longestBlock.ts';
import { workThread } from '../support/workThread.ts';
import { fileQuery, neverAborted, SearchFolder, searchEngines, textQuery } from '../unit/server/support/searchFolder.ts';

const secretKey = `ghp_${'a1B2'.repeat(10)}`;

for (const [name, engine] of searchEngines()) {
  describe(`A hostile search with ${name}`, () => {
    const folders: SearchFolder[] = [];
    const folder = (files: Readonly<Record<string, string>>): SearchFolder => {
      const made = new SearchFolder(files);
      folders.push(made);
      return made;
    };
    const search = (made: SearchFolder, query: string, changes: Parameters<typeof textQuery>[1] = {}): Promise<TextPage> =>
      textMatching(engine, { roots: [made.root()], unsaved: new Map() }, textQuery(query, changes), neverAborted);

    after(() => folders.forEach((made) => made.remove()));

    it('takes a query that looks like an option for the text it is', async () => {
      const made = folder({ 'a.txt': '--pre=touch stolen --files -e --help\n' });
      for (const query of ['--pre=touch stolen', '--files', '-e', '--help', '--pre=touch', '--']) {
        assert.equal((await search(made, query)).matches[0]?.path, 'a.txt', query);
      }
      assert.equal(existsSync(join(made.path, 'stolen')), false);
    });

    it('takes a file whose name looks like an option for the file it is', async () => {
      const made = folder({
        '--pre=cat': 'needle',
        '-e': 'needle',
        '$(touch stolen)': 'needle',
        '; touch stolen': 'needle',
        '-': 'needle',
      });
      const { matches } = await search(made, 'needle');
      assert.deepEqual(
        matches.map(({ path }) => path),
        ['$(touch stolen)', '-', '--pre=cat', '-e', '; touch stolen'],
      );
      assert.equal(existsSync(join(made.path, 'stolen')), false);
    });

    it('finds nothing outside the workspace, whatever the glob', async () => {
      const outer = folder({ 'secret.txt': 'needle', 'inner/a.txt': 'needle' });
      const root = { ...outer.root(), path: join(outer.path, 'inner') };
      const inner = { ...root, reader: { ...root.reader, readFolder: (path: string) => outer.root().reader.readFolder(`inner/${path}`) } };
      for (const pattern of ['../*.txt', '../**', '/**', `${outer.path}/**`, '{..,.}/*.txt', '!(a).txt', '!a.txt', '**/../**']) {
        const { files } = await filesMatching(engine, [inner], fileQuery(pattern, { includeIgnored: true }), neverAborted);
        assert.deepEqual(
          files.filter((file) => file !== 'a.txt'),
          [],
          pattern,
        );
      }
    });

    it('is not held up by a catastrophic regular expression', async () => {
      const made = folder({ 'a.txt': `${'a'.repeat(5_000)}!` });
      const started = performance.now();
      const answer = await search(made, '^(a+)+$', { isRegex: true }).catch((error: unknown) => error);
      assert.ok(performance.now() - started < 10_000);
      assert.ok(answer instanceof Error ? 'code' in answer && answer.code === 'search.tooSlow' : (answer as TextPage).matches.length === 0);
    });

    it('is not held up by a catastrophic glob', async () => {
      const made = folder({ [`${'a'.repeat(240)}.txt`]: '' });
      const started = performance.now();
      await filesMatching(engine, [made.root()], fileQuery(`${'*a'.repeat(40)}*b`), neverAborted).catch((error: unknown) => error);
      assert.ok(performance.now() - started < 10_000);
    });

    it('is not held up by an ignore file made of stars', async () => {
      const rules = Array.from({ length: 60 }, (_, index) => `**/a/**/a/**/a/**/a/**/c${index}\n`).join('');
      const made = folder({ '.gitignore': rules, [`${'a/'.repeat(60)}x.txt`]: '' });
      const block = await longestBlock(async () => {
        const { files } = await filesMatching(engine, [made.root()], fileQuery('*.txt'), neverAborted);
        assert.deepEqual(files, [`${'a/'.repeat(60)}x.txt`]);
      });
      assert.ok(block < 1_000, `blocked for ${block.toFixed(0)} ms`);
    });

    it('reveals neither names nor contents nor numbers of withheld files', async () => {
      const files = { 'a.txt': 'needle', 'b.txt': 'needle', 'c.txt': 'needle' };
      const secret = { '.env': 'needle', 'a.pem': 'needle', '.ssh/config': 'needle', 'b.key': 'needle' };
      const open = folder(files);
      const mixed = folder({ ...files, ...secret });
      const screen = screenOf(mixed);
      for (const limit of [1, 2, 3, 4]) {
        assert.deepEqual(await search(mixed, 'needle', { limit, ...screen }), await search(open, 'needle', { limit }));
        const shown = await filesMatching(engine, [mixed.root()], fileQuery('**', { limit, isShown: screen.isShown }), neverAborted);
        assert.deepEqual(shown, await filesMatching(engine, [open.root()], fileQuery('**', { limit }), neverAborted));
      }
    });

    it('names no withheld file in a cursor when its time is over', async () => {
      const names = Array.from({ length: 40 }, (_, index) => `f${10 + index}${index === 31 ? '.pem' : '.txt'}`);
      const made = folder(Object.fromEntries(names.map((file) => [file, 'needle'])));
      const screen = screenOf(made);
      const page = (after?: TextPage['next']): Promise<TextPage> =>
        textMatching(engine, { roots: [made.root()], unsaved: new Map() }, textQuery('needle', { ...screen, after }), neverAborted, -1);
      const first = await page();
      const second = await page(first.next);
      assert.deepEqual([first.next?.path, first.matches.length], ['f40.txt', 31]);
      assert.deepEqual([second.next, second.matches.map(({ path }) => path)], [undefined, names.slice(32)]);
    });

    it('names no file by a cursor because a guess at the secret in it is right, when its time is over', async () => {
      const names = Array.from({ length: 100 }, (_, index) => `f${100 + index}.ts`);
      const textAt = (index: number): string => (index % 2 === 0 ? `const token = "${secretKey}";\n` : 'nothing\n');
      const made = folder(Object.fromEntries(names.map((file, index) => [file, textAt(index)])));
      const screen = screenOf(made);
      const sources = { roots: [made.root()], unsaved: new Map<string, string>() };
      const [right, wrong] = await Promise.all(
        [secretKey.slice(0, 8), 'ghp_zzzz'].map((guess) => textMatching(engine, sources, textQuery(guess, screen), neverAborted, -1)),
      );
      assert.deepEqual([right, right?.matches, right?.next === undefined], [wrong, [], false]);
    });

    it('looks at the same files, whatever a pattern says of withheld text, and so recovers none of it', async () => {
      const secret = 'hunter7horse';
      const made = folder({
        'a.yaml': `name: demo\npassword: "${secret}"\n`,
        'b.ts': 'const plain = 1;\n',
        'c.ts': `const token = '${secretKey}';\n`,
      });
      const { redact, ...others } = screenOf(made);
      /** What a pattern finds, and the texts that were looked at for it. */
      const looked = async (query: string, unsaved = new Map<string, string>()): Promise<unknown> => {
        const texts: string[] = [];
        const watched = (text: string): Promise<string> => {
          texts.push(text);
          return redact(text);
        };
        const sources = { roots: [made.root()], unsaved };
        const page = await textMatching(engine, sources, textQuery(query, { isRegex: true, ...others, redact: watched }), neverAborted);
        return { page, texts };
      };
      const dirty = new Map([['b.ts', `const password = "${secret}"; // typed`]]);
      for (const unsaved of [new Map<string, string>(), dirty]) {
        const answers = await Promise.all(
          ['[a-m]', '[n-z]', 'hunter7', 'hunter8', '.{12}"', '.{13}"'].map((guess) =>
            looked(`password: "\\B|password(?:: | = )"${guess}|token = '\\B|typed`, unsaved),
          ),
        );
        answers.forEach((answer) => assert.deepEqual(answer, answers[0]));
      }
    });

    it('is not held up by a long line that matches everywhere', async () => {
      const line = `é token="${secretKey}" ${'ab'.repeat(30_000)}`;
      const made = folder({ 'a.js': line });
      const screen = screenOf(made);
      const started = performance.now();
      const place = { path: 'a.js', line: 1, character: line.indexOf(' ab') + 1 };
      const { matches } = await search(made, 'b', { ...screen, limit: 2, after: place });
      assert.deepEqual(
        matches.map(({ character }) => character - place.character),
        [2, 4],
      );
      assert.ok(performance.now() - started < 10_000);
    });

    it('does not lead to a withheld file through a link', async () => {
      const made = folder({ '.env': 'needle' });
      symlinkSync(join(made.path, '.env'), join(made.path, 'notes.txt'));
      const screen = screenOf(made);
      assert.deepEqual((await search(made, 'needle', { ...screen, includeIgnored: true })).matches, []);
    });

    it('does not tell whether a guess at a secret inside a shown file is right', async () => {
      const key = [
        '-----BEGIN PRIVATE KEY-----',
        'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj',
        'AgEAAoIBAQC7VJTUt9Us8cKjMzEfYyjiWA4R4a2Q',
        '-----END PRIVATE KEY-----',
      ];
      const made = folder({ 'a.ts': `const token = "${secretKey}"; // rotate me\n`, 'b.ts': ['`', ...key, '`'].join('\n') });
      const screen = screenOf(made);
      for (const guess of [secretKey, secretKey.slice(0, 8), 'AgEAAoIBAQC7', 'MIIEvQ']) {
        assert.deepEqual((await search(made, guess, screen)).matches, [], guess);
      }
      const answers = await Promise.all(
        [secretKey.slice(0, 6), 'ghp_zz'].flatMap((guess) =>
          [
            `const token(?: = "${guess}.*)?`,
            `(?:const.*${guess}\\w*)?"; // rotate`,
            `${guess}|const`,
            `const token(?= = "${guess})`,
            `const(?=.*redacted)|${guess}`,
          ].map((query) => search(made, query, { isRegex: true, ...screen }).catch(codeOf)),
        ),
      );
      assert.deepEqual(answers.slice(0, 5), answers.slice(5));
      const [before, after] = await Promise.all(['const', 'rotate'].map((query) => search(made, query, screen)));
      const preview = 'const token = "[redacted]"; // rotate me';
      assert.deepEqual(before?.matches, [{ path: 'a.ts', line: 1, character: 1, endCharacter: 6, preview }]);
      assert.equal(after?.matches[0]?.preview, preview);
    });
  });
}

describe('The thread for other people’s patterns', () => {
  it('is stopped in the middle of a regular expression', async () => {
    const thread = new PatternThread(workThread, neverAborted, 200);
    const request = {
      root: undefined,
      files: [],
      texts: [['a', `${'a'.repeat(60)}!`]] as const,
      pattern: { source: '^(a+)+$', flags: 'g' },
      maxLines: 1,
      maxBytes: 1,
    };
    await assert.rejects(thread.search(request), { code: 'search.tooSlow' });
    thread.dispose();
  });
});

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}

function screenOf(made: SearchFolder): Pick<Visibility, 'isShown' | 'secretLine'> & { readonly redact: (text: string) => Promise<string> } {
  const folders = [{ name: 'demo', path: made.path, uri: `file://${made.path}`, index: 0 }];
  const { isShown, redactPart, secretLine } = createVisibility({ folders: () => folders, neverShown: [], grants: noGrants });
  return { isShown, redact: (text) => redactPart(text, { from: 0, to: text.length }), secretLine };
}
