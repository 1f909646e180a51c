import assert from 'node:assert/strict';
import type { LanguagePort } from '../../../../../src/server/seen/ports/languagePort.ts';
import { withholdingDiagnostics } from '../../../../../src/server/seen/withheld/diagnostics.ts';
import { withholdingLanguage } from '../../../../../src/server/seen/withheld/language.ts';
import type { Visibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { diagnosticAt, FakeEditor } from '../../support/fakePorts.ts';

const { signal } = new AbortController();

describe('What language services tell of a file that is withheld by the time they answer', () => {
  let isHidden: boolean;
  const visibility: Visibility = {
    isShown: (path) => path !== 'a.ts' || !isHidden,
    redact: (text) => text,
    redactPart: (text) => Promise.resolve(text),
    hide: (text) => Promise.resolve(text),
  };
  beforeEach(() => (isHidden = false));

  it('is not told', async () => {
    const slow = new Proxy({} as LanguagePort, {
      get: () => () => {
        isHidden = true;
        return Promise.resolve([]);
      },
    });
    const language = withholdingLanguage(slow, visibility);
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
    assert.equal(await withholdingLanguage(slow, visibility).getHover({ path: 'b.ts', line: 1, character: 1 }, signal), '');
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
    const { diagnostics, documents } = await withholdingDiagnostics(editor, visibility).getDiagnostics({ waitMs: 1 }, signal);
    assert.deepEqual([diagnostics, documents], [[], []]);
  });
});
