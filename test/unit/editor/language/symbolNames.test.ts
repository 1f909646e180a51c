import assert from 'node:assert/strict';
import { nameProblem } from '../../../../src/editor/language/symbolNames.ts';

describe('The new name of a symbol', () => {
  it('is a name of its language, and none of its words', () => {
    for (const [language, name, problem] of [
      ['typescript', 'total', undefined],
      ['typescript', '$größe_1', undefined],
      ['typescript', 'type', undefined],
      ['typescript', 'of', undefined],
      ['typescript', 'class', 'reserved'],
      ['javascriptreact', 'interface', 'reserved'],
      ['javascript', 'await', 'reserved'],
      ['typescript', '1st', 'notName'],
      ['typescript', 'a b', 'notName'],
      ['typescript', 'a.b', 'notName'],
      ['typescript', '#a', 'notName'],
      ['python', 'class_', undefined],
      ['python', 'match', undefined],
      ['python', 'None', 'reserved'],
      ['python', 'lambda', 'reserved'],
      ['python', '$a', 'notName'],
      ['css', '--main-colour', undefined],
      ['markdown', 'A new heading', undefined],
      ['go', 'two\nlines', 'notName'],
      ['go', '  ', 'notName'],
    ] as const) {
      assert.equal(nameProblem(language, 'old', name), problem, `${language} ${name}`);
    }
  });

  it('of a private member stays private, and may be any word', () => {
    assert.deepEqual(
      ['#total', '#class', 'total', '#1'].map((name) => nameProblem('typescript', '#old', name)),
      [undefined, undefined, undefined, 'notName'],
    );
  });
});
