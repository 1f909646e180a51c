import assert from 'node:assert/strict';
import { replacedDeclaration } from '../../../../../src/server/offer/tools/declarationText.ts';

const text = `/** A cart. */
export class Cart {
  /** Puts in. */
  add(): void {
    go();
  }
  size = 1;
}
// A limit.
export const limit = 3;
const one = 1, two = 2;
`;

/** The text after a symbol was replaced, whose range begins and ends with these words. */
function after(from: string, to: string, newText: string, whole = text): string {
  const start = whole.indexOf(from);
  const placeAt = (offset: number): { line: number; character: number } => {
    const lines = whole.slice(0, offset).split('\n');
    return { line: lines.length, character: (lines.at(-1)?.length ?? 0) + 1 };
  };
  const range = { start: placeAt(start), end: placeAt(whole.indexOf(to, start) + to.length) };
  const replaced = replacedDeclaration(whole, range, newText);
  const offsetOf = ({ line, character }: { line: number; character: number }): number =>
    whole
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length +
    (line > 1 ? 1 : 0) +
    character -
    1;
  return whole.slice(0, offsetOf(replaced.start)) + newText + whole.slice(offsetOf(replaced.end));
}

describe('What a new declaration takes the place of', () => {
  const expected = text.replace('go();', 'stop();');

  it('is the declaration alone, with or without its indentation and the line end', () => {
    for (const newText of ['add(): void {\n    stop();\n  }', '  add(): void {\n    stop();\n  }', '  add(): void {\n    stop();\n  }\n']) {
      assert.equal(after('add()', '}', newText), expected, newText);
    }
  });

  it('has the comment above only if the new text has one', () => {
    const commented = expected.replace('Puts in.', 'Puts.');
    for (const newText of ['/** Puts. */\n  add(): void {\n    stop();\n  }', '  /** Puts. */\n  add(): void {\n    stop();\n  }\n']) {
      assert.equal(after('add()', '}', newText), commented, newText);
    }
    assert.equal(after('size', '1', '// How many.\n  size = 1'), text.replace('size = 1', '// How many.\n  size = 1'));
  });

  it('has the words that declare a name, and the semicolon, which some services leave out', () => {
    assert.equal(after('limit = 3', '3', 'export const limit = 4;'), text.replace('limit = 3', 'limit = 4'));
    assert.equal(
      after('limit = 3', '3', '// Most.\nexport const limit = 4;\n'),
      text.replace('// A limit.', '// Most.').replace('limit = 3', 'limit = 4'),
    );
  });

  it('is the symbol alone where others stand on its line', () => {
    assert.equal(after('one = 1', '1', 'one = 11'), text.replace('one = 1', 'one = 11'));
    assert.equal(after('two = 2', '2', 'two = 22'), text.replace('two = 2', 'two = 22'));
    const line = 'class A { one() {} two() {} }\n';
    assert.equal(after('two()', '{}', 'three() {}', line), 'class A { one() {} three() {} }\n');
  });

  it('is found in texts with Windows line ends, too', () => {
    const windows = text.replaceAll('\n', '\r\n');
    const newText = '  /** Puts. */\r\n  add(): void {\r\n    stop();\r\n  }\r\n';
    assert.equal(after('add()', '}', newText, windows), windows.replace('go();', 'stop();').replace('Puts in.', 'Puts.'));
  });
});
