import assert from 'node:assert/strict';
import type { FilterRequest } from '../../../../../src/contract/searchMessages.ts';
import { filesMatching } from '../../../../../src/editor/workspace/search/fileList.ts';
import { PatternThread } from '../../../../../src/editor/workspace/search/patternThread.ts';
import { maxListedFiles, type SearchEngine, type SearchRoot } from '../../../../../src/editor/workspace/search/searchEngine.ts';
import { maxWaitingParts } from '../../../../../src/platform/processes/jobThread.ts';
import { textMatching } from '../../../../../src/editor/workspace/search/textSearch.ts';
import type { FilePage } from '../../../../../src/server/seen/ports/workspacePort.ts';
import { longestBlock, turnsOfOthers } from '../../../../support/longestBlock.ts';
import { workThread } from '../../../../support/workThread.ts';
import { fileQuery, neverAborted, textQuery } from '../../../server/support/searchFolder.ts';

const root: SearchRoot = {
  prefix: '',
  path: '/none',
  reader: { readFolder: () => Promise.resolve([]), readText: () => Promise.resolve('needle') },
};

/** In no order. */
function scattered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `part${(index * 7_919) % 1_000}/module${index}.ts`);
}

interface FakeEngine extends SearchEngine {
  readonly filtered: FilterRequest[];
}

/** All of its files have one match. */
function engineOf(
  names: readonly string[],
  filter: SearchEngine['filter'] = ({ paths }) => Promise.resolve([...paths.keys()]),
): FakeEngine {
  const filtered: FilterRequest[] = [];
  const match = { line: 1, character: 1, endCharacter: 7, text: 'needle' };
  return {
    filtered,
    list: () => Promise.resolve([...names]),
    filter: (request, signal) => {
      filtered.push(request);
      return filter(request, signal);
    },
    open: () =>
      Promise.resolve({
        matching: (_root, files) => Promise.resolve(new Set(files)),
        searchTexts: (texts) => Promise.resolve(texts.map(() => [match])),
        dispose: () => undefined,
      }),
  };
}

/** As a check that takes its time, and never agrees. */
function slowRefusal(): boolean {
  const until = performance.now() + 1;
  while (performance.now() < until);
  return false;
}

const sources = { roots: [root], unsaved: new Map<string, string>() };

describe('A workspace of very many files', () => {
  it('holds nobody up while they are listed, matched with globs and put in order', async () => {
    const names = scattered(maxListedFiles);
    const thread = new PatternThread(workThread, neverAborted);
    const engine = engineOf(names, (request, signal) => thread.filter(request, signal));
    let page: FilePage | undefined;
    const block = await longestBlock(async () => {
      page = await filesMatching(engine, [root], fileQuery('*.ts'), neverAborted);
    });
    thread.dispose();
    assert.deepEqual(page, { files: names.sort().slice(0, 200), hasMore: true });
    assert.ok(block < 400, `blocked for ${block.toFixed(0)} ms`);
  });

  it('holds nobody up though none of them may be shown', async () => {
    const engine = engineOf(scattered(600));
    const findBlock = await longestBlock(async () => {
      const page = await filesMatching(engine, [root], fileQuery('*.ts', { isShown: slowRefusal }), neverAborted);
      assert.deepEqual(page, { files: [], hasMore: false });
    });
    const searchBlock = await longestBlock(async () => {
      assert.deepEqual(await textMatching(engine, sources, textQuery('needle', { isShown: slowRefusal }), neverAborted), { matches: [] });
    });
    assert.ok(Math.max(findBlock, searchBlock) < 400, `blocked for ${findBlock.toFixed(0)} and ${searchBlock.toFixed(0)} ms`);
  });

  it('holds nobody up while what was found in them arrives', async () => {
    const thread = new PatternThread(workThread, neverAborted);
    const texts = Array.from({ length: 2_000 }, (_, index) => [`file${index}`, 'needle'] as const);
    const pattern = { source: 'needle', flags: 'g' };
    let turns = 0;
    let timer = setImmediate(function count() {
      turns += 1;
      timer = setImmediate(count);
    });
    try {
      const searching = thread.search({ root: undefined, files: [], texts, pattern, maxLines: 1, maxBytes: 100 });
      // Everything that may come at once is there then.
      for (const until = performance.now() + 1_000; performance.now() < until;);
      assert.equal((await searching).size, 2_000);
    } finally {
      clearImmediate(timer);
      thread.dispose();
    }
    assert.ok(turns >= 2_000 / maxWaitingParts - 1, `others had ${turns} turns`);
  });

  it('holds nobody up though very many matches in one of them touch what is withheld', async () => {
    const withheld = { line: 1, character: 1, endCharacter: 7, text: 'hidden' };
    const matches = Array.from({ length: 300_000 }, () => withheld);
    const engine = engineOf(['a.ts']);
    const search = await engine.open(textQuery('needle'), neverAborted);
    const withMany = { ...engine, open: () => Promise.resolve({ ...search, searchTexts: () => Promise.resolve([matches]) }) };
    const redact = (): Promise<string> => Promise.resolve('hidden');
    const turns = await turnsOfOthers(async () => {
      assert.deepEqual(await textMatching(withMany, sources, textQuery('needle', { redact, secretLine: 'x' }), neverAborted), {
        matches: [],
      });
    });
    assert.ok(turns >= 2, `others had ${turns} turns`);
  });

  it('is looked at no further than a page of them is long', async () => {
    const engine = engineOf(scattered(10_000));
    let checks = 0;
    const isShown = (): boolean => (checks += 1) > 0;
    await filesMatching(engine, [root], fileQuery('*.ts', { limit: 50, isShown }), neverAborted);
    assert.equal(checks, 51);
    await textMatching(engine, sources, textQuery('needle', { limit: 20, isShown }), neverAborted);
    assert.equal(checks, 51 + 32);
  });

  it('is matched with globs only as far as the page before did not come', async () => {
    const names = scattered(1_000);
    const behind = [...names].sort().slice(900);
    const engine = engineOf(names);
    const after = [...names].sort()[899] ?? '';
    const { files } = await filesMatching(engine, [root], fileQuery('*.ts', { limit: 10, after }), neverAborted);
    const place = { path: after, line: 1, character: 1 };
    const { matches } = await textMatching(
      engine,
      sources,
      textQuery('needle', { include: '*.ts', limit: 10, after: place }),
      neverAborted,
    );
    assert.deepEqual([files, matches.map(({ path }) => path)], [behind.slice(0, 10), behind.slice(0, 10)]);
    assert.deepEqual(
      engine.filtered.map(({ paths }) => paths.length),
      [100, 101],
    );
  });
});
