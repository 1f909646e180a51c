import * as vscode from 'vscode';
import { collectInSlices, Slices } from '../../base/slices.ts';
import type { FoundSymbol, SymbolNode } from '../../server/seen/ports/languagePort.ts';
import { toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { isStillThere } from '../shared/openDocuments.ts';
import type { LanguageService } from './languageService.ts';
import { wakeServices } from './wakeServices.ts';

/** A symbol as providers give it: in a tree or, from older ones, in a flat list. */
export type AnySymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

/** The symbols as one tree. It is made in slices, between which others get their turn: a file may have a hundred thousand symbols. */
export async function toSymbolTree(symbols: readonly AnySymbol[]): Promise<SymbolNode[]> {
  const slices = new Slices();
  return symbols.every(isTreeNode) ? toNodes(symbols, slices) : nest(symbols.map(toFlatNode));
}

/** Whether a symbol is part of a tree. VS Code's own answers carry the members of both kinds. */
function isTreeNode(symbol: AnySymbol): symbol is vscode.DocumentSymbol {
  return 'selectionRange' in symbol && 'range' in symbol;
}

async function toNodes(symbols: readonly vscode.DocumentSymbol[], slices: Slices): Promise<SymbolNode[]> {
  const nodes: SymbolNode[] = [];
  for (const { name, kind, range, selectionRange, detail, children } of symbols) {
    await slices.pauseIfUsedUp();
    nodes.push({
      name,
      kind: symbolKind(kind),
      range: toTextRange(range),
      selectionRange: toTextRange(selectionRange),
      detail: textOf(detail),
      children: children.length === 0 ? [] : await toNodes(children, slices),
    });
  }
  return nodes;
}

/** The text, or none: not every provider tells what VS Code's types promise. */
function textOf(text: string | undefined): string {
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

/** Nests symbols by their ranges: one that lies within another is its child. */
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

interface SymbolSearch {
  readonly service: LanguageService;
  readonly signal: AbortSignal;
}

/** Searches the symbols of all projects of the workspace: services that know none of their files yet are shown one. */
export async function symbolsMatching({ service, signal }: SymbolSearch, query: string): Promise<FoundSymbol[]> {
  const ask = async (): Promise<vscode.SymbolInformation[]> =>
    (await service.ask<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', [query], signal)) ?? [];
  const hasWoken = await wakeServices(service, signal, false);
  let symbols = await ask();
  if (symbols.length === 0 && !hasWoken && (await wakeServices(service, signal, true))) {
    symbols = await ask();
  }
  const there = new Map<string, boolean>();
  const found = await collectInSlices(symbols, ({ name, kind, location, containerName }) => {
    const path = toClientPath(location.uri);
    const isThere = there.get(path) ?? isStillThere(location.uri);
    there.set(path, isThere);
    const range = toTextRange(location.range);
    return isThere ? { name, kind: symbolKind(kind), path, range, container: textOf(containerName) } : undefined;
  });
  const byRelevance: FoundSymbol[][] = [[], [], []];
  found.forEach((symbol) => byRelevance[relevance(symbol, query)]?.push(symbol));
  return byRelevance.flat();
}

/** The rank of a symbol: exact names come first, then those that begin with the query. Otherwise the providers' order stays. */
function relevance({ name }: FoundSymbol, query: string): number {
  const plain = name.replace(/\(.*$/s, '').toLowerCase();
  const wanted = query.toLowerCase();
  return plain === wanted ? 0 : plain.startsWith(wanted) ? 1 : 2;
}

/** The kind of a symbol as VS Code names it, in lower camel case. */
export function symbolKind(kind: vscode.SymbolKind): string {
  const name = vscode.SymbolKind[kind] as string | undefined;
  return name === undefined ? 'unknown' : `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}
