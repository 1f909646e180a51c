import assert from 'node:assert/strict';
import type { SyntaxSpan } from '../../../../src/editor/language/syntaxTree.ts';
import type { SyntaxNode } from '../../../../src/server/seen/ports/languagePort.ts';
import type * as SyntaxTreeModule from '../../../../src/editor/language/syntaxTree.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

const program = "export { buildSyntaxTree, decodeTokens } from './src/editor/language/syntaxTree.ts';";
const { buildSyntaxTree, decodeTokens } = await importWithFakes<typeof SyntaxTreeModule>(program, { vscode: '' });

const range = (startLine: number, start: number, endLine: number, end: number): SyntaxSpan['range'] => ({
  start: { line: startLine, character: start },
  end: { line: endLine, character: end },
});
const whole = range(1, 1, 100, 1);
const outline = ({ kind, range: { start, end }, children }: SyntaxNode): unknown => [
  `${kind} ${start.line}:${start.character}-${end.line}:${end.character}`,
  ...children.map(outline),
];

describe('The syntax tree', () => {
  it('nests the ranges of all providers, and calls each by the most telling kind', () => {
    const spans = [
      { kind: 'selection', range: range(2, 1, 5, 2) },
      { kind: 'selection', range: range(2, 10, 2, 14) },
      { kind: 'selection', range: range(2, 1, 5, 2) },
      { kind: 'selection', range: whole },
      { kind: 'block', range: range(2, 1, 5, 2) },
      { kind: 'function', range: range(2, 10, 2, 14) },
      { kind: 'comment', range: range(7, 1, 9, 4) },
    ];
    const { root, isCut } = buildSyntaxTree(whole, spans, 10);
    assert.deepEqual(outline(root), ['document 1:1-100:1', ['block 2:1-5:2', ['function 2:10-2:14']], ['comment 7:1-9:4']]);
    assert.equal(isCut, false);
  });

  it('leaves out what overlaps without nesting, what is empty, and what lies outside the range', () => {
    const spans = [
      { kind: 'block', range: range(2, 1, 5, 2) },
      { kind: 'block', range: range(4, 1, 8, 2) },
      { kind: 'token', range: range(3, 1, 3, 1) },
      { kind: 'token', range: range(200, 1, 200, 5) },
    ];
    assert.deepEqual(outline(buildSyntaxTree(whole, spans, 10).root), ['document 1:1-100:1', ['block 2:1-5:2']]);
  });

  it('is cut at the depth asked for, and says so', () => {
    const spans = Array.from({ length: 10 }, (_, depth) => ({ kind: 'block', range: range(1 + depth, 1, 90 - depth, 1) }));
    const depthOf = (node: SyntaxNode): number => 1 + Math.max(0, ...node.children.map(depthOf));
    const cut = buildSyntaxTree(whole, spans, 3);
    assert.deepEqual([depthOf(cut.root), cut.isCut], [4, true]);
    assert.deepEqual([depthOf(buildSyntaxTree(whole, spans, 10).root), buildSyntaxTree(whole, spans, 10).isCut], [11, false]);
  });

  it('stays within its number of nodes by leaving out the deepest', () => {
    const spans = Array.from({ length: 50 }, (_, line) => [
      { kind: 'block', range: range(line + 1, 1, line + 1, 2_000) },
      ...Array.from({ length: 100 }, (_token, index) => ({
        kind: 'token',
        range: range(line + 1, 2 + index * 10, line + 1, 8 + index * 10),
      })),
    ]).flat();
    const { root, isCut } = buildSyntaxTree(whole, spans, 10);
    assert.deepEqual([root.children.length, root.children[0]?.children.length, isCut], [50, 0, true]);
  });

  it('has the tokens of the range that is wanted, however many come before it, and tells when there are too many', () => {
    const tokens = new Uint32Array(Array.from({ length: 6_000 }, () => [1, 4, 3, 0, 0]).flat());
    const last = range(6_001, 5, 6_001, 8);
    assert.deepEqual(decodeTokens(tokens, ['class'], range(6_001, 1, 6_002, 1)), { spans: [{ kind: 'class', range: last }], isCut: false });
    const { spans, isCut } = decodeTokens(tokens, ['class'], range(1, 1, 7_000, 1));
    assert.deepEqual([spans.length, isCut], [5_000, true]);
    assert.equal(decodeTokens(tokens, ['class'], range(1, 1, 5_002, 1)).isCut, false, 'just as many as are taken');
  });
});
