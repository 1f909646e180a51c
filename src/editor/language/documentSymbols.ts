import type * as vscode from 'vscode';
import type { SymbolNode } from '../../server/seen/ports/languagePort.ts';
import { toTextRange } from '../shared/ranges.ts';
import { Turns } from '../../base/turns.ts';
import { symbolKind } from './symbolKinds.ts';

/** Providers answer with trees or, older ones, with a flat list. */
export type AnySymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

/** In turns with others: a file may have a hundred thousand of them. */
export async function toSymbolTree(symbols: readonly AnySymbol[]): Promise<SymbolNode[]> {
  const turns = new Turns();
  return symbols.every(isTreeNode) ? toNodes(symbols, turns) : nest(symbols.map(toFlatNode));
}

/** VS Code's own answers carry the members of both. */
function isTreeNode(symbol: AnySymbol): symbol is vscode.DocumentSymbol {
  return 'selectionRange' in symbol && 'range' in symbol;
}

async function toNodes(symbols: readonly vscode.DocumentSymbol[], turns: Turns): Promise<SymbolNode[]> {
  const nodes: SymbolNode[] = [];
  for (const { name, kind, range, selectionRange, detail, children } of symbols) {
    await turns.next();
    nodes.push({
      name,
      kind: symbolKind(kind),
      range: toTextRange(range),
      selectionRange: toTextRange(selectionRange),
      detail: textOf(detail),
      children: children.length === 0 ? [] : await toNodes(children, turns),
    });
  }
  return nodes;
}

/** Not every provider tells what VS Code's types promise. */
export function textOf(text: string | undefined): string {
  return text ?? '';
}

interface FlatNode extends SymbolNode {
  readonly children: FlatNode[];
}

function toFlatNode(symbol: AnySymbol): FlatNode {
  const range = toTextRange(isTreeNode(symbol) ? symbol.range : symbol.location.range);
  const detail = textOf(isTreeNode(symbol) ? symbol.detail : symbol.containerName);
  return { name: symbol.name, kind: symbolKind(symbol.kind), range, selectionRange: range, detail, children: [] };
}

/** By their ranges: what lies within another one is its child. */
function nest(nodes: readonly FlatNode[]): SymbolNode[] {
  const ordered = [...nodes].sort((a, b) => compare(a.range.start, b.range.start) || compare(b.range.end, a.range.end));
  const roots: FlatNode[] = [];
  const open: FlatNode[] = [];
  for (const node of ordered) {
    while (open.length > 0 && compare(open.at(-1)?.range.end ?? node.range.end, node.range.end) < 0) {
      open.pop();
    }
    (open.at(-1)?.children ?? roots).push(node);
    open.push(node);
  }
  return roots;
}

function compare(a: SymbolNode['range']['start'], b: SymbolNode['range']['start']): number {
  return a.line - b.line || a.character - b.character;
}
