import type { TextRange } from '../../server/seen/ports/textRange.ts';
import type { SyntaxNode } from '../../server/seen/ports/languagePort.ts';

export interface SyntaxSpan {
  readonly kind: string;
  readonly range: TextRange;
}

/** More nodes are left out, the deepest first. */
const maxNodes = 1_500;

interface Growing {
  kind: string;
  readonly range: TextRange;
  readonly depth: number;
  readonly children: Growing[];
}

/**
 * Spans of several providers as one tree, by containment. Of equal spans the first kind stays that says more than
 * "selection"; what overlaps without nesting is left out.
 */
export function buildSyntaxTree(whole: TextRange, spans: readonly SyntaxSpan[], depth: number): { root: SyntaxNode; isCut: boolean } {
  const root: Growing = { kind: 'document', range: whole, depth: 0, children: [] };
  const ordered = spans
    .filter(({ range }) => contains(whole, range) && compare(range.start, range.end) < 0 && !isSame(range, whole))
    .sort((a, b) => compare(a.range.start, b.range.start) || compare(b.range.end, a.range.end));
  const open: Growing[] = [root];
  const all: Growing[] = [];
  for (const span of ordered) {
    while (open.length > 1 && compare(open.at(-1)?.range.end ?? span.range.start, span.range.start) <= 0) {
      open.pop();
    }
    const parent = open.at(-1) ?? root;
    if (parent !== root && isSame(parent.range, span.range)) {
      parent.kind = parent.kind === 'selection' ? span.kind : parent.kind;
    } else if (contains(parent.range, span.range)) {
      const node: Growing = { kind: span.kind, range: span.range, depth: open.length, children: [] };
      parent.children.push(node);
      open.push(node);
      all.push(node);
    }
  }
  const limit = Math.min(depth, deepestWithin(all, maxNodes));
  return { root: prune(root, limit), isCut: all.some((node) => node.depth > limit) };
}

/** The depth to which all nodes together stay within the number. */
function deepestWithin(nodes: readonly Growing[], limit: number): number {
  const perDepth = new Map<number, number>();
  for (const node of nodes) {
    perDepth.set(node.depth, (perDepth.get(node.depth) ?? 0) + 1);
  }
  let count = 0;
  let depth = 0;
  while (perDepth.has(depth + 1)) {
    count += perDepth.get(depth + 1) ?? 0;
    if (count > limit && depth > 0) {
      return depth;
    }
    depth += 1;
  }
  return Math.max(depth, 1);
}

function prune({ kind, range, depth, children }: Growing, limit: number): SyntaxNode {
  // A first level that is larger than everything allowed is cut at its end.
  return { kind, range, children: depth >= limit ? [] : children.slice(0, maxNodes).map((child) => prune(child, limit)) };
}

export function contains(outer: TextRange, inner: TextRange): boolean {
  return compare(outer.start, inner.start) <= 0 && compare(inner.end, outer.end) <= 0;
}

function isSame(a: TextRange, b: TextRange): boolean {
  return compare(a.start, b.start) === 0 && compare(a.end, b.end) === 0;
}

function compare(a: TextRange['start'], b: TextRange['start']): number {
  return a.line - b.line || a.character - b.character;
}
