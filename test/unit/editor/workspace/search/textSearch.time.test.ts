import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted } from '../../../../../src/base/abort.ts';
import type { LineMatch, OpenSearch, SearchEngine, SearchRoot } from '../../../../../src/editor/workspace/search/searchEngine.ts';
import { textMatching } from '../../../../../src/editor/workspace/search/textSearch.ts';
import type { TextPage, TextQuery } from '../../../../../src/server/seen/ports/workspacePort.ts';
import { neverAborted, textQuery } from '../../../server/support/searchFolder.ts';

const names = Array.from({ length: 200 }, (_, index) => `f${100 + index}.ts`);
const match: LineMatch = { line: 1, character: 1, endCharacter: 7, text: 'needle' };
const root: SearchRoot = {
  prefix: '',
  path: '/none',
  reader: { readFolder: () => Promise.resolve([]), readText: () => Promise.resolve('needle') },
};
const long = 60_000;

/** All of its files match. What `hangs` says goes on until it is ended. */
function engineThat(hangs: { readonly list?: boolean; readonly file?: string }, narrows = false): SearchEngine {
  return {
    list: async (_root, _options, signal) => (hangs.list === true ? untilAborted(new Promise<never>(() => undefined), signal) : names),
    filter: ({ paths }) => Promise.resolve([...paths.keys()]),
    open: (_pattern, signal): Promise<OpenSearch> =>
      Promise.resolve({
        ...(narrows && { filesWithMatch: () => Promise.resolve(names) }),
        matching: async (_root, files) => {
          if (hangs.file !== undefined && files.includes(hangs.file)) {
            await untilAborted(new Promise<never>(() => undefined), signal);
          }
          return new Set(files);
        },
        searchTexts: (texts) => Promise.resolve(texts.map((text) => (text.includes('needle') ? [match] : []))),
        dispose: () => undefined,
      }),
  };
}

function search(engine: SearchEngine, deadline: number, changes: Partial<TextQuery> = {}): Promise<TextPage> {
  const sources = { roots: [root], unsaved: new Map<string, string>() };
  return textMatching(engine, sources, textQuery('needle', { limit: 500, ...changes }), neverAborted, long, deadline);
}

describe('The time of a search', () => {
  it('ends what is under way, and the answer is what was found before, with where to go on', async () => {
    const { matches, next } = await search(engineThat({ file: names[40] ?? '' }), 100);
    assert.deepEqual(
      matches.map(({ path }) => path),
      names.slice(0, 32),
    );
    assert.deepEqual(next, { path: names[31], line: 1, character: 1 });
  });

  it('is for the list of files, too', async () => {
    await assert.rejects(search(engineThat({ list: true }), 50), { code: 'search.tooSlow' });
  });

  it('ends a search in which all is withheld, which goes on by files that tell nothing', async () => {
    const redact = async (): Promise<string> => sleep(20, '[redacted]');
    const { matches, next } = await search(engineThat({}, true), 2_000, { redact, secretLine: 'needle' });
    assert.deepEqual(matches, []);
    const reached = names.indexOf(next?.path ?? '') + 1;
    assert.ok(reached >= 8 && reached < 120 && reached % 8 === 0, `${reached} files`);
  });
});
