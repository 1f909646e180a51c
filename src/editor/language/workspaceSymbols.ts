import type * as vscode from 'vscode';
import { collectInTurns } from '../../base/turns.ts';
import type { FoundSymbol } from '../../server/seen/ports/languagePort.ts';
import { toClientPath } from '../shared/clientUris.ts';
import { toTextRange } from '../shared/ranges.ts';
import { textOf } from './documentSymbols.ts';
import type { LanguageService } from './languageService.ts';
import { symbolKind } from './symbolKinds.ts';
import { wakeServices } from './wakeServices.ts';

/** Symbols of every language service that is up; one document of each common language is opened to wake them. */
export async function searchSymbols(service: LanguageService, query: string, signal: AbortSignal): Promise<FoundSymbol[]> {
  const ask = async (): Promise<vscode.SymbolInformation[]> =>
    (await service.ask<vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', [query], signal)) ?? [];
  let symbols = await ask();
  if (symbols.length === 0) {
    const document = await wakeServices(signal);
    symbols = document === undefined ? [] : await service.askPatiently(document, ask, (answer) => answer.length === 0, signal);
  }
  const found = await collectInTurns(symbols, (symbol) => ({
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
