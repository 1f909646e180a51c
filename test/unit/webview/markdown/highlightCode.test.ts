import assert from 'node:assert/strict';
import { scopeClass } from '../../../../src/webview/markdown/codeBlock.tsx';
import { type CodePiece, highlightCode } from '../../../../src/webview/markdown/highlightCode.ts';

const plain = (pieces: readonly CodePiece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : plain(piece.pieces))).join('');

describe('Highlighted code', () => {
  it('is a tree of named pieces, not HTML', () => {
    assert.deepEqual(highlightCode('let a = "<b>";', 'ts'), [
      { scope: 'keyword', pieces: ['let'] },
      ' a = ',
      { scope: 'string', pieces: ['"<b>"'] },
      ';',
    ]);
  });

  it('keeps every character, also across embedded languages', () => {
    const html = '<style>a { color: red }</style><script>let a = `x${1}`;</script><p title="&amp;">é</p>';
    assert.equal(plain(highlightCode(html, 'html')), html);
  });

  it('stays plain for unknown languages and very long code', () => {
    assert.deepEqual(highlightCode('x', 'klingon'), ['x']);
    assert.deepEqual(highlightCode('x'.repeat(100_000), 'ts'), ['x'.repeat(100_000)]);
  });

  it('leaves a very long line plain, between lines in colour', () => {
    const lineOf = (length: number): string => `${'let a'.padEnd(length - 1)}\n`;
    const coloured = (code: string): CodePiece[] => [{ scope: 'keyword', pieces: ['let'] }, code.slice('let'.length)];
    const [short, longest, long] = [lineOf(7), lineOf(1_000), lineOf(1_001)];
    assert.deepEqual(highlightCode(short + long + short, 'ts'), [...coloured(short), long, ...coloured(short)]);
    assert.deepEqual(highlightCode(longest, 'ts'), coloured(longest));
  });

  it('turns a scope into class names and nothing else', () => {
    assert.equal(scopeClass('title.function_'), 'code-title code-function_');
    assert.equal(scopeClass('a" onclick="x'), 'code-aonclickx');
  });
});
