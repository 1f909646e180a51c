import * as vscode from 'vscode';
import { untilAborted } from '../../base/abort.ts';
import { collectInSlices, Slices } from '../../base/slices.ts';
import type { FoundSymbol, SymbolNode } from '../../server/seen/ports/languagePort.ts';
import { toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { walkFolder } from '../workspace/search/folderWalk.ts';
import { searchRoots } from '../workspace/searchRoots.ts';
import type { LanguageService } from './languageService.ts';

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

/** Searches the symbols of every language service that is up. If none answers, a document is opened to wake them. */
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

/** The rank of a symbol: exact names come first, then those that begin with the query. Otherwise the providers' order stays. */
function relevance({ name }: FoundSymbol, query: string): number {
  const plain = name.replace(/\(.*$/s, '').toLowerCase();
  const wanted = query.toLowerCase();
  return plain === wanted ? 0 : plain.startsWith(wanted) ? 1 : 2;
}

const sourceGlob = '**/*.{ts,tsx,js,jsx,mjs,cjs,py,go,rs,java,kt,cs,c,cc,cpp,h,hpp,php,rb,swift}';
const sourceFile = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|cs|c|cc|cpp|h|hpp|php|rb|swift)$/i;

/**
 * Opens a file of the workspace if none is open, because many services know of a workspace only then. Returns a document whose
 * service is awake, or being woken.
 */
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

/** The kind of a symbol as VS Code names it, in lower camel case. */
export function symbolKind(kind: vscode.SymbolKind): string {
  const name = vscode.SymbolKind[kind] as string | undefined;
  return name === undefined ? 'unknown' : `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}
