import type { CallDirection, CodePlace, FoundCall, FoundLocation, LanguagePort } from '../ports/languagePort.ts';
import { collectInSlices } from '../../../base/slices.ts';
import type { QuotedValues } from './quotedValues.ts';
import { judgedOnce, requireShown, type Visibility } from './visibility.ts';
import { previewOf, type LinePreview } from '../../../base/boundedText.ts';

/** Wraps the language port: a client learns nothing about withheld files, and nothing that comes from them. */
export function withholdingLanguage(language: LanguagePort, visibility: Visibility, quoted: QuotedValues): LanguagePort {
  const { isShown, redact } = visibility;
  const shown = (found: readonly FoundLocation[]): Promise<FoundLocation[]> => shownLocations(found, visibility);
  /** The path is checked before and after the work: meanwhile a link may have been moved. */
  const about = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    requireShown(path, visibility);
    const answer = await work();
    requireShown(path, visibility);
    return answer;
  };
  const at = <T>({ path }: CodePlace, work: () => Promise<T>): Promise<T> => about(path, work);
  return {
    getDocumentSymbols: (path, signal) =>
      about(path, async () => quoted.maskSymbols(await language.getDocumentSymbols(path, signal, isShown), path, signal)),
    getSyntaxTree: (query, signal) => about(query.path, () => language.getSyntaxTree(query, signal, isShown)),
    searchSymbols: async (query, signal) => {
      const isSeen = judgedOnce(isShown);
      return collectInSlices(await language.searchSymbols(query, signal, isShown), (symbol) =>
        // Whether a name with a secret in it is found must not tell whether the query was a right guess.
        isSeen(symbol.path) && redact(symbol.name) === symbol.name ? { ...symbol, container: redact(symbol.container) } : undefined,
      );
    },
    goToDefinition: async (place, signal) => shown(await at(place, () => language.goToDefinition(place, signal, isShown))),
    findReferences: async (place, includeDeclaration, signal) =>
      shown(await at(place, () => language.findReferences(place, includeDeclaration, signal, isShown))),
    getHover: async (place, signal) => {
      // A hover quotes the file in which the symbol is defined, so nothing is quoted if that file is withheld.
      const definitions = await at(place, () => language.goToDefinition(place, signal, isShown));
      const isQuoted = (): boolean => definitions.some(({ path }) => isInWorkspace(path) && !isShown(path));
      const text = isQuoted() ? '' : await at(place, () => language.getHover(place, signal, isShown));
      const [masked = ''] = isQuoted() ? [] : await quoted.mask([text], { path: place.path, isMarkdown: true }, signal);
      return isQuoted() ? '' : masked;
    },
    getCallHierarchy: async (place, direction, signal) => {
      const calls = await at(place, () => language.getCallHierarchy(place, direction, signal, isShown));
      const isSeen = ({ path, functionPath }: FoundCall): boolean =>
        isShown(path) && (functionPath === undefined || isShown(functionPath) || isOfLibrary(functionPath, direction));
      return calls.filter(isSeen).map((call) => ({ ...call, name: redact(call.name) }));
    },
    listCodeActions: async (query, signal) => {
      const actions = await about(query.path, () => language.listCodeActions(query, signal, isShown));
      const titles = await quoted.mask(
        actions.map(({ title }) => title),
        { path: query.path },
        signal,
      );
      return actions.map((action, index) => ({ ...action, title: titles[index] ?? '' }));
    },
    coverage: (path) => about(path, () => language.coverage(path)),
  };
}

function shownLocations(found: readonly FoundLocation[], { isShown, redact }: Visibility): Promise<FoundLocation[]> {
  const lines = new Map<string, string>(); // many places may lie on one very long line
  const isSeen = judgedOnce(isShown);
  return collectInSlices(found, (location) => {
    if (!isSeen(location.path)) {
      return undefined;
    }
    const line = lines.get(location.preview) ?? redact(location.preview);
    lines.set(location.preview, line);
    return { ...location, ...previewAt(location.range, line) };
  });
}

function previewAt({ start, end }: FoundLocation['range'], line: string): LinePreview {
  return previewOf(line, start.character - 1, (end.line === start.line ? end : start).character - 1);
}

/** Whether it is who calls a function of a library, which lies in the client's own files: what it calls itself does not. */
function isOfLibrary(functionPath: string, direction: CallDirection): boolean {
  return direction === 'incoming' && !isInWorkspace(functionPath);
}

/** Whether a path lies in the workspace. Libraries outside of it are no secret, although their files are not shown. */
function isInWorkspace(path: string): boolean {
  return !/^[a-z][a-z0-9+.-]+:/i.test(path);
}
