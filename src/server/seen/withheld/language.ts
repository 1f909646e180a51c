import type { FoundLocation, LanguagePort, Place, SymbolNode } from '../ports/languagePort.ts';
import { requireShown } from './requireShown.ts';
import { previewOf, type LinePreview } from '../../../base/previewText.ts';
import type { Visibility } from './visibility.ts';

/** What language services know, as one client may see it: nothing about and nothing from withheld files. */
export function withholdingLanguage(language: LanguagePort, visibility: Visibility): LanguagePort {
  const { isShown, redact } = visibility;
  const shown = (found: readonly FoundLocation[]): FoundLocation[] => shownLocations(found, visibility);
  const redactSymbol = (symbol: SymbolNode): SymbolNode => ({
    ...symbol,
    name: redact(symbol.name),
    detail: redact(symbol.detail),
    children: symbol.children.map(redactSymbol),
  });
  /** Before and after: a language service takes its time, in which a link can be moved. */
  const about = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    requireShown(path, visibility);
    const answer = await work();
    requireShown(path, visibility);
    return answer;
  };
  const at = <T>({ path }: Place, work: () => Promise<T>): Promise<T> => about(path, work);
  return {
    getDocumentSymbols: async (path, signal) => (await about(path, () => language.getDocumentSymbols(path, signal))).map(redactSymbol),
    getSyntaxTree: (query, signal) => about(query.path, () => language.getSyntaxTree(query, signal)),
    searchSymbols: async (query, signal) => {
      const symbols = await language.searchSymbols(query, signal);
      return symbols
        .filter(({ path }) => isShown(path))
        .map((symbol) => ({ ...symbol, name: redact(symbol.name), container: redact(symbol.container) }));
    },
    goToDefinition: async (place, signal) => shown(await at(place, () => language.goToDefinition(place, signal))),
    findReferences: async (place, includeDeclaration, signal) =>
      shown(await at(place, () => language.findReferences(place, includeDeclaration, signal))),
    getHover: async (place, signal) => {
      // What a hover quotes comes from where the symbol is defined. Where nobody can tell, nothing is quoted.
      const definitions = await at(place, () => language.goToDefinition(place, signal));
      const isQuoted = (): boolean => definitions.some(({ path }) => isInWorkspace(path) && !isShown(path));
      const text = isQuoted() ? '' : await at(place, () => language.getHover(place, signal));
      return isQuoted() ? '' : redact(text);
    },
    getCallHierarchy: async (place, direction, signal) => {
      const calls = await at(place, () => language.getCallHierarchy(place, direction, signal));
      return calls.filter(({ path }) => isShown(path)).map((call) => ({ ...call, name: redact(call.name) }));
    },
    listCodeActions: async (query, signal) => {
      const actions = await about(query.path, () => language.listCodeActions(query, signal));
      return actions.map((action) => ({ ...action, title: redact(action.title) }));
    },
    coverage: (path) => about(path, () => language.coverage(path)),
  };
}

function shownLocations(found: readonly FoundLocation[], { isShown, redact }: Visibility): FoundLocation[] {
  const lines = new Map<string, string>(); // many places may be on one very long line
  return found
    .filter(({ path }) => isShown(path))
    .map((location) => {
      const line = lines.get(location.preview) ?? redact(location.preview);
      lines.set(location.preview, line);
      return { ...location, ...previewAt(location.range, line) };
    });
}

function previewAt({ start, end }: FoundLocation['range'], line: string): LinePreview {
  return previewOf(line, start.character - 1, (end.line === start.line ? end : start).character - 1);
}

/** Libraries outside of it are no secret, though their files are not shown. */
function isInWorkspace(path: string): boolean {
  return !/^[a-z][a-z0-9+.-]+:/i.test(path);
}
