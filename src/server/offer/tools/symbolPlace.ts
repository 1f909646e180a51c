import { clientError } from '../../errors/serverErrors.ts';
import type { LanguagePort, Place, SymbolNode } from '../../seen/ports/languagePort.ts';

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

/** A symbol of an outline with the names of all that it is in: `Cart.addItem`. */
interface NamedSymbol {
  readonly name: string;
  readonly node: SymbolNode;
}

const maxNear = 10;
/** In a sentence. */
const maxNameLength = 100;

/** Those that a name means: whole names before ends of names, so that `total` is the function before it is a member. */
function findNamed(outline: readonly SymbolNode[], wanted: string): readonly NamedSymbol[] {
  const path = dotted(wanted);
  const all = namedSymbols(outline);
  const whole = all.filter(({ name }) => name === path);
  return whole.length > 0 ? whole : all.filter(({ name, node }) => name.endsWith(`.${path}`) || node.name === wanted);
}

/** Names that look like it; the first ones there are, if none does. */
function namesNear(outline: readonly SymbolNode[], wanted: string): readonly string[] {
  const own = lastPart(wanted).toLowerCase();
  const all = namedSymbols(outline);
  const near = all.filter(({ name }) => {
    const other = lastPart(name).toLowerCase();
    return other.includes(own) || (other.length > 2 && own.includes(other));
  });
  const names = (near.length > 0 ? near : outline.map((node) => ({ name: dotted(node.name) }))).map(({ name }) => name);
  return [...new Set(names)].slice(0, maxNear).map(shortName);
}

export function shortName(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`;
}

/** Of `Cart.addItem`, `Cart#addItem` and `Cart::addItem`: `addItem`. */
export function lastPart(name: string): string {
  return dotted(name).split('.').at(-1) ?? '';
}

/** The outer names before the last one; none for a plain name. */
export function outerPart(name: string): string {
  return dotted(name).split('.').slice(0, -1).join('.');
}

function namedSymbols(nodes: readonly SymbolNode[], outer = ''): NamedSymbol[] {
  return nodes.flatMap((node) => {
    const name = `${outer}${outer === '' ? '' : '.'}${dotted(node.name)}`;
    return [{ name, node }, ...namedSymbols(node.children, name)];
  });
}

/**
 * As people write it: `add(item: Item)` and `List<T>` without what stands behind the name, `(*Cart).Add` without what Go puts
 * around it, a heading without its marks.
 */
function dotted(name: string): string {
  const plain = name
    .replace(/^#+\s+/, '')
    .replace(/^\(\*?([^()]*)\)\./, '$1.')
    .replace(/(?<=[^\s(<])[(<][^]*$/, '');
  return plain.trim().replaceAll(/::|#(?=\w)/g, '.');
}
