import assert from 'node:assert/strict';
import type { LanguagePort } from '../../../../../src/server/seen/ports/languagePort.ts';
import { withholdingDiagnostics } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { QuotedValues } from '../../../../../src/server/seen/withheld/quotedValues.ts';
import { withholdingLanguage } from '../../../../../src/server/seen/withheld/language.ts';
import type { Visibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { turnsOfOthers } from '../../../../support/longestBlock.ts';
import { FakeLanguage, locationIn, rangeAt, symbolAt } from '../../support/fakeLanguage.ts';
import { diagnosticAt, FakeEditor } from '../../support/fakePorts.ts';

const { signal } = new AbortController();

describe('What language services tell of a file that is withheld by the time they answer', () => {
  let isHidden: boolean;
  const visibility: Visibility = {
    isPath: () => true,
    isShown: (path) => path !== 'a.ts' || !isHidden,
    redact: (text) => text,
    redactPart: (text) => Promise.resolve(text),
    hide: (text) => Promise.resolve(text),
    secretLine: undefined,
  };
  beforeEach(() => (isHidden = false));

  it('is not told', async () => {
    const slow = new Proxy({} as LanguagePort, {
      get: () => () => {
        isHidden = true;
        return Promise.resolve([]);
      },
    });
    const language = withholdingLanguage(slow, visibility, new QuotedValues(new FakeEditor(), visibility));
    const place = { path: 'a.ts', line: 1, character: 1 };
    const asking: readonly (() => Promise<unknown>)[] = [
      () => language.getDocumentSymbols('a.ts', signal),
      () => language.getSyntaxTree({ path: 'a.ts', depth: 1 }, signal),
      () => language.goToDefinition(place, signal),
      () => language.findReferences(place, true, signal),
      () => language.getHover(place, signal),
      () => language.getCallHierarchy(place, 'incoming', signal),
      () => language.listCodeActions({ path: 'a.ts', startLine: 1, endLine: 1 }, signal),
    ];
    for (const ask of asking) {
      isHidden = false;
      await assert.rejects(ask(), { code: 'editor.pathNotFound' });
    }
  });

  it('is no hover that quotes a definition in it', async () => {
    const definition = { path: 'a.ts', range: diagnosticAt(1).range, preview: '' };
    const slow = {
      goToDefinition: () => Promise.resolve([definition]),
      getHover: () => {
        isHidden = true;
        return Promise.resolve('a secret');
      },
    } as unknown as LanguagePort;
    assert.equal(
      await withholdingLanguage(slow, visibility, new QuotedValues(new FakeEditor(), visibility)).getHover(
        { path: 'b.ts', line: 1, character: 1 },
        signal,
      ),
      '',
    );
  });

  it('is no diagnostic', async () => {
    const editor = new FakeEditor();
    editor.getDiagnostics = ({ isShown }) => {
      assert.equal(isShown?.('a.ts'), true);
      isHidden = true;
      return Promise.resolve({
        diagnostics: [{ ...diagnosticAt(1), path: 'a.ts' }],
        documents: [{ path: 'a.ts', version: 'v1', isDirty: false }],
        settled: true,
        total: 1,
      });
    };
    const { diagnostics, documents } = await withholdingDiagnostics(
      editor,
      visibility,
      new QuotedValues(editor, visibility),
    ).getDiagnostics({ waitMs: 1 }, signal);
    assert.deepEqual([diagnostics, documents], [[], []]);
  });
});

describe('Very much that a language service tells', () => {
  /** As many as hold somebody up: each takes a while to look at. */
  const count = 200;
  let judged: string[];
  const visibility: Visibility = {
    isPath: () => true,
    isShown: (path) => judged.push(path) > 0,
    redact: (text) => {
      const until = performance.now() + 0.5;
      while (performance.now() < until);
      return text;
    },
    redactPart: (text) => Promise.resolve(text),
    hide: (text) => Promise.resolve(text),
    secretLine: undefined,
  };
  beforeEach(() => (judged = []));

  const many = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

  it('is looked through in turns with others, and each file is judged once', async () => {
    const fake = new FakeLanguage();
    fake.symbols = [{ ...symbolAt('outer', 1), children: many((index) => symbolAt(`s${index}`, index + 1)) }];
    fake.references = many((index) => ({ ...locationIn(`${index % 2}.ts`), preview: `line ${index}` }));
    fake.found = many((index) => ({ name: `s${index}`, kind: 'function', path: `${index % 2}.ts`, range: rangeAt(1), container: '' }));
    const language = withholdingLanguage(fake, visibility, new QuotedValues(new FakeEditor(), visibility));
    const answers: readonly [readonly unknown[], () => Promise<readonly unknown[]>, readonly string[]][] = [
      [fake.symbols, () => language.getDocumentSymbols('a.ts', signal), ['a.ts', 'a.ts']],
      [
        fake.references,
        () => language.findReferences({ path: 'a.ts', line: 1, character: 1 }, true, signal),
        ['a.ts', 'a.ts', '0.ts', '1.ts'],
      ],
      [fake.found, () => language.searchSymbols('s', signal), ['0.ts', '1.ts']],
    ];
    for (const [whole, ask, paths] of answers) {
      judged = [];
      let answer: readonly unknown[] = [];
      const turns = await turnsOfOthers(async () => (answer = await ask()));
      assert.deepEqual([answer, judged], [whole, paths]);
      assert.ok(turns > 0, 'nobody else had a turn');
    }
  });
});
