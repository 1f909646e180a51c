import { clientError } from '../../errors/clientErrors.ts';
import type { LanguagePort, Place, SymbolNode } from '../../seen/ports/languagePort.ts';
import { findNamed, namesNear, shortName, type NamedSymbol } from './symbolNames.ts';

/** By position, or by the name of the symbol that is declared there. */
interface NamedPlace {
  readonly path: string;
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly symbol?: string | undefined;
}

/** Rejects when neither is given, or the name means nothing or several things. */
export async function resolvePlace(
  { path, line, character, symbol }: NamedPlace,
  language: LanguagePort,
  signal: AbortSignal,
): Promise<Place> {
  if (symbol === undefined && line !== undefined && character !== undefined) {
    return { path, line, character };
  }
  if (symbol === undefined || line !== undefined || character !== undefined) {
    throw clientError('server.placeOrSymbol');
  }
  const { selectionRange } = await findSymbol(path, symbol, language, signal);
  return { path, line: selectionRange.start.line, character: selectionRange.start.character };
}

/** The one symbol of a file with this name. */
export async function findSymbol(path: string, symbol: string, language: LanguagePort, signal: AbortSignal): Promise<SymbolNode> {
  const outline = await language.getDocumentSymbols(path, signal);
  const [found, ...others] = findNamed(outline, symbol);
  if (found === undefined) {
    const names = namesNear(outline, symbol).join(', ');
    throw names === '' ? clientError('server.noOutline', { path }) : clientError('server.noSymbol', { path, symbol, names });
  }
  if (others.length > 0) {
    throw clientError('server.severalSymbols', { path, symbol, places: listPlaces([found, ...others]) });
  }
  return found.node;
}

const maxPlaces = 20;

function listPlaces(found: readonly NamedSymbol[]): string {
  const places = found.slice(0, maxPlaces).map(({ name, node: { kind, selectionRange } }) => {
    const { line, character } = selectionRange.start;
    return `${shortName(name)} (${kind}) at ${line}:${character}`;
  });
  return [...places, ...(found.length > maxPlaces ? [`${found.length - maxPlaces} more`] : [])].join(', ');
}
