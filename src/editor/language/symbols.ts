import * as vscode from 'vscode';
import { untilAborted } from '../../base/abort.ts';
import { collectInSlices, Slices } from '../../base/slices.ts';
import type { FoundSymbol, SymbolNode } from '../../server/seen/ports/languagePort.ts';
import { toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { walkFolder } from '../workspace/search/folderWalk.ts';
import { searchRoots } from '../workspace/searchRoots.ts';
import type { LanguageService } from './languageService.ts';

/** Providers answer with trees or, older ones, with a flat list. */
export type AnySymbol = vscode.DocumentSymbol | vscode.SymbolInformation;

/** In turns with others: a file may have a hundred thousand of them. */
export async function toSymbolTree(symbols: readonly AnySymbol[]): Promise<SymbolNode[]> {
  const slices = new Slices();
  return symbols.every(isTreeNode) ? toNodes(symbols, slices) : nest(symbols.map(toFlatNode));
}

/** VS Code's own answers carry the members of both. */
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

/** Not every provider tells what VS Code's types promise. */
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

/** Symbols of every language service that is up; one document of each common language is opened to wake them. */
export async function searchSymbols(service: LanguageService, query: string, signal: AbortSignal): Promise<FoundSymbol[]> {
  const ask = async (): Promise<vscode.SymbolInformation[]> =>
    (await service.ask<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', [query], signal)) ?? [];
  let symbols = await ask();
  if (symbols.length === 0) {
    const document = await wakeServices(signal);
    symbols = document === undefined ? [] : await service.askPatiently(document, ask, (answer) => answer.length === 0, signal);
  }
  const found = await collectInSlices(symbols, (symbol) => ({
    name: symbol.name,
    kind: symbolKind(symbol.kind),
    path: toClientPath(symbol.location.uri),
    range: toTextRange(symbol.location.range),
    container: textOf(symbol.containerName),
  }));
  const byRelevance: FoundSymbol[][] = [[], [], []];
  found.forEach((symbol) => byRelevance[relevance(symbol, query)]?.push(symbol));
  return byRelevance.flat();
}

/** Exact names first, then those that begin so; the providers' order otherwise. */
function relevance({ name }: FoundSymbol, query: string): number {
  const plain = name.replace(/\(.*$/s, '').toLowerCase();
  const wanted = query.toLowerCase();
  return plain === wanted ? 0 : plain.startsWith(wanted) ? 1 : 2;
}

const sourceGlob = '**/*.{ts,tsx,js,jsx,mjs,cjs,py,go,rs,java,kt,cs,c,cc,cpp,h,hpp,php,rb,swift}';
const sourceFile = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|cs|c|cc|cpp|h|hpp|php|rb|swift)$/i;

/** Many services know of a workspace only once one of its files is open. Returns a document whose service is (being) woken. */
async function wakeServices(signal: AbortSignal): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri }) => sourceFile.test(uri.path) && vscode.workspace.getWorkspaceFolder(uri) !== undefined,
  );
  if (open !== undefined) {
    return open;
  }
  const [quick] = await untilAborted(vscode.workspace.findFiles(sourceGlob, '**/node_modules/**', 1), signal).catch(() => []);
  signal.throwIfAborted();
  if (quick !== undefined) {
    return untilAborted(vscode.workspace.openTextDocument(quick), signal);
  }
  // VS Code's own search needs its ripgrep, which some builds lack.
  for (const [index, root] of searchRoots().entries()) {
    const folder = vscode.workspace.workspaceFolders?.[index];
    const files = await walkFolder(root, false, signal);
    const file = files.find((name) => sourceFile.test(name));
    if (file !== undefined && folder !== undefined) {
      return untilAborted(vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, file)), signal);
    }
  }
  return undefined;
}

/** As VS Code names them, in lower camel case. */
export function symbolKind(kind: vscode.SymbolKind): string {
  const name = vscode.SymbolKind[kind] as string | undefined;
  return name === undefined ? 'unknown' : `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}
